// Playwright's errors as failures. Error names and codes are used where there are any; where only the message distinguishes two causes, it
// is matched here and nowhere else.

import { invalidParameter, type Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'

/** Awaits a promise of Playwright. `explain` turns its rejection into a failure. */
export async function attempt<T, E = Failure>(
  work: Promise<T>,
  explain: (error: Error) => E | Promise<E>,
): Promise<Result<T, E>> {
  try {
    return ok(await work)
  } catch (thrown) {
    return err(await explain(thrown instanceof Error ? thrown : new Error(String(thrown))))
  }
}

// A page can throw an error of any length.
const MESSAGE_LIMIT_CHARS = 20_000

/** Playwright's message without its call log, its `method: ` prefix and its ANSI colors. */
export const messageOf = (error: Error): string =>
  (stripColors(error.message.slice(0, MESSAGE_LIMIT_CHARS)).split(/\n(?:Call log|Browser logs):/)[0] ?? '')
    .replace(/^(?:\w+\.)?[a-z]\w*: (?:Error: )?/, '')
    .trim()

export const stripColors = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '')

export const isTimeout = (error: Error): boolean => error.name === 'TimeoutError'

/** The error of a wait that was ended because the page had been quiet for `quietMs`: a timeout with the log of the wait. */
export const quietTimeout = ({ message }: Error, quietMs: number): Error =>
  Object.assign(new Error(message), { name: 'TimeoutError', quietMs })

/** How long the page had been quiet when that ended the wait, in milliseconds; undefined for other errors. */
export const quietTimeOf = (error: Error): number | undefined =>
  'quietMs' in error && typeof error.quietMs === 'number' ? error.quietMs : undefined

export const isAborted = (error: Error): boolean => error.name === 'AbortError'

/** The document was replaced during the call; messages of Chromium and Firefox. */
export const isContextDestroyed = (error: Error): boolean =>
  /Execution context was destroyed|Cannot find context with specified id|no such frame|Inspected target navigated/i.test(
    error.message,
  )

/** The browser or its driver does not have the command: the error codes of WebDriver BiDi, the message of CDP, and Playwright's own. */
export const isUnsupported = (error: Error): boolean =>
  /unknown command|unsupported operation|wasn't found|not implemented|not supported/i.test(messageOf(error))

/** A browser with windows that cannot print. */
export const isHeadlessOnly = (error: Error): boolean => /headed|headless/i.test(messageOf(error))

/** The element was removed from its document before the action. */
export const isDetached = (error: Error): boolean => /not attached/.test(error.message)

/** The field does not accept a value of this format. */
export const isMalformedValue = (error: Error): boolean => /Malformed value/.test(messageOf(error))

/** The field accepts one file, and several were given. */
export const isSingleFileField = (error: Error): boolean => /Non-multiple file input/.test(messageOf(error))

/** Nothing matches the selector of a snapshot, which does not wait. */
export const matchesNothing = (error: Error): boolean => /does not match any element/.test(messageOf(error))

/** The click was delivered before the timeout: the page that it leads to is slow. */
export const isClickDelivered = (error: Error): boolean =>
  isTimeout(error) && /click action done|scheduled navigations/.test(error.message)

/** A selector that Playwright or the page could not parse, or that matches several elements where one is meant. */
export function selectorFailure(error: Error, selector: string): Failure | undefined {
  const text = messageOf(error)
  const received = JSON.stringify(selector)
  const violation = text.slice(Math.max(0, text.indexOf('strict mode violation: ')))
  const strictMatch = /^strict mode violation: .*? resolved to (\d+) elements:\n([\s\S]*)/.exec(violation)
  if (strictMatch) {
    const matches = (strictMatch[2] ?? '').split('\n').filter((line) => / aka /.test(line))
    const hint = matches.slice(0, 5).map((line) => line.trim().replace(/^\d+\) /, ''))
    const expected = 'a selector that matches one element'
    const received = `${JSON.stringify(selector)}, which matches ${strictMatch[1]}`
    return invalidParameter('selector', expected, received, hint.join('\n'))
  }
  if (!/while parsing|SyntaxError|Unknown engine|is not a valid|not a legal expression|Malformed/i.test(text))
    return undefined
  const expected = 'a valid CSS, XPath or Playwright selector'
  const hint = text.split('\n')[0] ?? ''
  return invalidParameter('selector', expected, received, hint)
}

/** The failure if nothing more precise is known. */
export const browserError = (error: Error): Failure => ({
  code: 'BROWSER_ERROR',
  text: messageOf(error).slice(0, 500),
})
