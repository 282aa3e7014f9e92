// Why a page does not respond. A page whose script is terminated loses what it was doing, and a slow machine looks like a script that
// never ends; so the processor time that the script uses is the proof.

import type { Browser, Page } from 'playwright'
import {
  findFirefoxContentProcesses,
  readActivity,
  readChromiumProcesses,
  readMainThreadActivity,
  type ChromiumProcess,
} from '../playwright/browser-processes.ts'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { isNavigating } from '../playwright/internals.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { startTimer } from '../../runtime/calls/timer.ts'

/** `computing`: its script uses a processor and lets nothing else run. `waiting`: it waits for a response, a processor, or the browser. */
export type SilenceReason = 'computing' | 'waiting'

/** The processor time of the page's main thread when it was first asked what it has not answered yet. Later calls that wait for it go on from
 * there, so that a slow machine needs no long call to prove that a script never ends. */
export interface Silence {
  threadMs?: number
}

const COMPUTING_PROCESSOR_MS = 2000
// An answer that was lost does not make a page that works look hung.
const RENEWED_PROCESSOR_MS = 200
const IDLE_AFTER_MS = 2000
const IDLE_ACTIVITY_MS = 20
const PATIENCE_MS = 30_000
const POLL_INTERVAL_MS = 250
const COMMAND_TIMEOUT_MS = 250

/** Waits for the answer of a page, or until the reason why it does not come is known. */
export async function awaitAnswer(
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

// --- internal ---

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

// A page that has nothing to do, or begins to load another document, is not waited for as long as one that a slow machine holds up.
async function watchIdle(page: Page, browser: Browser | null, watch: Watch): Promise<SilenceReason> {
  const session = await browser?.newBrowserCDPSession().catch(() => undefined)
  const activity = new Map<number, number>()
  let idleMs = 0
  while (!watch.isOver && idleMs < IDLE_AFTER_MS) {
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
  const processes = await settleWithin(COMMAND_TIMEOUT_MS, readChromiumProcesses(session))
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
  while (!watch.isOver) {
    for (const pid of findFirefoxContentProcesses(browser)) {
      const { runMs } = readMainThreadActivity(pid)
      if (!first.has(pid)) first.set(pid, runMs)
      if (runMs - (first.get(pid) ?? runMs) >= COMPUTING_PROCESSOR_MS) return 'computing'
    }
    await pause()
  }
  return 'waiting'
}
