// The pages, frames in other processes and workers of a context, each with a CDP session of its own that counts what runs. V8 counts for an
// isolate, not for a session: where two pages share one, the first session that ends would stop the other's counters and forget its blocks. So
// one session counts for each isolate.

import type { BrowserContext, CDPSession, Page } from 'playwright'
import { settleWithin } from '../../../core/base/system/settle-within.ts'
import { internalsOf } from '../../../core/browser/playwright/internals.ts'
import type { CountedFunction } from './reading.ts'

/** A script as V8 counts it; `key` is the same for the same text alone. */
export interface RawScript {
  readonly key: string
  readonly url: string
  readonly functions: readonly CountedFunction[]
}

export interface Targets {
  /** What ran since the last time. What does not answer in time comes the next time. */
  take(): Promise<readonly RawScript[]>
  /** Makes V8 forget what it compiled: it counts no blocks of code that it compiled while it did not count. */
  compileAnew(): void
  sessions(): readonly TargetSession[]
  end(): Promise<void>
}

export interface TargetSession {
  send<T>(method: string, params?: object): Promise<T>
  on<T>(event: string, listener: (params: T) => void): void
  createChildSession?(id: string): TargetSession
  dispose?(): void
  detach?(): Promise<void>
}

interface Target {
  readonly session: TargetSession
  readonly isWorker: boolean
  isolate: string
  isCounting: boolean
  isGone: boolean
}

const ANSWER_TIMEOUT_MS = 2000
const COVERAGE = { callCount: true, detailed: true, allowTriggeredUpdates: false }

export async function openTargets(
  context: BrowserContext,
  onTarget: (session: TargetSession) => void,
): Promise<Targets> {
  const targets = new Set<Target>()
  let arrived: RawScript[] = []
  let workerCount = 0
  const add = (session: TargetSession, isWorker: boolean): Target => {
    const isolate = isWorker ? `worker ${(workerCount += 1)}` : ''
    const target: Target = { session, isWorker, isolate, isCounting: false, isGone: false }
    targets.add(target)
    attachChildren(session, add, (child) => forget(child))
    return target
  }
  const forget = (session: TargetSession) => {
    for (const target of targets) if (target.session === session) target.isGone = true
  }
  const openPage = async (page: Page) => {
    const session = await openSession(context, page)
    if (!session) return
    const target = add(session, false)
    page.once('close', () => (target.isGone = true))
    onTarget(session)
    await count(target, targets)
  }
  const onPage = (page: Page) => void openPage(page)
  context.on('page', onPage)
  await settleWithin(ANSWER_TIMEOUT_MS, Promise.all(context.pages().map(openPage)))
  return {
    async take() {
      await settleWithin(
        ANSWER_TIMEOUT_MS,
        Promise.all(
          [...targets].map((target) => readTarget(target).then((list) => void arrived.push(...list))),
        ),
      )
      await settleWithin(ANSWER_TIMEOUT_MS, repairCounters(targets))
      const scripts = arrived
      arrived = []
      return scripts
    },
    compileAnew: () =>
      [...targets].filter((target) => !target.isWorker && counts(target)).forEach(compileAnew),
    sessions: () =>
      [...targets].flatMap(({ session, isWorker, isGone }) => (isWorker || isGone ? [] : session)),
    async end() {
      context.off('page', onPage)
      const ending = [...targets].filter(({ isWorker, isGone }) => !isWorker && !isGone)
      targets.clear()
      await settleWithin(ANSWER_TIMEOUT_MS, Promise.all(ending.map(({ session }) => session.detach?.())))
    },
  }
}

// --- internal ---

const ignore = (): void => {}

/** Playwright's own session where it runs in this process, because only that can speak to workers. */
async function openSession(context: BrowserContext, page: Page): Promise<TargetSession | undefined> {
  const client: CDPSession | undefined = await context.newCDPSession(page).catch(() => undefined)
  if (!client) return undefined
  const server = internalsOf<{ readonly _session?: TargetSession }>(client)?._session
  const session = server ?? (client as unknown as TargetSession)
  return {
    send: session.send.bind(session),
    on: session.on.bind(session),
    ...(server?.createChildSession && { createChildSession: server.createChildSession.bind(server) }),
    detach: () => client.detach().catch(ignore),
  }
}

