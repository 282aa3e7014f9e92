// What a page says by itself, as journal entries: its console, its errors, its failed requests.

import type { BrowserContext, ConsoleMessage } from 'playwright'
import { interceptConsoleEvents, readConsoleMessage, CONSOLE_TEXT_LIMIT_CHARS } from './console-messages.ts'
import { clip } from '../../core/text/clip.ts'
import type { JournalEntry } from '../../core/session/journal.ts'

type Observe = (entry: Omit<JournalEntry, 'seq' | 'at'>) => void

const levels = new Map<string, JournalEntry['level']>([
  ['error', 'error'],
  ['assert', 'error'],
  ['warning', 'warning'],
  ['debug', 'debug'],
])

const REQUEST = /^Failed to load resource: /

/** Listens to every page of a context until it is closed. */
export function watchPageEvents(context: BrowserContext, tell: Observe): void {
  context.pages().forEach(interceptConsoleEvents)
  context.on('page', interceptConsoleEvents)
  context.on('console', (message) => {
    // The end of a group says nothing.
    if (message.type() !== 'endGroup') tell(consoleEntry(message))
  })
  context.on('weberror', (error) => {
    const { name: named, message, stack: whole = '' } = error.error()
    // Chromium puts this before the name of an error that was not caught in a promise.
    const name = named.replace(/^Uncaught (\(in promise\) )?/, '')
    const stack = whole.slice(0, CONSOLE_TEXT_LIMIT_CHARS)
    const frame = stack.split('\n').find((line) => /^\s+at /.test(line))
    const summary = `uncaught ${clip(name, 200)}: ${clip(message, CONSOLE_TEXT_LIMIT_CHARS)}`
    const text = `${summary} ${frame?.trim() ?? ''}`.trim()
    tell({ kind: 'console', level: 'error', text, message: summary, data: { stack: clip(stack, 4000) } })
  })
}

function consoleEntry(message: ConsoleMessage): Omit<JournalEntry, 'seq' | 'at'> {
  const { url: whole, lineNumber, columnNumber } = message.location()
  const url = clip(whole, 2000)
  const place = url ? ` (${url}:${lineNumber + 1})` : ''
  // A request that failed has an address, but no place in it.
  const isRequest = lineNumber === 0 && columnNumber === 0 && REQUEST.test(message.text())
  const location = { url, ...(!isRequest && { line: lineNumber + 1, column: columnNumber + 1 }) }
  const { text, lost } = readConsoleMessage(message)
  return {
    kind: 'console',
    level: levels.get(message.type()) ?? 'info',
    text: `${message.type()}: ${text}${place}`,
    message: text,
    ...(lost > 0 && { lost }),
    ...(url && { data: { location } }),
  }
}
