// The console messages and uncaught errors of pages, as journal entries.

import type { BrowserContext, ConsoleMessage, WebError, Page } from 'playwright'
import { findFrame } from '../../base/text/error-lines.ts'
import { clip } from '../../base/text/clip.ts'
import type { JournalEntry } from '../../sessions/journal/journal.ts'
import { EMIT_FUNCTION_NAME, FLUSH_FUNCTION_NAME, OMITTED_LINES_NOTICE } from './console-throttle.ts'
import { internalsOf } from '../playwright/internals.ts'
import { formatConsoleText, type PrintedValue } from '../../base/text/terminal-codes.ts'

type NewEntry = Omit<JournalEntry, 'seq' | 'at'>

const ERROR_NAME_LIMIT_CHARS = 200
const STACK_LIMIT_CHARS = 4000
const URL_LIMIT_CHARS = 2000

const LEVEL_OF_TYPE = new Map<string, JournalEntry['level']>([
  ['error', 'error'],
  ['assert', 'error'],
  ['warning', 'warning'],
  ['debug', 'debug'],
])

const FAILED_REQUEST_PATTERN = /^Failed to load resource: /

/** Listens to every page of a context until it is closed. */
export function watchPageEvents(context: BrowserContext, observe: (entry: NewEntry) => void): void {
  context.pages().forEach(interceptConsoleEvents)
  context.on('page', interceptConsoleEvents)
  context.on('console', (message) => {
    // The end of a group has no text.
    if (message.type() !== 'endGroup') observe(consoleEntry(message))
  })
  context.on('weberror', (error) => observe(errorEntry(error.error(), error.location())))
}

// --- internal ---

function errorEntry(
  { name, message, stack = '' }: Error,
  { url: fullUrl, line, column }: ReturnType<WebError['location']>,
): NewEntry {
  // Chromium puts this before the name of an error that was not caught in a promise.
  const errorName = name.replace(/^Uncaught (\(in promise\) )?/, '')
  const clippedStack = stack.slice(0, CONSOLE_TEXT_LIMIT_CHARS)
  const frame = findFrame(clippedStack.split('\n').filter((line) => /^\s+at /.test(line)))
  const title = `${clip(errorName, ERROR_NAME_LIMIT_CHARS)}: ${clip(message, CONSOLE_TEXT_LIMIT_CHARS)}`
  const summary = `uncaught ${title}`
  // A script that cannot be parsed or linked has a location and no stack.
  const url = frame === undefined ? clip(fullUrl, URL_LIMIT_CHARS) : ''
  const location = { url, line: line + 1, column: column + 1 }
  const place = url ? `(${url}:${location.line})` : (frame?.trim() ?? '')
  return {
    kind: 'console',
    level: 'error',
    text: `${summary} ${place}`.trim(),
    message: summary,
    data: { stack: clip(clippedStack, STACK_LIMIT_CHARS), ...(url && { location }) },
  }
}

function consoleEntry(message: ConsoleMessage): NewEntry {
  const { url: fullUrl, lineNumber, columnNumber } = message.location()
  const url = clip(fullUrl, URL_LIMIT_CHARS)
  const locationSuffix = url ? ` (${url}:${lineNumber + 1})` : ''
  // A request that failed has a URL, but no line and column in it.
  const isRequest = lineNumber === 0 && columnNumber === 0 && FAILED_REQUEST_PATTERN.test(message.text())
  const location = { url, ...(!isRequest && { line: lineNumber + 1, column: columnNumber + 1 }) }
  const { text, omittedCount } = readConsoleMessage(message)
  return {
    kind: 'console',
    level: LEVEL_OF_TYPE.get(message.type()) ?? 'info',
    text: `${message.type()}: ${text}${locationSuffix}`,
    message: text,
    ...(omittedCount > 0 && { omittedBefore: omittedCount }),
    ...(url && { data: { location } }),
  }
}

