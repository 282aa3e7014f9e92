import { race } from '../calls/deadline.ts'
import type { Room } from '../ports/session-manager.ts'
import type { Opened, OpenRoom } from './session-resources.ts'
import { isServerFailure } from '../../core/evidence/action-effects.ts'
import type { Entry } from '../../core/session/journal.ts'
import type { Session } from '../../core/session/session.ts'

const TITLE_TIMEOUT_MS = 500
const REPORT_TIMEOUT_MS = 2000
const MOST = 1000

// Milliseconds in which a server that failed to serve a request says why, or ends.
const SERVER_LINE_MS = 250

/** The room as a tool sees it. */
export function roomOf(session: Session, room: OpenRoom, { page, server, gate }: Opened): Room {
  const { journal, traffic, view, folder, redactor } = room
  return {
    session,
    journal,
    traffic,
    view,
    folder,
    gate,
    server,
    get url() {
      return page.url()
    },
    async title() {
      const [{ title = '' }, isReported] = await Promise.all([
        page.look({ maximumPixels: 0 }, TITLE_TIMEOUT_MS),
        page.isReported(TITLE_TIMEOUT_MS),
      ])
      return isReported ? title : ''
    },
    redact: redactor.text,
    isReported: () => page.isReported(REPORT_TIMEOUT_MS),
    dialog: () => page.dialog(),
    news() {
      const { entries } = journal.read({ kinds: ['page'], since: room.told, limit: 20 })
      room.told = entries.at(-1)?.seq ?? room.told
      return entries.map(({ text }) => text)
    },
    async incidents() {
      server?.sync()
      const since = room.noted
      const read = () => journal.read({ kinds: ['console', 'request', 'server'], since, limit: MOST }).entries
      if (server && !server.ended()) await serverLine(room, read())
      room.noted = journal.last()
      return read()
    },
  }
}

// A failed request may reach us before what the server printed about it, or before its end.
async function serverLine({ journal }: OpenRoom, entries: readonly Entry[]): Promise<void> {
  if (!entries.some(isServerFailure)) return
  const isRefused = entries.some((entry) => isServerFailure(entry) && !/→ \d+$/.test(entry.text))
  const isLine = ({ kind, level }: Entry) => kind === 'server' && (!isRefused || level === 'error')
  if (entries.some(isLine)) return
  const since = journal.last()
  let forget = () => {}
  const printed = new Promise<void>((resolve) => {
    forget = journal.watch(['server'], () => {
      if (journal.read({ kinds: ['server'], since, limit: 1, accept: isLine }).entries.length > 0) resolve()
    })
  })
  await race(SERVER_LINE_MS, [], () => printed)
  forget()
}
