// The console messages and uncaught errors of pages, as journal entries.

import type { BrowserContext, ConsoleMessage, WebError } from 'playwright'
import { CONSOLE_TEXT_LIMIT_CHARS, interceptConsoleEvents, readConsoleMessage } from './console-messages.ts'
import { findFrame } from '../../core/evidence/error-lines.ts'
import { clip } from '../../core/text/clip.ts'
import type { JournalEntry } from '../../core/session/journal.ts'

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
