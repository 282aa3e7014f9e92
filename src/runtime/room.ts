// All that one session holds: its page, its dev server, its journal. They are opened together and released together, the page first.

import type { Clock } from './clock.ts'
import { race } from './deadline.ts'
import type { Browsers, OwnedPage } from './ports/browsers.ts'
import type { Room, SessionRequest } from './ports/desk.ts'
import type { OwnedServer, Servers } from './ports/servers.ts'
import { createJournal, type Journal } from '../core/journal.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { Session } from '../core/session.ts'

export interface OpenRoom {
  readonly journal: Journal
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
  readonly clock: Clock
}

const PAGE_LIMIT = 5000
const kept = { entries: 10_000, bytes: 4_000_000 }

export function openRoom(
  request: SessionRequest,
  { browsers, servers, clock }: RoomPorts,
  hooks: RoomHooks,
): OpenRoom {
  const journal = createJournal(kept)
  const stop = new AbortController()
  const page = browsers.open(request, {
    lost: hooks.lost,
    observe: (entry) => journal.add({ ...entry, at: clock() }),
  })
  const server =
    request.server && servers.start(request.server, serverHooks(journal, clock, hooks), stop.signal)
  return {
    journal,
    page,
    server,
    ready: both(page, server),
    async release(patience) {
      stop.abort()
      await race(PAGE_LIMIT, [], async () => {
        const opened = await page
        if (opened.ok) await opened.value.release()
      }).catch(() => {})
      const started = await server
      return started?.ok ? started.value.stop(patience) : ok('')
    },
  }
}

/** The room as a tool sees it. */
export const roomOf = (session: Session, { journal }: OpenRoom, { page, server }: Opened): Room => ({
  session,
  journal,
  server,
  get url() {
    return page.url()
  },
  async title() {
    const { title = '' } = await page.look({ picture: false }, 500)
    return title
  },
})

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
