// All that one session holds: its page, its dev server, its journal. They are opened together and released together, the page first.

import type { Clock } from '../clock.ts'
import { race } from '../calls/deadline.ts'
import { createEvidencePictures, type EvidencePictures } from '../evidence/evidence-images.ts'
import type { Browsers, OwnedPage, PageHooks } from '../ports/browsers.ts'
import type { MemoryWatch } from '../memory/memory-limit.ts'
import type { SessionRequest, TraceMode } from '../ports/session-manager.ts'
import type { Files, Folder } from '../ports/files.ts'
import type { Gate, Gates } from '../ports/egress-proxy.ts'
import type { OwnedServer, Servers } from '../ports/servers.ts'
import { redacting } from '../files/session-files.ts'
import { openRedactor, type RedactorPorts } from './session-redactor.ts'
import { createServerGrant, grantClipboard, grantingClipboard, grantingServer } from './server-grant.ts'
import { serverHooks } from './server-journal.ts'
import { saveTrace, traced } from './session-trace.ts'
import { createJournal, type Journal } from '../../core/session/journal.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Server } from '../../core/dev-server.ts'
import { revealing, type Redactor } from '../../core/redaction/redactor.ts'
import { createTraffic, type Traffic } from '../../core/session/network-log.ts'
import { createView, type View } from '../../core/snapshot/last-snapshot.ts'

export interface OpenRoom {
  readonly journal: Journal
  readonly traffic: Traffic
  readonly view: View
  readonly folder: Folder
  readonly pictures: EvidencePictures
  readonly redactor: Redactor
  readonly trace: TraceMode
  /** The last journal entry of the page's own doings that was told. */
  told: number
  /** The last journal entry whose effects were told. */
  noted: number
  /** The journal entry before the last navigation or successful action: evidence is about what came after. */
  since: number
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

export interface RoomPorts extends RedactorPorts {
  readonly browsers: Browsers
  readonly servers: Servers
  readonly files: Files
  readonly gates: Gates
  readonly memory?: MemoryWatch
  readonly clock: Clock
}

const PAGE_LIMIT = 5000
const kept = { entries: 10_000, bytes: 3_000_000 }

export function openRoom(id: string, request: SessionRequest, ports: RoomPorts, hooks: RoomHooks): OpenRoom {
  const { servers, files, gates, clock } = ports
  const journal = createJournal(kept)
  const traffic = createTraffic(kept)
  const redactor = openRedactor([id, request.name ?? ''], ports)
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
  const pageHooks: PageHooks = {
    lost: hooks.lost,
    observe: (entry) => journal.add({ ...entry, at: clock() }),
    requested: (start) => traffic.start(start, clock()),
    framed: (seq, frame) => traffic.frame(seq, frame, clock()),
    ...(redactor !== revealing && { secrets: redactor }),
    progressed: (seq, progress) => traffic.note(seq, progress, clock()),
    folder,
  }
  const opening = openPage(ports, request, gate, pageHooks)
  const reach = gates.reach(request.allowedHosts)
  const allow = createServerGrant(gate, reach)
  const allowMoved = async (moved: Server) => {
    await allow(moved)
    const opened = await page
    if (opened.ok) await grantClipboard(opened.value, moved)
  }
  const server =
    request.server &&
    grantingServer(
      servers.start(request.server, serverHooks(journal, clock, allowMoved, hooks), stop.signal, reach),
      allow,
    )
  const trusted = trusting(opening, request, server, () =>
    openPage(ports, { ...request, ignoreHTTPSErrors: true }, gate, pageHooks),
  )
  const page = trace === 'off' ? trusted : traced(trusted)
  return {
    journal,
    traffic,
    view: createView(),
    folder,
    pictures: createEvidencePictures(folder),
    redactor,
    trace,
    told: 0,
    noted: 0,
    since: 0,
    page,
    server,
    ready: both(page, server, gate, opening),
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
  { browsers, shapes }: RoomPorts,
  request: SessionRequest,
  gate: Promise<Gate | undefined>,
  hooks: PageHooks,
): Promise<Outcome<OwnedPage>> {
  const [open] = await Promise.all([gate, shapes?.load()])
  const opened = await browsers.open(open ? { ...request, proxy: open.address } : request, hooks)
  if (!opened.ok) open?.close()
  return opened
}

// Certificates are a matter of the whole context, and whether its own server has one is known only once that is up: then the page is
// opened again, before anybody has seen it.
async function trusting(
  opening: Promise<Outcome<OwnedPage>>,
  { ignoreHTTPSErrors = false }: SessionRequest,
  server: Promise<Outcome<OwnedServer>> | undefined,
  reopen: () => Promise<Outcome<OwnedPage>>,
): Promise<Outcome<OwnedPage>> {
  const opened = await opening
  if (!server || ignoreHTTPSErrors || !opened.ok) return opened
  const started = await server
  if (!started.ok || !started.value.info().url.startsWith('https:')) return opened
  await opened.value.release()
  return reopen()
}

async function both(
  page: Promise<Outcome<OwnedPage>>,
  server: Promise<Outcome<OwnedServer>> | undefined,
  gate: Promise<Gate | undefined>,
  opening: Promise<Outcome<OwnedPage>>,
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
    const own = started && (await grantingClipboard(started.value, opened.value))
    return ok({ page: opened.value, server: own, gate: await gate })
  }
  return Promise.race([all(), failing(opening), failing(page), ...(server ? [failing(server)] : [])])
}
