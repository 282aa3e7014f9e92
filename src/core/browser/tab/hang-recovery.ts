// A page whose script never ends answers nothing. Terminating that script frees the page with its URL and DOM kept; but the CDP session
// for that must have been opened before, because a hung page accepts no new one.

import type { Page, Browser } from 'playwright'
import { openCdpSession, type CdpSession } from '../playwright/cdp-session.ts'
import { isChromium } from '../playwright/engine.ts'
import type { PageState } from '../../sessions/types/browsers.ts'
import { settleWithin, createDeferred, type Deferred } from '../../base/system/settle-within.ts'
import { createBoundedMap } from '../../base/bounded-collections.ts'
import {
  findFirefoxContentProcesses,
  isBrowserStopped,
  readActivity,
  readChromiumProcesses,
  readMainThreadActivity,
  type ChromiumProcess,
} from '../playwright/browser-processes.ts'
import { isNavigating } from '../playwright/internals.ts'
import { startTimer } from '../../base/system/timer.ts'
import { stackLineOf } from '../network/request-initiators.ts'

export interface HangRecovery {
  /** Evaluates a constant in the page: true, the error of a page that rejects it, undefined without an answer in time. */
  ping(timeoutMs: number): Promise<true | Error | undefined>
  /** Waits for an answer of the page, and frees it if a script blocks it. `onLocated` gets the stack of that script, one frame a line, if it
   * is known. */
  recover(onLocated?: (stack: string) => void): Promise<PageState>
  /** The CDP session of the page; undefined outside Chromium. */
  readonly cdp: Promise<CdpSession | undefined>
}

const FREED_TIMEOUT_MS = 5000
const LEAVE_PING_TIMEOUT_MS = 1000
const COMMAND_TIMEOUT_MS = 250

/** Opens the CDP session. Only Chromium has one; elsewhere a hung page stays stuck until its session is closed. */
export function createHangRecovery(page: Page, patienceMs?: number): HangRecovery {
  const opening = isChromium(page) ? openCdpSession(page) : Promise.resolve(undefined)
  const evaluateConstant = async () => {
    const cdp = await opening
    await (cdp ? cdp.send('Runtime.evaluate', { expression: '1' }) : page.evaluate('1'))
    return true as const
  }
  const location = createHangLocation()
  const ping = (timeoutMs: number) => settleWithin(timeoutMs, evaluateConstant())
  let silence: Silence = {}
  const ask = () => {
    const onAnswer = () => {
      silence = {}
      return 'answering' as const
    }
    return evaluateConstant().then(onAnswer, onAnswer)
  }
  return {
    cdp: opening,
    ping,
    async recover(onLocated) {
      const session = await settleWithin(COMMAND_TIMEOUT_MS, opening)
      const cdp = session instanceof Error ? undefined : session
      const state = await awaitAnswer(page, cdp, ask(), silence, patienceMs)
      if (state === 'answering') return state
      if (state === 'waiting') return 'silent'
      if (!cdp) return 'stuck'
      const stack = await location.readStack(cdp)
      terminate(cdp, stack !== undefined)
      if ((await ping(FREED_TIMEOUT_MS)) === undefined) return 'stuck'
      if (stack) onLocated?.(stack)
      location.arm(cdp)
      return 'freed'
    },
  }
}

function terminate(cdp: CdpSession, isPaused: boolean): void {
  const termination = isPaused
    ? cdp.send('Debugger.resume', { terminateOnResume: true })
    : cdp.send('Runtime.terminateExecution')
  termination.catch(() => {})
}

/** Prepares a page to be left. One whose script never ends would have to be freed first; nor does one respond while it navigates, which the
 * next navigation aborts anyway. */
export async function freeToLeave(page: Page, recovery: HangRecovery): Promise<void> {
  if (!(await recovery.cdp) || (await recovery.ping(LEAVE_PING_TIMEOUT_MS))) return
  await abortNavigation(page, recovery)
  await recovery.recover()
}

/** Aborts a pending navigation; the current page stays. A browser that is too busy to answer is not waited for. */
export async function abortNavigation(page: Page, { cdp }: HangRecovery): Promise<void> {
  const session = await cdp
  await (session ? stopLoading(session) : settleWithin(COMMAND_TIMEOUT_MS, page.evaluate('window.stop()')))
}

