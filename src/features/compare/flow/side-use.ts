// What the server and the pages of one version use on this machine.

import { isLocalhostName } from '../../../core/base/network/host-rules.ts'
import { parseUrl } from '../../../core/base/text/parse-url.ts'
import { portOf } from '../../../core/devserver/dev-server.ts'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import { isPortRefusal, type SideUse } from './shared-ports.ts'

const OUTPUT_LIMIT = 1000
const REQUEST_LIMIT = 5000

/** Begins to look at the server of a session. Its output is in the journal of `source`, from `since` on; below `folder` programs of the same
 * project run. */
export function watchUse(
  session: OpenSession,
  source: Pick<OpenSession, 'journal'>,
  folder: string,
  since: number,
): () => SideUse {
  const readPorts = session.server?.watchPorts?.(folder)
  return () => {
    const { entries } = source.journal.read({ kinds: ['server'], since, limit: OUTPUT_LIMIT })
    return {
      ports: readPorts?.(),
      refusals: entries.map(({ text }) => text).filter(isPortRefusal),
      requested: session.server ? requestedPorts(session) : [],
    }
  }
}

/** Whether a host is this machine, without a look-up. */
export const isLoopback = (host: string): boolean =>
  isLocalhostName(host) || /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)

// --- internal ---

function requestedPorts({ network, server }: OpenSession): readonly number[] {
  const page = server?.info().port
  const ports = network.read({ limit: REQUEST_LIMIT }).entries.flatMap(({ url }) => {
    const address = parseUrl(url)
    const isWeb = address && /^(https?|wss?):$/.test(address.protocol)
    return isWeb && isLoopback(address.hostname) ? portOf(url) : []
  })
  return [...new Set(ports)].filter((port) => port !== page)
}
