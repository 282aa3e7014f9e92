// Playwright's errors as failures. Error names and codes are used where there are any; where only the message distinguishes two causes, it
// is matched here and nowhere else.

import { invalidParameter, type Failure } from '../../base/failure.ts'
import type { InvalidParameter } from '../../base/failure-records.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'

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

/** Playwright's message without its call log, its `method: ` prefix, the name of the protocol's command and its ANSI colors. */
export const messageOf = (error: Error): string =>
  (stripColors(error.message.slice(0, MESSAGE_LIMIT_CHARS)).split(/\n(?:Call log|Browser logs):/)[0] ?? '')
    .replace(/^(?:\w+\.)?[a-z]\w*: (?:Error: )?/, '')
    .replace(/^Protocol error \([\w.]+\): /, '')
    .trim()

export const stripColors = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '')

export const isTimeout = (error: Error): boolean => error.name === 'TimeoutError'

/** The error of a wait that was ended because the page had been quiet for `quietMs`: a timeout with the log of the wait. */
export const quietTimeout = ({ message }: Error, quietMs: number): Error =>
  Object.assign(new Error(message), { name: 'TimeoutError', quietMs })

/** How long the page had been quiet when that ended the wait, in milliseconds; undefined for other errors. */
const quietTimeOf = (error: Error): number | undefined =>
  'quietMs' in error && typeof error.quietMs === 'number' ? error.quietMs : undefined

export const isAborted = (error: Error): boolean => error.name === 'AbortError'

/** The document was replaced during the call; messages of Chromium and Firefox. */
export const isContextDestroyed = (error: Error): boolean =>
  /Execution context was destroyed|Cannot find context with specified id|no such frame|Inspected target navigated/i.test(
    error.message,
  )

/** The frame was removed during the call. */
export const isFrameDetached = (error: Error): boolean =>
  /Frame was detached|frame got detached/i.test(error.message)

/** The page, its context or its browser ended during the call; messages of Playwright and of CDP. */
export const isTargetClosed = (error: Error): boolean =>
  /crashed|closed/.test(error.message) && !isTargetReplaced(error)

/** The document of the command was replaced or closed; the message of CDP. */
export const isTargetReplaced = (error: Error): boolean => /Inspected target/.test(error.message)

/** The promise that a script returned can never settle, as nothing refers to it any more; the message of CDP. */
export const isPromiseCollected = (error: Error): boolean => /Promise was collected/.test(error.message)

/** The document was replaced while a script of the caller ran. An error that the script threw has its name first. */
export const isScriptInterrupted = (error: Error): boolean =>
  /^Execution context was destroyed/.test(messageOf(error))

/** Another navigation began before this one had ended. */
export const isNavigationInterrupted = (error: Error): boolean =>
  /interrupted by another navigation/.test(messageOf(error))

/** The browser gave the navigation up: it was replaced, or the response has no content. */
export const isNavigationAborted = (error: Error): boolean =>
  /net::ERR_ABORTED|NS_BINDING_ABORTED/.test(messageOf(error))

/** The URL is that of a download, so the page stays as it was. */
export const isDownloadStart = (error: Error): boolean =>
  /^Download is starting$|NS_BINDING_RETARGETED/.test(messageOf(error))

/** Why a navigation failed. Chromium: net::ERR_…; Firefox: NS_ERROR_…, the code of a module in brackets after it, or a word such as
 * deniedPortAccess. */
export function navigationErrorCode(error: Error): string {
  const text = messageOf(error)
  const code =
    /net::(ERR_\w+)|NS_ERROR_\w+\(NS_ERROR_MODULE_\w+, (\w+)\)|(NS_ERROR_\w+)|(SSL_ERROR_\w+)|(SEC_ERROR_\w+)|Error: (\w+) at /.exec(
      text,
    )
  return code?.slice(1).find(Boolean) ?? text.split('\n')[0]?.slice(0, 200) ?? 'unknown'
}

/** The browser or its driver does not have the command: the error codes of WebDriver BiDi, the message of CDP, and Playwright's own. */
export const isUnsupported = (error: Error): boolean =>
  /unknown command|unsupported operation|wasn't found|not implemented|not supported/i.test(messageOf(error))

/** Another page of the same process has set the time zone or the language of all of them; the message of CDP. */
export const isSharedOverride = (error: Error): boolean => /already in effect/.test(error.message)

/** A browser with windows that cannot print. */
export const isHeadlessOnly = (error: Error): boolean => /headed|headless/i.test(messageOf(error))

/** The element was removed from its document before the action. */
export const isDetached = (error: Error): boolean => /not attached/.test(error.message)

/** The field does not accept a value of this format. */
export const isMalformedValue = (error: Error): boolean => /Malformed value/.test(messageOf(error))

/** The element is no field whose value can be set. */
export const isNotFillable = (error: Error): boolean =>
  /not an <input>|cannot be filled/.test(messageOf(error))

/** A file to upload was removed before the browser read it. */
export const isFileMissing = (error: Error): boolean => /ENOENT/.test(error.message)

/** A browser that does not share the files of this machine gets them in one message, of a limited size. */
export const isFileTooLarge = (error: Error): boolean => /Cannot transfer files larger/.test(error.message)

/** The version of a Playwright server that refuses ours. */
export const serverVersionOf = (error: Error): string | undefined =>
  /server version: v([\d.]+)/.exec(error.message)?.[1]

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
    return ambiguousFailure(selector, Number(strictMatch[1]), hint.join('\n'))
  }
  if (!/while parsing|SyntaxError|Unknown engine|is not a valid|not a legal expression|Malformed/i.test(text))
    return undefined
  const expected = 'a valid CSS, XPath or Playwright selector'
  const engine = /Unknown engine "([^"]*)"/.exec(text)?.[1]
  const hint =
    engine === undefined
      ? 'Check its quotes and brackets; an element with a text is text=Save.'
      : `There is no selector engine ${engine}.`
  return invalidParameter('selector', expected, received, hint)
}

export function ambiguousFailure(selector: string, count: number, hint?: string): InvalidParameter {
  const received = `${JSON.stringify(selector)}, which matches ${count}`
  const failure = invalidParameter('selector', 'a selector that matches one element', received, hint)
  return { ...failure, ambiguous: selector }
}

/** The failure of a wait for something other than an element. */
export function waitFailure(error: Error, waitedFor: string, deadline: Deadline): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  return isTimeout(error)
    ? { code: 'TIMEOUT', waitedFor, ...waitedTimeOf(error, deadline) }
    : browserError(error)
}

/** How long a call has waited, of which the page was quiet for `quietMs` if that ended the wait. */
export function waitedTimeOf(error: Error, deadline: Deadline): { waited: number; quietMs?: number } {
  const quietMs = quietTimeOf(error)
  if (quietMs === undefined) return { waited: deadline.timeout }
  return { waited: deadline.timeout - deadline.remaining(), quietMs }
}

/** The failure if nothing more precise is known. */
export const browserError = (error: Error): Failure => ({
  code: 'BROWSER_ERROR',
  text: messageOf(error).slice(0, 500),
})

/** The failure for a feature that an engine does not support. */
export const unsupportedFailure = (
  engine: string,
  what: string,
  next = 'Create a session with browser chromium instead.',
): Failure => ({ code: 'BROWSER_ERROR', text: `${engine} cannot ${what}`, next })