const stopLoading = (cdp: CdpSession): Promise<unknown> =>
  settleWithin(COMMAND_TIMEOUT_MS, cdp.send('Page.stopLoading'))

// --- internal ---

// The place where a script blocks a page. Chromium tells it only if the debugger of the page was enabled before. An enabled debugger slows down
// each script that is loaded, and promises. So it is enabled once a page has been blocked; the place is known the next time.
interface HangLocation {
  /** Enables the debugger. */
  arm(cdp: CdpSession): void
  /** Stops a script that blocks the page, and returns its stack, one frame a line, which is empty for a script without a URL. The script stays
   * stopped. Undefined if it is not stopped. */
  readStack(cdp: CdpSession): Promise<string | undefined>
}

interface PausedEvent {
  readonly callFrames: readonly {
    readonly functionName: string
    readonly location: {
      readonly scriptId: string
      readonly lineNumber: number
      readonly columnNumber?: number
    }
  }[]
}

const PAUSE_TIMEOUT_MS = 500
const FRAME_LIMIT = 8
const URL_LIMIT_CHARS = 500
const SCRIPT_LIMIT = 5000

function createHangLocation(): HangLocation {
  let isArmed = false
  const urls = createBoundedMap<string, string>(SCRIPT_LIMIT)
  let reading: Deferred<PausedEvent> | undefined
  return {
    arm(cdp) {
      if (isArmed) return
      isArmed = true
      // A script that stops while nobody waits for its place goes on at once.
      cdp.on('Debugger.paused', (event: PausedEvent) => {
        if (reading) reading.resolve(event)
        else cdp.send('Debugger.resume').catch(() => {})
      })
      cdp.on('Debugger.scriptParsed', ({ scriptId, url }: { scriptId: string; url: string }) => {
        if (url !== '' && url.length <= URL_LIMIT_CHARS) urls.set(scriptId, url)
      })
      // A `debugger` statement of the page must not stop it.
      cdp.send('Debugger.enable').catch(() => {})
      cdp.send('Debugger.setBreakpointsActive', { active: false }).catch(() => {})
    },
    async readStack(cdp) {
      if (!isArmed) return undefined
      reading = createDeferred<PausedEvent>()
      cdp.send('Debugger.pause').catch(() => {})
      const event = await settleWithin(PAUSE_TIMEOUT_MS, reading.promise)
      reading = undefined
      return event && !(event instanceof Error) ? formatStack(event, urls) : undefined
    },
  }
}

