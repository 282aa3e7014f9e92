// Console messages as the browsers send them, read before Playwright does: in Chromium the frame of the console throttle is removed from
// their stack, and in all browsers their values become one text. Where Playwright's internals look different, or it runs on another
// machine, its own ConsoleMessage is used.

import type { ConsoleMessage, Page } from 'playwright'
import { bidiValues, chromiumValue, type BidiRemoteValue, type RemoteObject } from './console-values.ts'
import { EMIT_FUNCTION_NAME, FLUSH_FUNCTION_NAME, OMITTED_LINES_NOTICE } from './console-throttle.ts'
import { internalsOf } from '../playwright/internals.ts'
import { clip } from '../../core/text/clip.ts'
import { formatConsoleText } from '../../core/text/console-text.ts'

/** More than the journal keeps, so that a text is redacted before it is cut there. */
export const CONSOLE_TEXT_LIMIT_CHARS = 8000

/** Intercepts the console events of a page. */
export function interceptConsoleEvents(page: Page): void {
  const delegate = internalsOf<{ readonly delegate?: ServerPageDelegate }>(page)?.delegate
  if (interceptChromium(delegate) || interceptBidi(delegate)) interceptedPages.add(page)
}

/** The text of a message, and the number of messages before it that the throttle left out. */
export function readConsoleMessage(message: ConsoleMessage): {
  readonly text: string
  readonly omittedCount: number
} {
  const page = message.page()
  const values = message.args().map(String)
  if (page && interceptedPages.has(page))
    return { text: values[0] ?? message.text(), omittedCount: Number(values[1] ?? 0) }
  const hasFormat = values.length > 1 && values[0]?.includes('%')
  const text = hasFormat
    ? formatConsoleText(values.map((text, index) => ({ text, isText: index === 0 })))
    : formatConsoleText([{ text: message.text(), isText: false }])
  return { text: clip(text, CONSOLE_TEXT_LIMIT_CHARS), omittedCount: 0 }
}

// --- internal ---

interface ConsoleApiEvent {
  readonly args: readonly RemoteObject[]
  readonly stackTrace?: { readonly callFrames: readonly { readonly functionName: string }[] }
}
interface ExceptionDetails {
  readonly url?: string
  readonly lineNumber: number
  readonly columnNumber: number
  readonly stackTrace?: { readonly callFrames: readonly object[] }
}
interface FrameSessionPrototype {
  _onConsoleAPI(event: ConsoleApiEvent): unknown
  _handleException?(details: ExceptionDetails): unknown
}
interface LogEntryEvent {
  readonly type: string
  readonly method?: string
  readonly text?: string | null
  args?: readonly BidiRemoteValue[]
}
interface ServerPageDelegate {
  readonly _mainFrameSession?: object
  readonly _session?: {
    prependListener?(event: 'log.entryAdded', listener: (entry: LogEntryEvent) => void): void
  }
}

const interceptedPages = new WeakSet<Page>()
const patchedPrototypes = new WeakSet<FrameSessionPrototype>()
const bidiSessions = new WeakSet<object>()

function interceptChromium(delegate: ServerPageDelegate | undefined): boolean {
  const session = delegate?._mainFrameSession
  const candidate = session && (Object.getPrototypeOf(session) as Partial<FrameSessionPrototype>)
  if (typeof candidate?._onConsoleAPI !== 'function') return false
  const prototype = candidate as FrameSessionPrototype
  if (patchedPrototypes.has(prototype)) return true
  patchedPrototypes.add(prototype)
  const original = prototype._onConsoleAPI
  prototype._onConsoleAPI = function (event) {
    return original.call(this, withTextArgument(event))
  }
  const handleException = prototype._handleException
  if (typeof handleException === 'function')
    prototype._handleException = function (details) {
      return handleException.call(this, withLocation(details))
    }
  return true
}

// Playwright reads the location of an error from its stack, but a script that cannot be parsed or linked has none.
function withLocation(details: ExceptionDetails): ExceptionDetails {
  const { url, lineNumber, columnNumber, stackTrace } = details
  if (!url || (lineNumber === 0 && columnNumber === 0) || stackTrace) return details
  return { ...details, stackTrace: { callFrames: [{ functionName: '', url, lineNumber, columnNumber }] } }
}

function withTextArgument(event: ConsoleApiEvent): ConsoleApiEvent {
  const frames = event.stackTrace?.callFrames ?? []
  const topFunction = frames[0]?.functionName
  const text = clip(formatConsoleText(event.args.map(chromiumValue)), CONSOLE_TEXT_LIMIT_CHARS)
  const isNotice = topFunction === FLUSH_FUNCTION_NAME && event.args[0]?.value === OMITTED_LINES_NOTICE
  const omittedCount = isNotice ? [{ type: 'number', value: event.args[1]?.value }] : []
  const args = [{ type: 'string', value: text }, ...omittedCount]
  if (topFunction !== EMIT_FUNCTION_NAME && topFunction !== FLUSH_FUNCTION_NAME) return { ...event, args }
  const callFrames = topFunction === EMIT_FUNCTION_NAME ? frames.slice(1) : []
  return { ...event, args, stackTrace: { ...event.stackTrace, callFrames } }
}

function interceptBidi(delegate: ServerPageDelegate | undefined): boolean {
  const session = delegate?._session
  if (!session?.prependListener) return false
  if (bidiSessions.has(session)) return true
  bidiSessions.add(session)
  session.prependListener('log.entryAdded', (entry) => {
    if (entry.type !== 'console') return
    const entryText = entry.text ?? ''
    const isTimer = entry.method === 'timeLog' || entry.method === 'timeEnd'
    const text = isTimer ? entryText : formatConsoleText(bidiValues(entry.args ?? [], entryText), true)
    entry.args = [{ type: 'string', value: clip(text, CONSOLE_TEXT_LIMIT_CHARS) }]
  })
  return true
}
