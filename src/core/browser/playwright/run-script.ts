// Runs a function in the main world of the page. Playwright would validate and serialize its argument and its value once more than needed,
// so in Chromium it is bypassed; errors get the same messages as Playwright's.

import type { Page } from 'playwright'
import type { CdpSession } from './cdp-session.ts'
import { contextIdOf } from './internals.ts'
import { isPromiseCollected, isTargetClosed, isTargetReplaced } from './errors.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

// The close event of a page may come after the error of its script.
const CLOSE_EVENT_TIMEOUT_MS = 100

/** The argument and the value are serialized as JSON. The function is sent as its source text. */
export async function runScript<T, A>(
  page: Page,
  cdp: CdpSession | undefined,
  run: (arg: A) => T | Promise<T>,
  arg: A,
): Promise<T> {
  // Playwright knows when the execution context of the page is ready.
  const executionContextId = cdp && (await contextIdOf(page.mainFrame(), 'main'))
  if (!cdp || executionContextId === undefined)
    return page.evaluate(run as (arg: unknown) => T | Promise<T>, arg)
  const command = {
    functionDeclaration: String(run),
    arguments: [{ value: arg }],
    executionContextId,
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  }
  const { result, exceptionDetails } = await cdp
    .send('Runtime.callFunctionOn', command)
    .catch((error: Error) => throwScriptError(page, error))
  if (!exceptionDetails) return result.value as T
  const { exception, text } = exceptionDetails
  throw new Error(`evaluate: Error: ${exception ? exception.description || String(exception.value) : text}`)
}

async function throwScriptError(page: Page, error: Error): Promise<never> {
  if ((isTargetClosed(error) || isTargetReplaced(error)) && !page.isClosed())
    await settleWithin(CLOSE_EVENT_TIMEOUT_MS, new Promise((resolve) => page.once('close', resolve)))
  if (isTargetClosed(error)) throw error
  throw new Error(
    isPromiseCollected(error)
      ? 'evaluate: Resulting promise was garbage collected.'
      : 'evaluate: Execution context was destroyed',
  )
}
