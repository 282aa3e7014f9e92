// What a message of the DevTools protocol is, by its beginning and its end, and one that was cut. Chromium writes the name of an event first
// and its session last.

import { parseJson } from '../../core/base/text/json.ts'

export interface MessageShape {
  /** The name of an event; undefined for the answer to a command. */
  readonly method: string | undefined
  /** Whether it reports what a page prints, throws, sends or receives: of a very long text the beginning is enough. */
  readonly isReport: boolean
  /** The id of its session; empty for that of the browser. */
  readonly session: string
  /** The session that an event of the browser says is new. */
  readonly attachedSession?: string
}

/** How much of the beginning and of the end `readShape` needs. */
export const SHAPE_CHARS = 160

export function readShape(head: string, tail: string): MessageShape {
  const method = /^\{"method":"([\w.]+)"/.exec(head)?.[1]
  const session = /"sessionId":"([0-9A-F]+)"\}$/.exec(tail)?.[1] ?? ''
  const attachedSession = ATTACHMENT.exec(head)?.[1]
  // Of binary data the length is reported.
  const isReport = REPORTS.has(method ?? '') && !head.includes('"response":{"opcode":2')
  return { method, isReport, session, attachedSession }
}

export const CONSOLE_EVENT = 'Runtime.consoleAPICalled'

interface EventMessage {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sessionId?: string
}

/** The message with this beginning, cut at the end of it; undefined if nothing of it can be read. */
export function readCutMessage(head: string, tail: string): EventMessage | undefined {
  const message = parse(closeJson(head))
  if (!message) return undefined
  const { method, session } = readShape(head, tail)
  if (method === undefined) return undefined
  const context = /(?<!\\)"executionContextId":(\d+)/.exec(tail)?.[1]
  const params = {
    ...(context !== undefined && { executionContextId: Number(context) }),
    timestamp: 0,
    ...(message['params'] as Record<string, unknown> | undefined),
  }
  return { method, params, ...(session !== '' && { sessionId: session }) }
}

/** The event of a console that says that `count` lines after `message` were omitted. */
export const omissionAfter = (
  { sessionId, params: { executionContextId, timestamp } }: EventMessage,
  notice: string,
  functionName: string,
  count: number,
): EventMessage => ({
  method: CONSOLE_EVENT,
  params: {
    type: 'warning',
    args: [
      { type: 'string', value: notice },
      { type: 'number', value: count, description: String(count) },
    ],
    executionContextId,
    timestamp,
    stackTrace: { callFrames: [{ functionName, scriptId: '', url: '', lineNumber: 0, columnNumber: 0 }] },
  },
  sessionId,
})

/** How many lines of a console an event stands for: those of a notice that the page gives by this function, else one. */
export function countLines(text: string, notice: string, functionName: string): number {
  const [, first, count] = TEXT_AND_NUMBER.exec(text) ?? []
  return first === notice && text.includes(`"callFrames":[{"functionName":"${functionName}"`)
    ? Number(count)
    : 1
}

const TEXT_AND_NUMBER = /"args":\[\{"type":"string","value":"([^"]*)"\},\{"type":"number","value":(\d+),/

/** Completes JSON that was cut anywhere: a text or a value that is not complete ends there, or is left out with its name. */
export function closeJson(head: string): string {
  const closers: string[] = []
  let complete = ''
  let at = 0
  // Where the text may be cut so that the closers complete it.
  const mark = (end: number) => (complete = head.slice(0, end) + closers.toReversed().join(''))
  while (at < head.length) {
    const character = head[at]
    if (character === '"') {
      const end = endOfString(head, at)
      const isName = closers.at(-1) === '}' && /[{,]$/.test(head.slice(Math.max(0, at - 1), at))
      if (end < 0) return isName ? complete : cutString(head, at) + closers.toReversed().join('')
      at = end
      if (!isName) mark(at)
      continue
    }
    at += 1
    if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']')
      mark(at)
    } else if (character === '}' || character === ']') {
      closers.pop()
      mark(at)
    } else if (character === ',') mark(at - 1)
  }
  return complete
}

// --- internal ---

const ATTACHMENT = /^\{"method":"Target\.attachedToTarget","params":\{"sessionId":"([0-9A-F]+)"/

const REPORTS: ReadonlySet<string> = new Set([
  CONSOLE_EVENT,
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Network.webSocketFrameSent',
  'Network.webSocketFrameReceived',
  'Network.eventSourceMessageReceived',
])

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashCount = 0
    while (text[at - 1 - backslashCount] === '\\') backslashCount += 1
    if (backslashCount % 2 === 0) return at + 1
  }
  return -1
}

// An escape at the end may be incomplete.
const cutString = (head: string, start: number): string => {
  const escape = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(head.slice(-6))
  const backslashes = /\\+$/.exec(head)?.[0].length ?? 0
  const isEscape = escape !== null && (escape[0].length > 1 || backslashes % 2 === 1)
  const end = isEscape ? head.length - escape[0].length : head.length
  return `${head.slice(0, Math.max(start + 1, end))}"`
}

const parse = (text: string) => parseJson(text) as Record<string, unknown> | undefined
