// A browser that has stopped answering looks like a slow one to everything that waits for it. So it is pinged while sessions use it,
// and killed if it does not answer: its sessions fail at once, and the next ones get a new browser.

import process from 'node:process'
import type { Browser, CDPSession } from 'playwright'
import { readActivity, readChromiumProcesses, readParent } from '../playwright/browser-processes.ts'
import { engineOfBrowser } from '../playwright/engine.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

const CHECK_INTERVAL_MS = 1500
const PING_TIMEOUT_MS = 1500

/** A browser with less activity than this during two pings is idle. */
const IDLE_LIMIT_MS = 20

/** Without any event for this time even a busy browser is killed. */
const SILENCE_LIMIT_MS = 12_000

/** Pings `browser` until it disconnects. `lastEventAt` returns when it last sent an event (performance.now()). Only Chromium has a
 * command to ping, and only a local process can be killed. */
export async function watchHealth(
  browser: Browser,
  lastEventAt: () => number,
  onUnresponsive: () => void,
): Promise<void> {
  if (engineOfBrowser(browser) !== 'chromium') return
  const session = await browser.newBrowserCDPSession().catch(() => undefined)
  const pid = session && (await browserPid(session))
  if (!session || pid === undefined) return
  let isChecking = false
  let lastAnswerAt = performance.now()
  const timer = setInterval(async () => {
    if (isChecking || browser.contexts().length === 0) return
    isChecking = true
    const activityBefore = readActivityMs(pid)
    // Twice, because a machine that stood still for a moment makes one ping look unanswered.
    const isAnswered = (await ping(session)) || (await ping(session))
    isChecking = false
    if (isAnswered) lastAnswerAt = performance.now()
    if (isAnswered || !browser.isConnected()) return
    // The answer of a busy browser may be queued behind ten thousand lines of a page's console; an idle one has none to give. One that
    // waits for a processor on an overloaded machine is not idle either.
    const activity = readActivityMs(pid)
    const isIdle =
      activityBefore !== undefined &&
      activity !== undefined &&
      Math.abs(activity - activityBefore) < IDLE_LIMIT_MS
    const isSilent = performance.now() - Math.max(lastAnswerAt, lastEventAt()) > SILENCE_LIMIT_MS
    if (!isIdle && !isSilent) return
    clearInterval(timer)
    onUnresponsive()
    killWithWrappers(pid)
    void browser.close().catch(() => {})
  }, CHECK_INTERVAL_MS)
  timer.unref?.()
  browser.once('disconnected', () => clearInterval(timer))
}

// --- internal ---

const ping = async (session: CDPSession): Promise<boolean> =>
  (await settleWithin(PING_TIMEOUT_MS, session.send('Browser.getVersion'))) !== undefined

async function browserPid(session: CDPSession): Promise<number | undefined> {
  const processes = await settleWithin(PING_TIMEOUT_MS, readChromiumProcesses(session))
  if (processes === undefined || processes instanceof Error) return undefined
  return processes.find(({ type }) => type === 'browser')?.id
}

/** How long a process has run or waited for a processor so far. */
function readActivityMs(pid: number): number | undefined {
  const activity = readActivity(pid)
  return activity && activity.runMs + activity.waitMs
}

// A wrapper script that started the browser may hold our end of the pipe open, so the processes between it and us are killed too.
function killWithWrappers(pid: number): void {
  for (const target of withAncestors(pid)) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It has exited already.
    }
  }
}

/** A process and its ancestors below our own process. Where the system reports parents and none is ours, the id belongs to an unrelated
 * process: a browser in another pid namespace. */
function withAncestors(pid: number): number[] {
  if (readParent(process.pid) === undefined) return [pid]
  const pids: number[] = []
  for (let current = pid; current > 1; current = readParent(current) ?? 0) {
    if (current === process.pid) return pids
    pids.push(current)
  }
  return []
}
