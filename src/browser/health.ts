// A browser that has stopped answering looks like one that is slow, to everything that waits for it. So it is asked now and then while
// sessions use it, and one that does not answer is killed: its sessions learn that at once, and the next ones get a new browser.

import process from 'node:process'
import type { Browser, CDPSession } from 'playwright'
import { soon } from './soon.ts'

const EVERY = 1500
const PATIENCE = 1500

/** Asks `browser` as long as it lives. Only Chromium can be asked so, and only one of this machine be killed. */
export async function watchHealth(browser: Browser, onDeaf: () => void): Promise<void> {
  if (browser.browserType().name() !== 'chromium') return
  const channel = await browser.newBrowserCDPSession().catch(() => undefined)
  const pid = channel && (await pidOf(channel))
  if (!channel || pid === undefined) return
  let asking = false
  const timer = setInterval(async () => {
    if (asking || browser.contexts().length === 0) return
    asking = true
    // Twice, because a machine that stood still for a moment makes one question look unanswered.
    const deaf = !(await answers(channel)) && !(await answers(channel))
    asking = false
    if (!deaf || !browser.isConnected()) return
    clearInterval(timer)
    onDeaf()
    kill(pid)
  }, EVERY)
  timer.unref?.()
  browser.once('disconnected', () => clearInterval(timer))
}

const answers = async (channel: CDPSession): Promise<boolean> =>
  (await soon(PATIENCE, channel.send('Browser.getVersion'))) !== undefined

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
