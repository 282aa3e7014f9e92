// A page whose script never ends answers nothing. Terminating that script frees the page with its URL and DOM kept; but the CDP session
// for that must have been opened before, because a hung page accepts no new one.

import type { Page } from 'playwright'
import { createHangLocation } from './hang-location.ts'
import { awaitAnswer, type Silence } from './hang-proof.ts'
import { openCdpSession, type CdpSession } from '../playwright/cdp-session.ts'
import { isChromium } from '../playwright/engine.ts'
import type { PageState } from '../../runtime/ports/browsers.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

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