const formatStack = ({ callFrames }: PausedEvent, urls: Pick<Map<string, string>, 'get'>): string =>
  callFrames
    .flatMap(({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) => {
      const url = urls.get(scriptId)
      return url === undefined ? [] : [stackLineOf({ functionName, url, lineNumber, columnNumber })]
    })
    .slice(0, FRAME_LIMIT)
    .join('\n')

// Why a page does not respond. A page whose script is terminated loses what it was doing, and a slow machine looks like a script that
// never ends; so the processor time that the script uses is the proof.
/** `computing`: its script uses a processor and lets nothing else run. `waiting`: it waits for a response, a processor, or the browser. */
type SilenceReason = 'computing' | 'waiting'

/** The processor time of the page's main thread when it was first asked what it has not answered yet. Later calls that wait for it go on from
 * there, so that a slow machine needs no long call to prove that a script never ends. */
interface Silence {
  threadMs?: number
}

const COMPUTING_PROCESSOR_MS = 2000
// An answer that was lost does not make a page that works look hung.
const RENEWED_PROCESSOR_MS = 200
const IDLE_AFTER_MS = 2000
const IDLE_ACTIVITY_MS = 20
const PATIENCE_MS = 30_000
const POLL_INTERVAL_MS = 250
const PROOF_COMMAND_TIMEOUT_MS = 250

/** Waits for the answer of a page, or until the reason why it does not come is known. */
async function awaitAnswer(
  page: Page,
  cdp: CdpSession | undefined,
  answer: Promise<'answering'>,
  silence: Silence,
  patienceMs = PATIENCE_MS,
): Promise<'answering' | SilenceReason> {
  const watch: Watch = { isOver: false }
  const browser = page.context().browser()
  const reasons = cdp
    ? [watchScript(cdp, silence, watch), watchIdle(page, browser, watch)]
    : browser
      ? [watchContentProcesses(browser, watch)]
      : []
  const limit = createDeferred<'waiting'>()
  const timer = startTimer(patienceMs, () => limit.resolve('waiting'))
  const state = await Promise.race([answer, limit.promise, ...reasons])
  timer.stop()
  watch.isOver = true
  return state
}

/** What the watches of a page have in common: each goes on until one of them, or the answer, has decided. */
interface Watch {
  isOver: boolean
}

const pause = (): Promise<void> => new Promise((resolve) => void startTimer(POLL_INTERVAL_MS, resolve))

// While an earlier question has no answer, Chromium answers this command only from the middle of a script.
async function watchScript(cdp: CdpSession, silence: Silence, watch: Watch): Promise<SilenceReason> {
  let first = Infinity
  while (!watch.isOver) {
    const now = await readThreadTime(cdp)
    if (now !== undefined) {
      // A page that goes on in another process starts anew.
      first = Math.min(first, now)
      silence.threadMs = Math.min(silence.threadMs ?? now, now)
      if (now - silence.threadMs >= COMPUTING_PROCESSOR_MS && now - first >= RENEWED_PROCESSOR_MS)
        return 'computing'
    }
    await pause()
  }
  return 'waiting'
}

/** Milliseconds that the page's main thread has run. */
async function readThreadTime(cdp: CdpSession): Promise<number | undefined> {
  const answer = await cdp.send('Performance.getMetrics').catch(() => undefined)
  const seconds = answer?.metrics.find(({ name }) => name === 'ThreadTime')?.value
  return seconds === undefined ? undefined : seconds * 1000
}

const NO_SESSION = Promise.resolve(undefined)

// A page that has nothing to do, or begins to load another document, is not waited for as long as one that a slow machine holds up.
async function watchIdle(page: Page, browser: Browser | null, watch: Watch): Promise<SilenceReason> {
  const isStopped = () => browser !== null && isBrowserStopped(browser)
  // One that is stopped opens none.
  const opening = await settleWithin(PROOF_COMMAND_TIMEOUT_MS, browser?.newBrowserCDPSession() ?? NO_SESSION)
  const session = opening instanceof Error ? undefined : opening
  const activity = new Map<number, number>()
  let idleMs = 0
  while (!watch.isOver && idleMs < IDLE_AFTER_MS && !isStopped()) {
    const isIdle =
      isNavigating(page.mainFrame()) || (session !== undefined && (await areRenderersIdle(session, activity)))
    idleMs = isIdle ? idleMs + POLL_INTERVAL_MS : 0
    await pause()
  }
  void session?.detach().catch(() => {})
  return 'waiting'
}

// CDP does not say which renderer a page is in.
async function areRenderersIdle(
  session: Pick<CdpSession, 'send'>,
  activity: Map<number, number>,
): Promise<boolean> {
  const processes = await settleWithin(PROOF_COMMAND_TIMEOUT_MS, readChromiumProcesses(session))
  if (processes === undefined || processes instanceof Error) return false
  const renderers = processes.filter(({ type }) => type === 'renderer')
  const areIdle = renderers.map((renderer) => isIdleSince(activity, renderer))
  return areIdle.length > 0 && areIdle.every(Boolean)
}

/** Whether a process neither ran nor, where that is known, waited for a processor since its activity was recorded; records it. */
function isIdleSince(recorded: Map<number, number>, { id, cpuTime }: ChromiumProcess): boolean {
  const { runMs, waitMs } = readActivity(id) ?? { runMs: cpuTime * 1000, waitMs: 0 }
  const isIdle = runMs + waitMs - (recorded.get(id) ?? -Infinity) < IDLE_ACTIVITY_MS
  recorded.set(id, runMs + waitMs)
  return isIdle
}

// Which of Firefox's processes a page is in is not known. Nothing is terminated there.
async function watchContentProcesses(browser: Browser, watch: Watch): Promise<SilenceReason> {
  const first = new Map<number, number>()
  while (!watch.isOver && !isBrowserStopped(browser)) {
    for (const pid of findFirefoxContentProcesses(browser)) {
      const { runMs } = readMainThreadActivity(pid)
      if (!first.has(pid)) first.set(pid, runMs)
      if (runMs - (first.get(pid) ?? runMs) >= COMPUTING_PROCESSOR_MS) return 'computing'
    }
    await pause()
  }
  return 'waiting'
}
