// A browser that has stopped answering looks like one that is slow, to everything that waits for it. So it is asked now and then while
// sessions use it, and one that does not answer is killed: its sessions learn that at once, and the next ones get a new browser.

import { readFileSync } from 'node:fs'
import process from 'node:process'
import type { Browser, CDPSession } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

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
    void browser.close().catch(() => {})
  }, EVERY)
  timer.unref?.()
  browser.once('disconnected', () => clearInterval(timer))
}

const answersTo = async (channel: CDPSession): Promise<boolean> =>
  (await settleWithin(PATIENCE, channel.send('Browser.getVersion'))) !== undefined

/** The processor time of a process so far, in ticks, or undefined where that is not told. */
function workOf(pid: number): number | undefined {
  const fields = statOf(pid)
  return fields && Number(fields[11]) + Number(fields[12])
}

/** The fields of a process's state after its name. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')
  } catch {
    return undefined
  }
}

async function pidOf(channel: CDPSession): Promise<number | undefined> {
  const told = await settleWithin(PATIENCE, channel.send('SystemInfo.getProcessInfo'))
  if (told === undefined || told instanceof Error) return undefined
  return told.processInfo.find(({ type }) => type === 'browser')?.id
}

// A wrapper that started the browser for us may hold our end of the pipe open, so what stands between it and us ends too.
function kill(pid: number): void {
  for (const one of lineage(pid)) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // it is gone already
    }
  }
}

/** A process and those above it, below our own. Where parents are told and none is ours, the number means another process here. */
function lineage(pid: number): number[] {
  if (statOf(process.pid) === undefined) return [pid]
  const above: number[] = []
  for (let one = pid; one > 1; one = parentOf(one)) {
    if (one === process.pid) return above
    above.push(one)
  }
  return []
}

const parentOf = (pid: number): number => Number(statOf(pid)?.[1] ?? 0)
