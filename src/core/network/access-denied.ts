// A denial of the host rules as the failure ACCESS_DENIED.

import type { Failure } from '../failure.ts'
import type { Denial } from './host-rules.ts'

export const accessDenied = (subject: string, { host, port, rule, promptable }: Denial): Failure => ({
  code: 'ACCESS_DENIED',
  subject: subject.slice(0, 300),
  rule,
  allowed: promptable
    ? `the hosts in --allowed-hosts and create_session's allowedDomains; add ${host} to them`
    : "the session's dev server, and the hosts in --allowed-hosts and create_session's allowedDomains",
  host,
  port,
  ...(promptable && { promptable }),
})
