// All that one session holds: its page, its dev server, its journal. They are opened together and released together, the page first.

import type { Clock } from '../clock.ts'
import { race } from '../calls/deadline.ts'
import { createEvidenceImages, type EvidenceImages } from '../evidence/evidence-images.ts'
import type { Browsers, OwnedPage, PageHooks } from '../ports/browsers.ts'
import type { MemoryWatch } from '../memory/memory-limit.ts'
import type { SessionRequest, TraceMode } from '../ports/session-manager.ts'
import type { Files, Folder } from '../ports/files.ts'
import type { EgressProxy, EgressProxies } from '../ports/egress-proxy.ts'
import type { OwnedServer, Servers } from '../ports/servers.ts'
import { redacting } from '../files/session-files.ts'
import { openRedactor, type RedactorPorts } from './session-redactor.ts'
import { createServerGrant, grantClipboard, grantingClipboard, grantingServer } from './server-grant.ts'
import { serverHooks } from './server-journal.ts'
import { saveTrace, startTracing } from './session-trace.ts'
import { createJournal, type Journal } from '../../core/session/journal.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { DevServer } from '../../core/dev-server.ts'
import { revealingRedactor, type Redactor } from '../../core/redaction/redactor.ts'
import { createNetworkLog, type NetworkLog } from '../../core/session/network-log.ts'
import { createLastSnapshot, type LastSnapshot } from '../../core/snapshot/last-snapshot.ts'

export interface SessionResources {
  readonly journal: Journal
  readonly network: NetworkLog
  readonly lastSnapshot: LastSnapshot
  readonly folder: Folder
  readonly images: EvidenceImages
  readonly redactor: Redactor
  readonly trace: TraceMode
  /** The last journal entry of the page's own doings that was told. */
  reportedSeq: number
  /** The last journal entry whose effects were told. */
  incidentSeq: number
  /** The journal entry before the last navigation or successful action: evidence is about what came after. */
  evidenceSeq: number
  readonly page: Promise<Outcome<OwnedPage>>
  readonly server: Promise<Outcome<OwnedServer>> | undefined
  /** Both are there, or why not. */
  readonly ready: Promise<Outcome<ReadyResources>>
  /** Frees everything; answers what became of the server. `patience` shortens its grace. */
  release(patience?: number): Promise<Outcome<string>>
}

export interface ReadyResources {
  readonly page: OwnedPage
  readonly proxy: EgressProxy | undefined
  readonly server: OwnedServer | undefined
}

export interface SessionHooks {
  lost(failure: Failure): void
  progress(text: string): void
  serverEnded(how: string): void
}

export interface SessionPorts extends RedactorPorts {
  readonly browsers: Browsers
  readonly servers: Servers
  readonly files: Files
  readonly proxies: EgressProxies
  readonly memory?: MemoryWatch
  readonly clock: Clock
}

const PAGE_LIMIT = 5000
const kept = { entries: 10_000, bytes: 3_000_000 }

export function openSessionResources(
  id: string,
  request: SessionRequest,
  ports: SessionPorts,
  hooks: SessionHooks,
): SessionResources {
  const { servers, files, proxies, clock } = ports
  const journal = createJournal(kept)
  const network = createNetworkLog(kept)
  const redactor = openRedactor([id, request.name ?? ''], ports)
  const folder = redacting(files.folder(id), redactor)
  const trace = request.trace ?? 'off'
  const stop = new AbortController()
  const proxy = proxies.open(request.allowedHosts, {
    denied(url, { rule }) {
      const failure = `ACCESS_DENIED: ${rule}`
      network.note(
        network.start({ method: '-', url, type: 'denied' }, clock()),
        { state: 'failed', failure },
        clock(),
      )
      journal.add({ kind: 'request', at: clock(), level: 'error', text: `${url} → ${failure}` })
    },
  })
  const pageHooks: PageHooks = {
    lost: hooks.lost,
    observe: (entry) => journal.add({ ...entry, at: clock() }),
    requested: (start) => network.start(start, clock()),
    framed: (seq, frame) => network.frame(seq, frame, clock()),
    ...(redactor !== revealingRedactor && { secrets: redactor }),
    progressed: (seq, progress) => network.note(seq, progress, clock()),
    folder,
  }
  const opening = openPage(ports, request, proxy, pageHooks)
  const reach = proxies.reach(request.allowedHosts)
  const allow = createServerGrant(proxy, reach)
  const allowMoved = async (moved: DevServer) => {
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
    openPage(ports, { ...request, ignoreHTTPSErrors: true }, proxy, pageHooks),
  )
  const page = trace === 'off' ? trusted : startTracing(trusted)
  return {
    journal,
    network,
    lastSnapshot: createLastSnapshot(),
    folder,
    images: createEvidenceImages(folder),
    redactor,
    trace,
    reportedSeq: 0,
    incidentSeq: 0,
    evidenceSeq: 0,
    page,
    server,
    ready: both(page, server, proxy, opening),
    async release(patience) {
      stop.abort()
      const saved = await race(PAGE_LIMIT, [], async () => {
        const opened = await page
        if (!opened.ok) return ''
        const text = trace === 'on' ? await saveTrace(opened.value, folder) : ''
        await opened.value.release()
        const open = await proxy
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
  { browsers, shapes }: SessionPorts,
  request: SessionRequest,
  proxy: Promise<EgressProxy | undefined>,
  hooks: PageHooks,
): Promise<Outcome<OwnedPage>> {
  const [open] = await Promise.all([proxy, shapes?.load()])
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
  proxy: Promise<EgressProxy | undefined>,
  opening: Promise<Outcome<OwnedPage>>,
): Promise<Outcome<ReadyResources>> {
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
    return ok({ page: opened.value, server: own, proxy: await proxy })
  }
  return Promise.race([all(), failing(opening), failing(page), ...(server ? [failing(server)] : [])])
}