// Console messages as the browsers send them, read before Playwright does: in Chromium the frame of the console throttle is removed from
// their stack, and in all browsers their values become one text. Where Playwright's internals look different, or it runs on another
// machine, its own ConsoleMessage is used.
/** More than the journal keeps, so that a text is redacted before it is cut there. */
const CONSOLE_TEXT_LIMIT_CHARS = 8000

function interceptConsoleEvents(page: Page): void {
  const delegate = internalsOf<{ readonly delegate?: ServerPageDelegate }>(page)?.delegate
  if (interceptChromium(delegate) || interceptBidi(delegate)) interceptedPages.add(page)
}

/** The text of a message, and the number of messages before it that the throttle left out. */
function readConsoleMessage(message: ConsoleMessage): {
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

export function withTextArgument(event: ConsoleApiEvent): ConsoleApiEvent {
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

// The arguments of console methods as readable text. Playwright's client formats objects from a preview that omits elements, classes and
// some kinds of numbers, and in Firefox the message of an error; so the events of the browsers are formatted here.
/** Runtime.RemoteObject of the Chrome DevTools Protocol. */
interface RemoteObject {
  readonly type: string
  readonly subtype?: string
  readonly className?: string
  readonly value?: unknown
  readonly unserializableValue?: string
  readonly description?: string
  readonly preview?: ObjectPreview
}

interface ObjectPreview {
  readonly type: string
  readonly subtype?: string
  readonly description?: string
  readonly overflow?: boolean
  readonly properties?: readonly PropertyPreview[]
  readonly entries?: readonly { readonly key?: ObjectPreview; readonly value: ObjectPreview }[]
}

interface PropertyPreview {
  readonly name: string
  readonly type: string
  readonly subtype?: string
  readonly value?: string
  readonly valuePreview?: ObjectPreview
}

/** script.RemoteValue of WebDriver BiDi. */
interface BidiRemoteValue {
  readonly type: string
  readonly value?: unknown
}

const DESCRIPTION_LIMIT_CHARS = 4000
const FUNCTION_LIMIT_CHARS = 80
const DEPTH_LIMIT = 4
const ITEM_LIMIT = 100

export const chromiumValue = (value: RemoteObject): PrintedValue => ({
  text: value.type === 'string' ? String(value.value) : remoteText(value),
  isText: value.type === 'string',
})

/** `text` is the browser's own formatting of all values: only it has the messages of errors. */
export function bidiValues(values: readonly BidiRemoteValue[], text: string): readonly PrintedValue[] {
  let start = 0
  return values.map((value, index) => {
    const next = values[index + 1]
    const end = index === values.length - 1 ? text.length : endOf(value, next, text, start)
    const ownText = text.slice(start, end)
    start = end + 1
    const isText = value.type === 'string'
    return {
      text: isText ? String(value.value) : value.type === 'error' ? ownText : bidiText(value, 0),
      isText,
    }
  })
}

function remoteText(value: RemoteObject): string {
  const { type, subtype, description = '', preview } = value
  if (type === 'undefined') return type
  if ('value' in value) return String(value.value)
  if (value.unserializableValue !== undefined) return value.unserializableValue
  if (type === 'function') return clip(description, FUNCTION_LIMIT_CHARS)
  if (subtype === 'node') return /^[\w-]/.test(description) ? `<${description}>` : description
  if (!preview || subtype === 'error' || subtype === 'regexp' || subtype === 'date')
    return clip(description, DESCRIPTION_LIMIT_CHARS)
  return previewText(preview)
}

function previewText({
  type,
  subtype,
  description = '',
  overflow,
  properties = [],
  entries,
}: ObjectPreview): string {
  if (type === 'string') return JSON.stringify(description)
  if (type !== 'object') return description
  const ellipsis = overflow ? ', …' : ''
  if (entries) {
    const pairs = entries.map(
      ({ key, value }) => `${key ? `${previewText(key)} => ` : ''}${previewText(value)}`,
    )
    return `${description} {${pairs.join(', ')}${ellipsis}}`
  }
  if (subtype === 'array') {
    const items = properties.map(
      (property) => (/^\d+$/.test(property.name) ? '' : `${property.name}: `) + propertyText(property),
    )
    return `[${items.join(', ')}${ellipsis}]`
  }
  if (subtype !== undefined && subtype !== 'proxy') return description
  const className = description === 'Object' ? '' : `${description} `
  const items = properties.map((property) => `${property.name}: ${propertyText(property)}`)
  return `${className}{${items.join(', ')}${ellipsis}}`
}

function propertyText({ type, subtype, value = '', valuePreview }: PropertyPreview): string {
  if (valuePreview) return previewText(valuePreview)
  if (type === 'string') return JSON.stringify(value)
  if (type === 'accessor') return '(getter)'
  if (type === 'function') return 'ƒ'
  if (subtype === 'node') return `<${value}>`
  return type === 'object' && value === 'Object' ? '{…}' : value
}

function bidiText({ type, value }: BidiRemoteValue, depth: number): string {
  if (type === 'string') return JSON.stringify(value)
  if (type === 'number' || type === 'boolean') return String(value)
  if (type === 'bigint') return `${String(value)}n`
  if (type === 'date') return String(value)
  if (type === 'regexp') return regexpText(value)
  if (type === 'node') return nodeText(value)
  if (!Array.isArray(value)) return TYPE_NAMES.get(type) ?? type
  if (depth >= DEPTH_LIMIT) return type === 'object' ? '{…}' : `${type}(${value.length})`
  const items = value.slice(0, ITEM_LIMIT).map((item) => itemText(item, type, depth + 1))
  const inner = [...items, ...(value.length > ITEM_LIMIT ? ['…'] : [])].join(', ')
  if (type === 'object') return `{${inner}}`
  return type === 'map' || type === 'set'
    ? `${TYPE_NAMES.get(type)}(${value.length}) {${inner}}`
    : `[${inner}]`
}

// An item of an object or a map is a pair, of other collections a value.
function itemText(item: unknown, type: string, depth: number): string {
  if (!Array.isArray(item)) return bidiText(item as BidiRemoteValue, depth)
  const [key, value] = item as [string | BidiRemoteValue, BidiRemoteValue]
  const name = typeof key === 'string' ? key : bidiText(key, depth)
  const keyText = typeof key === 'string' && type === 'map' ? JSON.stringify(key) : name
  return `${keyText}${type === 'map' ? ' => ' : ': '}${bidiText(value, depth)}`
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['map', 'Map'],
  ['set', 'Set'],
  ['error', 'Error'],
  ['function', 'ƒ'],
  ['promise', 'Promise'],
  ['symbol', 'Symbol()'],
  ['window', 'Window'],
  ['proxy', 'Proxy'],
])

function regexpText(value: unknown): string {
  const { pattern = '', flags = '' } = (value ?? {}) as { pattern?: string; flags?: string }
  return `/${pattern}/${flags}`
}

function nodeText(value: unknown): string {
  const { localName, attributes = {} } = (value ?? {}) as {
    localName?: string
    attributes?: Readonly<Record<string, string>>
  }
  const { id = '', class: classes = '' } = attributes
  const classNames = classes.split(/\s+/).filter(Boolean)
  return localName === undefined ? 'Node' : `<${[localName + (id && `#${id}`), ...classNames].join('.')}>`
}

// Where the text of this value ends: before the text of the next value, or else at the next space.
function endOf(
  value: BidiRemoteValue,
  next: BidiRemoteValue | undefined,
  text: string,
  start: number,
): number {
  if (value.type === 'string') return start + String(value.value).length
  const separator = next?.type === 'string' ? ` ${String(next.value)}` : ' '
  const end = text.indexOf(separator, start)
  return end < 0 ? text.length : end
}
