// The dev server of another session, for a session that replays what was done in that one.

import type { OwnedServer } from '../ports/servers.ts'
import type { SessionRequest, SharedServer } from '../ports/session-request.ts'
import type { ServerRequest } from '../../core/dev-server.ts'
import type { Outcome } from '../../core/failure.ts'
import type { Journal } from '../../core/session/journal.ts'
import { ok } from '../../core/result.ts'

/** The server that a session was requested with: that of another session, or one that is started now; undefined if it has none. */
export const openServer = (
  { server, sharedServer }: Pick<SessionRequest, 'server' | 'sharedServer'>,
  journal: Journal,
  start: (server: ServerRequest) => Promise<Outcome<OwnedServer>>,
): Promise<Outcome<OwnedServer>> | undefined =>
  sharedServer ? Promise.resolve(ok(joinServer(sharedServer, journal))) : server && start(server)

// --- internal ---

const LINES_LIMIT = 1000

/** The server as this session uses it: its new output is in the journal of both sessions, and it does not stop with this one. */
function joinServer({ server, journal: source }: SharedServer, journal: Journal): OwnedServer {
  let lastSeq = source.lastSeq()
  const unwatch = source.watch(['server'], () => {
    const { entries } = source.read({ kinds: ['server'], since: lastSeq, limit: LINES_LIMIT })
    lastSeq = entries.at(-1)?.seq ?? lastSeq
    for (const { seq: _, ...entry } of entries) journal.add(entry)
  })
  return {
    ...server,
    async stop() {
      unwatch()
      return ok('')
    },
  }
}
