// A denial of the host rules as the failure ACCESS_DENIED.

import type { Failure } from '../failure.ts'
import type { HostRule } from './host-rule.ts'
import type { Denial, Origin } from './host-rules.ts'

export const accessDenied = (subject: string, { host, port, rule, promptable, list }: Denial): Failure => ({
  code: 'ACCESS_DENIED',
  subject: subject.slice(0, 300),
  rule,
  allowed: list
    ? `${describeList(list)}. To allow it, add ${nameOf({ host, port })} to allowedDomains of create_session, and to --allowed-hosts if Footlight was started with it`
    : "the session's dev server, and the hosts in --allowed-hosts and create_session's allowedDomains",
  host,
  port,
  ...(promptable && { promptable }),
})

// --- internal ---

const LISTED_HOSTS = 10

function describeList(list: readonly HostRule[]): string {
  const names = list.slice(0, LISTED_HOSTS).map((rule) => `${rule.isWildcard ? '*.' : ''}${nameOf(rule)}`)
  const others = list.length > LISTED_HOSTS ? [`${list.length - LISTED_HOSTS} more hosts`] : []
  return [...names, ...others, "the session's dev server"].join(', ')
}

function nameOf({ host, port }: Pick<HostRule, 'host' | 'port'> | Origin): string {
  if (port === undefined || port === 80 || port === 443) return host
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
