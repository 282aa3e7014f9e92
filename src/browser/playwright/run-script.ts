// A function that runs in the page's own world. Playwright would check and pack its argument and its value once more than is needed, so in
// Chromium it goes without; what is thrown is worded as Playwright does it.

import type { Page } from 'playwright'
import type { CdpSession } from './cdp-session.ts'
import { contextIdOf } from './internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

// Milliseconds in which a page that was closed under its script is known to be.
const CLOSING = 100

/** Its value crosses as JSON does, and so does its argument. The function's text is what travels. */
export async function runScript<T, A>(
  page: Page,
  cdp: CdpSession | undefined,
  run: (arg: A) => T | Promise<T>,
  arg: A,
): Promise<T> {
  // Playwright knows when the page's world is ready to be asked.
  const executionContextId = cdp && (await contextIdOf(page.mainFrame(), 'main'))
  if (!cdp || executionContextId === undefined)
    return page.evaluate(run as (arg: unknown) => T | Promise<T>, arg)
  const call = {
    functionDeclaration: String(run),
    arguments: [{ value: arg }],
    executionContextId,
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  }
  const { result, exceptionDetails } = await cdp
    .send('Runtime.callFunctionOn', call)
    .catch((error: Error) => gone(page, error))
  if (!exceptionDetails) return result.value as T
  const { exception, text } = exceptionDetails
  throw new Error(`evaluate: Error: ${exception ? exception.description || String(exception.value) : text}`)
}

async function gone(page: Page, error: Error): Promise<never> {
  if (/closed/.test(error.message) && !page.isClosed())
    await settleWithin(CLOSING, new Promise((resolve) => page.once('close', resolve)))
  if (/crashed|closed/.test(error.message) && !/Inspected target/.test(error.message)) throw error
  throw new Error(
    /Promise was collected/.test(error.message)
      ? 'evaluate: Resulting promise was garbage collected.'
      : 'evaluate: Execution context was destroyed',
  )
}