interface Attached {
  readonly sessionId: string
  readonly targetInfo: { readonly type: string }
}

/** A worker, or a frame in another process, waits until it is counted. It must be let go whatever happens. */
function attachChildren(
  session: TargetSession,
  add: (child: TargetSession, isWorker: boolean) => Target,
  forget: (child: TargetSession) => void,
): void {
  if (!session.createChildSession) return
  const children = new Map<string, TargetSession>()
  session.on<Attached>('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const child = session.createChildSession?.(sessionId)
    if (!child) return
    children.set(sessionId, child)
    const target = add(child, targetInfo.type !== 'iframe')
    start(target)
    child.send('Runtime.runIfWaitingForDebugger').catch(ignore)
  })
  session.on('Target.detachedFromTarget', ({ sessionId }: { sessionId: string }) => {
    const child = children.get(sessionId)
    children.delete(sessionId)
    child?.dispose?.()
    if (child) forget(child)
  })
  session
    .send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
    .catch(ignore)
}

const compileAnew = ({ session }: Target): void =>
  void session.send('HeapProfiler.collectGarbage').catch(ignore)

function startLate(target: Target): void {
  compileAnew(target)
  start(target)
}

function start(target: Target): void {
  target.isCounting = true
  target.session.send('Profiler.enable').catch(ignore)
  target.session.send('Profiler.startPreciseCoverage', COVERAGE).catch(ignore)
}

const readIsolate = ({ session }: Target): Promise<string> =>
  session.send<{ id: string }>('Runtime.getIsolateId').then(
    ({ id }) => String(id),
    () => '',
  )

/** Counts in the isolate of a page unless another page does. */
async function count(target: Target, targets: ReadonlySet<Target>): Promise<void> {
  target.isolate = await readIsolate(target)
  const isCounted = [...targets].some(
    (other) => other !== target && counts(other) && other.isolate === target.isolate,
  )
  if (!isCounted) startLate(target)
}

const counts = ({ isCounting, isGone }: Target): boolean => isCounting && !isGone

async function readTarget(target: Target): Promise<readonly RawScript[]> {
  if (!counts(target)) return []
  // It may be in another process than the last time, where the same numbers are those of other scripts.
  const isolate = target.isWorker ? Promise.resolve(target.isolate) : readIsolate(target)
  const answer = await target.session
    .send<{ result: readonly (Omit<RawScript, 'key'> & { scriptId: string })[] }>(
      'Profiler.takePreciseCoverage',
    )
    .catch(() => undefined)
  const id = await isolate
  return (answer?.result ?? []).flatMap(({ scriptId, url, functions }) =>
    // The driver's own scripts have none.
    url === '' ? [] : { key: `${id} ${scriptId}`, url, functions },
  )
}

// A page that went to another process, or was closed, stopped the counters of those that stayed in its isolate.
async function repairCounters(targets: Set<Target>): Promise<void> {
  const pages = [...targets].filter(({ isWorker }) => !isWorker)
  const isolates = await Promise.all(pages.map((target) => (target.isGone ? '' : readIsolate(target))))
  const left = new Set<string>()
  pages.forEach((target, index) => {
    if (target.isCounting && target.isolate !== isolates[index]) left.add(target.isolate)
    target.isolate = isolates[index] ?? ''
  })
  for (const target of targets) if (target.isGone) targets.delete(target)
  for (const target of targets) {
    if (target.isWorker || target.isolate === '') continue
    const others = [...targets].filter((other) => other !== target && other.isolate === target.isolate)
    if (!left.has(target.isolate) && (target.isCounting || others.some(counts))) continue
    left.delete(target.isolate)
    startLate(target)
  }
}
