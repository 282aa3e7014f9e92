// What a page says by itself, as journal entries: its console, its errors, its requests.

import type { BrowserContext, ConsoleMessage, Request, Response } from 'playwright'
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
  context.on('console', (message) => tell(consoleEntry(message)))
  context.on('weberror', (error) => {
    const { name, message, stack = '' } = error.error()
    const place =
      stack
        .split('\n')
        .find((line) => /^\s+at /.test(line))
        ?.trim() ?? ''
    tell({ kind: 'console', level: 'error', text: `uncaught ${name}: ${message} ${place}`.trim() })
  })
  context.on('response', (response) => tell(responseEntry(response)))
  context.on('requestfailed', (request) => tell(failureEntry(request)))
}

function consoleEntry(message: ConsoleMessage): ReturnType<typeof entry> {
  const { url, lineNumber } = message.location()
  const place = url ? ` (${url}:${lineNumber + 1})` : ''
  return entry('console', levels[message.type()] ?? 'info', `${message.type()}: ${message.text()}${place}`)
}

function responseEntry(response: Response): ReturnType<typeof entry> {
  const status = response.status()
  const level = (status >= 500 && 'error') || (status >= 400 && 'warning') || 'info'
  return entry('request', level, `${response.request().method()} ${response.url()} → ${status}`)
}

// A request that is dropped because the page moves on is no failure.
function failureEntry(request: Request): ReturnType<typeof entry> {
  const reason = request.failure()?.errorText ?? 'failed'
  const level = /ERR_ABORTED|NS_BINDING_ABORTED/.test(reason) ? 'info' : 'error'
  return entry('request', level, `${request.method()} ${request.url()} → ${reason}`)
}

const entry = (kind: Entry['kind'], level: Entry['level'], text: string) => ({ kind, level, text })
