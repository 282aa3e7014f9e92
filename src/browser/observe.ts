// What a page says by itself, as journal entries: its console, its errors, its failed requests.

import type { BrowserContext, ConsoleMessage } from 'playwright'
import { placeLines } from './flood.ts'
import type { Entry } from '../core/journal.ts'

type Observe = (entry: Omit<Entry, 'seq' | 'at'>) => void

const levels: Record<string, Entry['level']> = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  debug: 'debug',
}

/** Listens to every page of a context until it is closed. */
export function observe(context: BrowserContext, tell: Observe): void {
  context.pages().forEach(placeLines)
  context.on('page', placeLines)
  context.on('console', (message) => tell(consoleEntry(message)))
  context.on('weberror', (error) => {
    const { name, message, stack = '' } = error.error()
    const frame = stack.split('\n').find((line) => /^\s+at /.test(line))
    const text = `uncaught ${name}: ${message} ${frame?.trim() ?? ''}`.trim()
    tell({ kind: 'console', level: 'error', text, data: { stack: stack.slice(0, 2000) } })
  })
}

function consoleEntry(message: ConsoleMessage): Omit<Entry, 'seq' | 'at'> {
  const { url, lineNumber, columnNumber } = message.location()
  const place = url ? ` (${url}:${lineNumber + 1})` : ''
  const location = { url, line: lineNumber + 1, column: columnNumber + 1 }
  return {
    kind: 'console',
    level: levels[message.type()] ?? 'info',
    text: `${message.type()}: ${message.text()}${place}`,
    ...(url && { data: { location } }),
  }
}
