import type { Room } from './ports/desk.ts'
import type { Opened, OpenRoom } from './room.ts'
import type { Session } from '../core/session.ts'

/** The room as a tool sees it. */
export function roomOf(session: Session, room: OpenRoom, { page, server, gate }: Opened): Room {
  const { journal, traffic, view, folder } = room
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
      const { title = '' } = await page.look({ picture: false }, 500)
      return title
    },
    dialog: () => page.dialog(),
    news() {
      const { entries } = journal.read({ kinds: ['page'], since: room.told, limit: 20 })
      room.told = entries.at(-1)?.seq ?? room.told
      return entries.map(({ text }) => text)
    },
  }
}
