// All that one session holds: its page, its dev server, its journal. They are opened together and released together, the page first.

import type { Clock } from './clock.ts'
import { race } from './deadline.ts'
import type { Browsers, OwnedPage, PageHooks } from './ports/browsers.ts'
import type { MemoryWatch } from './memory.ts'
import type { SessionRequest, TraceMode } from './ports/desk.ts'
import type { Files, Folder } from './ports/files.ts'
import type { Gate, Gates } from './ports/gates.ts'
import type { OwnedServer, Servers } from './ports/servers.ts'
import { originOf } from '../core/hosts.ts'
import { redacting } from './files.ts'
import { saveTrace, traced } from './traced.ts'
import { createJournal, type Journal } from '../core/journal.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import { createRedactor, revealing, type Redactor } from '../core/redact.ts'
import { createTraffic, type Traffic } from '../core/traffic.ts'
import { createView, type View } from '../core/view.ts'

export interface OpenRoom {
  readonly journal: Journal
  readonly traffic: Traffic
  readonly view: View
  readonly folder: Folder
  readonly redactor: Redactor
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
  readonly gate: Gate | undefined
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
  readonly gates: Gates
  /** What no session may tell. */
  readonly redactor: Redactor
  readonly memory?: MemoryWatch
  readonly clock: Clock
}

const PAGE_LIMIT = 5000
const kept = { entries: 10_000, bytes: 3_000_000 }

export function openRoom(
  id: string,
  request: SessionRequest,
  { browsers, servers, files, gates, redactor: outer, clock }: RoomPorts,
  hooks: RoomHooks,
): OpenRoom {
  const journal = createJournal(kept)
  const traffic = createTraffic(kept)
  const redactor = outer === revealing ? revealing : createRedactor(outer)
  const folder = redacting(files.folder(id), redactor)
  const trace = request.trace ?? 'off'
  const stop = new AbortController()
  const gate = gates.open(request.allowedHosts, {
    denied(url, { rule }) {
      const failure = `ACCESS_DENIED: ${rule}`
      traffic.note(
        traffic.start({ method: '-', url, type: 'denied' }, clock()),
        { state: 'failed', failure },
        clock(),
      )
      journal.add({ kind: 'request', at: clock(), level: 'error', text: `${url} → ${failure}` })
    },
  })
  const opening = openPage(browsers, request, gate, {
    lost: hooks.lost,
    observe: (entry) => journal.add({ ...entry, at: clock() }),
    requested: (start) => traffic.start(start, clock()),
    ...(redactor !== revealing && { taint: redactor.taint }),
    progressed: (seq, progress) => traffic.note(seq, progress, clock()),
    folder,
  })
  const page = trace === 'off' ? opening : traced(opening)
  const server =
    request.server &&
    granted(servers.start(request.server, serverHooks(journal, clock, hooks), stop.signal), gate)
  return {
    journal,
    traffic,
    view: createView(),
    folder,
    redactor,
    trace,
    told: 0,
    page,
    server,
    ready: both(page, server, gate),
    async release(patience) {
      stop.abort()
      const saved = await race(PAGE_LIMIT, [], async () => {
        const opened = await page
        if (!opened.ok) return ''
        const text = trace === 'on' ? await saveTrace(opened.value, folder) : ''
        await opened.value.release()
        const open = await gate
        open?.close()
        return text
      }).catch(() => undefined)
      const started = await server
      const stopped = started?.ok ? await started.value.stop(patience) : ok('')
      const said = saved && 'value' in saved ? saved.value : ''
      return stopped.ok ? ok([stopped.value, said].filter(Boolean).join(' ')) : stopped
    },
  }
}

// Where no rule is set there is no gate, and nothing to wait for.
async function openPage(
  browsers: Browsers,
  request: SessionRequest,
  gate: Promise<Gate | undefined>,
  hooks: PageHooks,
): Promise<Outcome<OwnedPage>> {
  const open = await gate
  const opened = await browsers.open(open ? { ...request, proxy: open.address } : request, hooks)
  if (!opened.ok) open?.close()
  return opened
}

// The session's own server is always allowed, wherever it comes up again.
async function granted(
  starting: Promise<Outcome<OwnedServer>>,
  gate: Promise<Gate | undefined>,
): Promise<Outcome<OwnedServer>> {
  const [started, open] = [await starting, await gate]
  if (!started.ok || !open) return started
  const { value } = started
  open.grant(originOf(new URL(value.info().url)))
  return ok({
    ...value,
    async restart(...given) {
      const again = await value.restart(...given)
      if (again.ok) open.grant(originOf(new URL(again.value.server.url)))
      return again
    },
  })
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
  gate: Promise<Gate | undefined>,
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
    return ok({ page: opened.value, server: started?.value, gate: await gate })
  }
  return Promise.race([all(), failing(page), ...(server ? [failing(server)] : [])])
}
