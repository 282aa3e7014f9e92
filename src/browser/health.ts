// A browser that has stopped answering looks like one that is slow, to everything that waits for it. So it is asked now and then while
// sessions use it, and one that does not answer is killed: its sessions learn that at once, and the next ones get a new browser.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Browser, CDPSession } from 'playwright'
import { soon } from './soon.ts'

const EVERY = 1500
const PATIENCE = 1500

/** Milliseconds without a word after which even a busy browser is given up. */
const SILENCE = 12_000

/** Asks `browser` as long as it lives; `heard` is when it last said anything (performance.now()). Only Chromium can be asked so, and
 * only one of this machine be killed. */
export async function watchHealth(browser: Browser, heard: () => number, onDeaf: () => void): Promise<void> {
  if (browser.browserType().name() !== 'chromium') return
  const channel = await browser.newBrowserCDPSession().catch(() => undefined)
  const pid = channel && (await pidOf(channel))
  if (!channel || pid === undefined) return
  let asking = false
  let answered = performance.now()
  const timer = setInterval(async () => {
    if (asking || browser.contexts().length === 0) return
    asking = true
    const before = workOf(pid)
    // Twice, because a machine that stood still for a moment makes one question look unanswered.
    const answers = (await answersTo(channel)) || (await answersTo(channel))
    asking = false
    if (answers) answered = performance.now()
    if (answers || !browser.isConnected()) return
    // One that works may have its answer behind ten thousand lines of a page's console; one that does not has none to give.
    const idle = before !== undefined && workOf(pid) === before
    const silent = performance.now() - Math.max(answered, heard()) > SILENCE
    if (!idle && !silent) return
    clearInterval(timer)
    onDeaf()
    kill(pid)
  }, EVERY)
  timer.unref?.()
  browser.once('disconnected', () => clearInterval(timer))
}

const answersTo = async (channel: CDPSession): Promise<boolean> =>
  (await soon(PATIENCE, channel.send('Browser.getVersion'))) !== undefined

/** The processor time of a process so far, in ticks, or undefined where that is not told. */
function workOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return undefined
  }
}

async function pidOf(channel: CDPSession): Promise<number | undefined> {
  const told = await soon(PATIENCE, channel.send('SystemInfo.getProcessInfo'))
  if (told === undefined || told instanceof Error) return undefined
  return told.processInfo.find(({ type }) => type === 'browser')?.id
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it is gone already
  }
}
