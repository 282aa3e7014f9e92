// All that one session holds: its page, its dev server, its journal. They are opened together and released together, the page first.

import type { Clock } from './clock.ts'
import { race } from './deadline.ts'
import type { Browsers, OwnedPage } from './ports/browsers.ts'
import type { Room, SessionRequest, TraceMode } from './ports/desk.ts'
import type { Files, Folder } from './ports/files.ts'
import type { OwnedServer, Servers } from './ports/servers.ts'
import { createJournal, type Journal } from '../core/journal.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { Session } from '../core/session.ts'
import { createTraffic, type Traffic } from '../core/traffic.ts'
import { createView, type View } from '../core/view.ts'

export interface OpenRoom {
  readonly journal: Journal
  readonly traffic: Traffic
  readonly view: View
  readonly folder: Folder
  readonly trace: TraceMode
  /** The last journal entry of the page's own doings that was told. */
  told: number
  readonly page: Promise<Outcome<OwnedPage>>
  readonly server: Promise<Outcome<OwnedServer>> | undefined
  /** Both are there, or why not. */
  readonly ready: Promise<Outcome<Opened>>
  /** Frees everything; answers what became of the server. `patience` shortens its grace. */
  release(patience?: number): Promise<Outcome<string>>
}

export interface Opened {
  readonly page: OwnedPage
  readonly server: OwnedServer | undefined
}

export interface RoomHooks {
  lost(failure: Failure): void
  progress(text: string): void
  serverEnded(how: string): void
}

export interface RoomPorts {
  readonly browsers: Browsers
  readonly servers: Servers
  readonly files: Files
  readonly clock: Clock
}

const PAGE_LIMIT = 5000
const kept = { entries: 10_000, bytes: 3_000_000 }

export function openRoom(
  id: string,
  request: SessionRequest,
  { browsers, servers, files, clock }: RoomPorts,
  hooks: RoomHooks,
): OpenRoom {
  const journal = createJournal(kept)
  const traffic = createTraffic(kept)
  const folder = files.folder(id)
  const trace = request.trace ?? 'off'
  const stop = new AbortController()
  const opening = browsers.open(request, {
    lost: hooks.lost,
    observe: (entry) => journal.add({ ...entry, at: clock() }),
    requested: (start) => traffic.start(start, clock()),
    progressed: (seq, progress) => traffic.note(seq, progress, clock()),
    folder,
  })
  const page = trace === 'off' ? opening : traced(opening)
  const server =
    request.server && servers.start(request.server, serverHooks(journal, clock, hooks), stop.signal)
  return {
    journal,
    traffic,
    view: createView(),
    folder,
    trace,
    told: 0,
    page,
    server,
    ready: both(page, server),
    async release(patience) {
      stop.abort()
      const saved = await race(PAGE_LIMIT, [], async () => {
        const opened = await page
        if (!opened.ok) return ''
        const text = trace === 'on' ? await saveTrace(opened.value, folder) : ''
        await opened.value.release()
        return text
      }).catch(() => undefined)
      const started = await server
      const stopped = started?.ok ? await started.value.stop(patience) : ok('')
      const said = saved && 'value' in saved ? saved.value : ''
      return stopped.ok ? ok([stopped.value, said].filter(Boolean).join(' ')) : stopped
    },
  }
}

async function traced(opening: Promise<Outcome<OwnedPage>>): Promise<Outcome<OwnedPage>> {
  const opened = await opening
  if (!opened.ok) return opened
  const started = await opened.value.startTrace()
  if (started.ok) return opened
  await opened.value.release()
  return started
}

async function saveTrace(page: OwnedPage, folder: Folder): Promise<string> {
  const path = await folder.place('trace.zip')
  if (!path.ok) return ''
  const saved = await page.stopTrace(path.value, 'end')
  if (saved.ok) return `Its trace is ${(await folder.done(path.value)).path}.`
  await folder.drop(path.value)
  return ''
}

/** The room as a tool sees it. */
export function roomOf(session: Session, room: OpenRoom, { page, server }: Opened): Room {
  const { journal, traffic, view, folder } = room
  return {
    session,
    journal,
    traffic,
    view,
    folder,
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

const serverHooks = (journal: Journal, clock: Clock, { progress, serverEnded }: RoomHooks) => ({
  progress,
  line: (stream: 'stdout' | 'stderr', text: string) =>
    journal.add({ kind: 'server', at: clock(), text, level: stream === 'stderr' ? 'warning' : 'info' }),
  ended: (how: string) => {
    journal.add({ kind: 'server', at: clock(), text: `the dev server ${how}`, level: 'error' })
    serverEnded(how)
  },
})

async function both(
  page: Promise<Outcome<OwnedPage>>,
  server: Promise<Outcome<OwnedServer>> | undefined,
): Promise<Outcome<Opened>> {
  // Whichever fails first ends the wait: the other is released with the session.
  const failing = async (one: Promise<Outcome<unknown>>) => {
    const outcome = await one
    return outcome.ok ? new Promise<never>(() => {}) : err(outcome.error)
  }
  const all = async () => {
    const [opened, started] = [await page, await server]
    if (!opened.ok) return opened
    if (started && !started.ok) return started
    return ok({ page: opened.value, server: started?.value })
  }
  return Promise.race([all(), failing(page), ...(server ? [failing(server)] : [])])
}
