// A page whose script never ends answers nothing. Terminating that script frees the page with its URL and DOM kept; but the CDP session
// for that must have been opened before, because a hung page accepts no new one.

import type { Page } from 'playwright'
import { createHangLocation } from './hang-location.ts'
import { openCdpSession, type CdpSession } from '../playwright/cdp-session.ts'
import { isChromium } from '../playwright/engine.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

export interface HangRecovery {
  /** Evaluates a constant in the page: true, the error of a page that rejects it, undefined without an answer in time. */
  ping(timeoutMs: number): Promise<true | Error | undefined>
  /** Frees the page if it does not answer. `onLocated` gets the stack of the script that blocked it, one frame a line, if it is known. */
  recover(onLocated?: (stack: string) => void): Promise<'answering' | 'freed' | 'stuck'>
  /** The CDP session of the page; undefined outside Chromium. */
  readonly cdp: Promise<CdpSession | undefined>
}

// A page that is stopped loses what its script was doing, so a slow machine must not look like a hung page.
const HANG_PING_TIMEOUT_MS = 2000
const PING_TIMEOUT_MS = 1000
const LEAVE_PING_TIMEOUT_MS = 1000
const COMMAND_TIMEOUT_MS = 250

/** Opens the CDP session. Only Chromium has one; elsewhere a hung page stays stuck until its session is closed. */
export function createHangRecovery(page: Page): HangRecovery {
  const opening = isChromium(page) ? openCdpSession(page) : Promise.resolve(undefined)
  const evaluateConstant = async () => {
    const cdp = await opening
    await (cdp ? cdp.send('Runtime.evaluate', { expression: '1' }) : page.evaluate('1'))
    return true as const
  }
  const location = createHangLocation()
  const ping = (timeoutMs: number) => settleWithin(timeoutMs, evaluateConstant())
  const isAnswering = async (timeoutMs = PING_TIMEOUT_MS) => (await ping(timeoutMs)) !== undefined
  return {
    cdp: opening,
    ping,
    async recover(onLocated) {
      if (await isAnswering(HANG_PING_TIMEOUT_MS)) return 'answering'
      const cdp = await settleWithin(COMMAND_TIMEOUT_MS, opening)
      if (!cdp || cdp instanceof Error) return 'stuck'
      const stack = await location.readStack(cdp)
      const termination =
        stack === undefined
          ? cdp.send('Runtime.terminateExecution')
          : cdp.send('Debugger.resume', { terminateOnResume: true })
      termination.catch(() => {})
      if (await isAnswering()) {
        if (stack) onLocated?.(stack)
        location.arm(cdp)
        return 'freed'
      }
      // Chromium does not answer either while a navigation is pending that never commits.
      await stopLoading(cdp)
      return (await isAnswering()) ? 'freed' : 'stuck'
    },
  }
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
