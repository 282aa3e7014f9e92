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
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { startTimer } from '../../runtime/calls/timer.ts'

/** `computing`: its script uses a processor and lets nothing else run. `idle`: its processes have nothing to do, as while a navigation is
 * pending that never commits. `unknown`: it may wait for a processor, or for the browser itself. */
export type SilenceReason = 'computing' | 'idle' | 'unknown'

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
  const watching = new AbortController()
  const poll = { pause: () => pause(watching.signal), isOver: () => watching.signal.aborted }
  const browser = page.context().browser()
  const reasons = cdp
    ? [watchScript(cdp, silence, poll), watchIdle(browser, poll)]
    : browser
      ? [watchContentProcesses(browser, poll)]
      : []
  const limit = startLimit(patienceMs, watching.signal)
  try {
    return await Promise.race([answer, limit, ...reasons])
  } finally {
    watching.abort()
  }
}

// --- internal ---

interface Poll {
  pause(): Promise<void>
  isOver(): boolean
}

// Without a reason a watch never ends: the limit decides.
const never = new Promise<never>(() => {})

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = startTimer(POLL_INTERVAL_MS, resolve)
    signal.addEventListener('abort', () => (timer.stop(), resolve()), { once: true })
  })

const startLimit = (patienceMs: number, signal: AbortSignal): Promise<'unknown'> =>
  new Promise((resolve) => {
    const timer = startTimer(patienceMs, () => resolve('unknown'))
    signal.addEventListener('abort', () => timer.stop(), { once: true })
  })

// Chromium answers this command in the middle of a script, and no other time than in one while a question that was asked before waits.
async function watchScript(cdp: CdpSession, silence: Silence, poll: Poll): Promise<'computing'> {
  let first = Infinity
  while (!poll.isOver()) {
    const now = await readThreadTime(cdp)
    if (now !== undefined) {
      // A page that goes on in another process starts anew.
      first = Math.min(first, now)
      silence.threadMs = Math.min(silence.threadMs ?? now, now)
      if (now - silence.threadMs >= COMPUTING_PROCESSOR_MS && now - first >= RENEWED_PROCESSOR_MS)
        return 'computing'
    }
    await poll.pause()
  }
  return never
}

/** Milliseconds that the page's main thread has run. */
async function readThreadTime(cdp: CdpSession): Promise<number | undefined> {
  const answer = await cdp.send('Performance.getMetrics').catch(() => undefined)
  const seconds = answer?.metrics.find(({ name }) => name === 'ThreadTime')?.value
  return seconds === undefined ? undefined : seconds * 1000
}

async function watchIdle(browser: Browser | null, poll: Poll): Promise<'idle'> {
  const session = await browser?.newBrowserCDPSession().catch(() => undefined)
  if (!session) return never
  const activity = new Map<number, number>()
  let idleMs = 0
  while (!poll.isOver() && idleMs < IDLE_AFTER_MS) {
    const processes = await settleWithin(COMMAND_TIMEOUT_MS, readChromiumProcesses(session))
    const known = processes === undefined || processes instanceof Error ? [] : processes
    const renderers = known.filter(({ type }) => type === 'renderer')
    const isIdle = renderers.map((renderer) => isIdleSince(activity, renderer)).every(Boolean)
    idleMs = isIdle && renderers.length > 0 ? idleMs + POLL_INTERVAL_MS : 0
    await poll.pause()
  }
  void session.detach().catch(() => {})
  return poll.isOver() ? never : 'idle'
}

/** Whether a process neither ran nor, where that is known, waited for a processor since its activity was recorded; records it. */
function isIdleSince(recorded: Map<number, number>, { id, cpuTime }: ChromiumProcess): boolean {
  const { runMs, waitMs } = readActivity(id) ?? { runMs: cpuTime * 1000, waitMs: 0 }
  const isIdle = runMs + waitMs - (recorded.get(id) ?? -Infinity) < IDLE_ACTIVITY_MS
  recorded.set(id, runMs + waitMs)
  return isIdle
}

// Which of Firefox's processes a page is in is not known. Nothing is terminated there.
async function watchContentProcesses(browser: Browser, poll: Poll): Promise<'computing'> {
  const first = new Map<number, number>()
  while (!poll.isOver()) {
    for (const pid of findFirefoxContentProcesses(browser)) {
      const { runMs } = readMainThreadActivity(pid)
      if (!first.has(pid)) first.set(pid, runMs)
      if (runMs - (first.get(pid) ?? runMs) >= COMPUTING_PROCESSOR_MS) return 'computing'
    }
    await poll.pause()
  }
  return never
}
