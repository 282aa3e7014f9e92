// A page whose script never ends answers nothing. Stopping that script frees it with its address and DOM kept; but the channel
// for that must have been opened before, because a hung page accepts no new one.

import type { Page } from 'playwright'
import { openChannel, type Channel } from '../playwright/cdp-session.ts'
import { soon } from '../../runtime/calls/settle-within.ts'

export interface Rescue {
  /** Asks the page for a sign: true, the error of one that refuses, undefined where there is none within so many milliseconds. */
  ask(ms: number): Promise<true | Error | undefined>
  /** Frees the page if it does not answer. */
  run(): Promise<'answering' | 'freed' | 'stuck'>
  /** The channel itself, for what only Chromium can do. */
  readonly channel: Promise<Channel | undefined>
}

// A page that is stopped loses what its script was doing, so a slow machine must not look like a hung page.
const SIGN_TIMEOUT_MS = 1000
const COMMAND_TIMEOUT_MS = 250

/** Opens the channel. Only Chromium has one; elsewhere a hung page stays stuck until its session is closed. */
export function prepareRescue(page: Page): Rescue {
  const opening = isChromium(page) ? openChannel(page) : Promise.resolve(undefined)
  const sign = async () => {
    const channel = await opening
    await (channel ? channel.send('Runtime.evaluate', { expression: '1' }) : page.evaluate('1'))
    return true as const
  }
  const ask = (ms: number) => soon(ms, sign())
  const answers = async () => (await ask(SIGN_TIMEOUT_MS)) !== undefined
  return {
    channel: opening,
    ask,
    async run() {
      if (await answers()) return 'answering'
      const opened = await soon(COMMAND_TIMEOUT_MS, opening)
      if (!opened || opened instanceof Error) return 'stuck'
      opened.send('Runtime.terminateExecution').catch(() => {})
      if (await answers()) return 'freed'
      // Chromium also answers nothing while a page is on its way that does not come.
      await stopLoading(opened)
      return (await answers()) ? 'freed' : 'stuck'
    },
  }
}

/** Gives up a navigation that is under way; the page before it stays. A browser that is too busy to say so is not waited for. */
export async function giveUpNavigation(page: Page, { channel }: Rescue): Promise<void> {
  const opened = await channel
  await (opened ? stopLoading(opened) : soon(COMMAND_TIMEOUT_MS, page.evaluate('window.stop()')))
}

const stopLoading = (channel: Channel): Promise<unknown> =>
  soon(COMMAND_TIMEOUT_MS, channel.send('Page.stopLoading'))

export const isChromium = (page: Page): boolean =>
  page.context().browser()?.browserType().name() === 'chromium'
