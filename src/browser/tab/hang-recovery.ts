// A page whose script never ends answers nothing. Stopping that script frees it with its address and DOM kept; but the channel
// for that must have been opened before, because a hung page accepts no new one.

import type { Page } from 'playwright'
import { openCdpSession, type CdpSession } from '../playwright/cdp-session.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

export interface HangRecovery {
  /** Asks the page for a sign: true, the error of one that refuses, undefined where there is none within so many milliseconds. */
  ask(ms: number): Promise<true | Error | undefined>
  /** Frees the page if it does not answer. */
  run(): Promise<'answering' | 'freed' | 'stuck'>
  /** The channel itself, for what only Chromium can do. */
  readonly cdp: Promise<CdpSession | undefined>
}

// A page that is stopped loses what its script was doing, so a slow machine must not look like a hung page.
const SIGN_TIMEOUT_MS = 1000
const COMMAND_TIMEOUT_MS = 250

/** Opens the channel. Only Chromium has one; elsewhere a hung page stays stuck until its session is closed. */
export function prepareHangRecovery(page: Page): HangRecovery {
  const opening = isChromium(page) ? openCdpSession(page) : Promise.resolve(undefined)
  const sign = async () => {
    const cdp = await opening
    await (cdp ? cdp.send('Runtime.evaluate', { expression: '1' }) : page.evaluate('1'))
    return true as const
  }
  const ask = (ms: number) => settleWithin(ms, sign())
  const answers = async () => (await ask(SIGN_TIMEOUT_MS)) !== undefined
  return {
    cdp: opening,
    ask,
    async run() {
      if (await answers()) return 'answering'
      const opened = await settleWithin(COMMAND_TIMEOUT_MS, opening)
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
export async function giveUpNavigation(page: Page, { cdp }: HangRecovery): Promise<void> {
  const opened = await cdp
  await (opened ? stopLoading(opened) : settleWithin(COMMAND_TIMEOUT_MS, page.evaluate('window.stop()')))
}

const stopLoading = (cdp: CdpSession): Promise<unknown> =>
  settleWithin(COMMAND_TIMEOUT_MS, cdp.send('Page.stopLoading'))

export const isChromium = (page: Page): boolean =>
  page.context().browser()?.browserType().name() === 'chromium'
