// A function that runs in the page's own world. Playwright would check and pack its argument and its value once more than is needed, so in
// Chromium it goes without; what is thrown is worded as Playwright does it.

import type { Page } from 'playwright'
import type { Channel } from './channel.ts'
import { worldOf } from './inner.ts'

/** Its value crosses as JSON does. The function's text is what travels. */
export async function runScript<T, A>(
  page: Page,
  channel: Channel | undefined,
  run: (arg: A) => T | Promise<T>,
  arg: A,
): Promise<T> {
  const executionContextId = channel && (await worldOf(page.mainFrame(), 'main'))
  if (!channel || executionContextId === undefined)
    return page.evaluate(run as (arg: unknown) => T | Promise<T>, arg)
  const call = {
    functionDeclaration: String(run),
    arguments: [{ value: arg }],
    executionContextId,
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  }
  const { result, exceptionDetails } = await channel.send('Runtime.callFunctionOn', call).catch(gone)
  if (!exceptionDetails) return result.value as T
  const { exception, text } = exceptionDetails
  throw new Error(`evaluate: Error: ${exception ? exception.description || String(exception.value) : text}`)
}

function gone(error: Error): never {
  if (/crashed|closed/i.test(error.message) && !/Inspected target/.test(error.message)) throw error
  throw new Error(
    /Promise was collected/.test(error.message)
      ? 'evaluate: Resulting promise was garbage collected.'
      : 'evaluate: Execution context was destroyed',
  )
}
