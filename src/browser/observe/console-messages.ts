// The lines of a console as the browsers send them, read before Playwright does: in Chromium what thins them out is taken off their stack,
// and everywhere their values become one text. Where Playwright looks different, or runs elsewhere, its own reading is used.

import type { ConsoleMessage, Page } from 'playwright'
import { bidiValues, chromiumValue, type BidiValue, type RemoteValue } from './console-values.ts'
import { FLUSH_FUNCTION_NAME, OMITTED_LINES_NOTICE, EMIT_FUNCTION_NAME } from './console-throttle.ts'
import { internalsOf } from '../playwright/internals.ts'
import { clip } from '../../core/text/clip.ts'
import { formatConsoleText } from '../../core/text/console-text.ts'

/** More than the journal keeps, so that what is cut there was looked through for secrets before. */
export const CONSOLE_TEXT_LIMIT_CHARS = 8000

/** Lets the lines of a page be read where it printed them. */
export function interceptConsoleEvents(page: Page): void {
  const delegate = internalsOf<{ readonly delegate?: Delegate }>(page)?.delegate
  const isRead = readChromium(delegate) || readBidi(delegate)
  if (isRead) readable.add(page)
}

/** What a message says, and how many lines before it were left out. */
export function readConsoleMessage(message: ConsoleMessage): {
  readonly text: string
  readonly lost: number
} {
  const page = message.page()
  const values = message.args().map(String)
  if (page && readable.has(page)) return { text: values[0] ?? message.text(), lost: Number(values[1] ?? 0) }
  const isFormat = values.length > 1 && values[0]?.includes('%')
  const text = isFormat
    ? formatConsoleText(values.map((text, index) => ({ text, isText: index === 0 })))
    : formatConsoleText([{ text: message.text(), isText: false }])
  return { text: clip(text, CONSOLE_TEXT_LIMIT_CHARS), lost: 0 }
}

// --- internal ---

type Frames = readonly { readonly functionName: string }[]
interface Printed {
  readonly args: readonly RemoteValue[]
  readonly stackTrace?: { readonly callFrames: Frames }
}
interface Prototype {
  _onConsoleAPI(event: Printed): unknown
}
interface Logged {
  readonly type: string
  readonly method?: string
  readonly text?: string | null
  args?: readonly BidiValue[]
}
interface Delegate {
  readonly _mainFrameSession?: object
  readonly _session?: {
    prependListener?(event: 'log.entryAdded', listener: (entry: Logged) => void): void
  }
}

const readable = new WeakSet<Page>()
const placed = new WeakSet<Prototype>()
const listened = new WeakSet<object>()

function readChromium(delegate: Delegate | undefined): boolean {
  const session = delegate?._mainFrameSession
  const prototype = session && (Object.getPrototypeOf(session) as Partial<Prototype>)
  if (typeof prototype?._onConsoleAPI !== 'function') return false
  const known = prototype as Prototype
  if (placed.has(known)) return true
  placed.add(known)
  const take = known._onConsoleAPI
  known._onConsoleAPI = function (event) {
    return take.call(this, asText(event))
  }
  return true
}

function asText(event: Printed): Printed {
  const frames = event.stackTrace?.callFrames ?? []
  const top = frames[0]?.functionName
  const text = clip(formatConsoleText(event.args.map(chromiumValue)), CONSOLE_TEXT_LIMIT_CHARS)
  const isNotice = top === FLUSH_FUNCTION_NAME && event.args[0]?.value === OMITTED_LINES_NOTICE
  const lost = isNotice ? [{ type: 'number', value: event.args[1]?.value }] : []
  const args = [{ type: 'string', value: text }, ...lost]
  if (top !== EMIT_FUNCTION_NAME && top !== FLUSH_FUNCTION_NAME) return { ...event, args }
  return {
    ...event,
    args,
    stackTrace: { ...event.stackTrace, callFrames: top === EMIT_FUNCTION_NAME ? frames.slice(1) : [] },
  }
}

function readBidi(delegate: Delegate | undefined): boolean {
  const session = delegate?._session
  if (!session?.prependListener) return false
  if (listened.has(session)) return true
  listened.add(session)
  session.prependListener('log.entryAdded', (entry) => {
    if (entry.type !== 'console') return
    const text = entry.text ?? ''
    const isTimer = entry.method === 'timeLog' || entry.method === 'timeEnd'
    const whole = isTimer ? text : formatConsoleText(bidiValues(entry.args ?? [], text), true)
    entry.args = [{ type: 'string', value: clip(whole, CONSOLE_TEXT_LIMIT_CHARS) }]
  })
  return true
}
