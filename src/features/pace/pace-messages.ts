// Paces the messages of a local Chromium, so that no page keeps others waiting. Playwright decodes each message whole, and decodes all that
// have arrived before it does anything else. Here the messages of a page that sends a flood wait for those of other pages, a long report is
// cut before it is decoded, and console lines are only counted while too many are waiting. Firefox has a WebSocket, whose library decodes by
// itself.

import type { Browser } from 'playwright'
import { startTimer, type Timer } from '../../core/base/system/timer.ts'
import { FLUSH_FUNCTION_NAME, OMITTED_LINES_NOTICE } from '../../core/browser/console/console-throttle.ts'
import { internalsOf } from '../../core/browser/playwright/internals.ts'
import { createMessageLanes, type MessageLanes } from './message-lanes.ts'
import {
  CONSOLE_EVENT,
  countLines,
  type MessageShape,
  omissionAfter,
  readCutMessage,
  readShape,
  SHAPE_CHARS,
} from './raw-message.ts'

interface ServerBrowser {
  readonly _connection: { readonly _transport: PipeTransport }
}

interface PipeTransport {
  readonly _pipeRead?: { pause(): void; resume(): void }
  _pendingBuffers?: Buffer[]
  _dispatch?(chunk: Buffer): void
  send(message: { readonly sessionId?: string }): void
  onmessage?: (message: object) => void
}

/** How many messages are worked on before anything else is. */
const BATCH_SIZE = 16
/** How long messages are received before anything else is done. */
const SLICE_MS = 10
/** How many commands about a page may be without an answer before more of its flood is worked on. */
const COMMAND_LIMIT = 50
/** After this time no more answers are expected: a worker that has ended gives none. */
const STUCK_TIMEOUT_MS = 100

export function paceMessages(browser: Browser): void {
  const transport = internalsOf<Partial<ServerBrowser>>(browser)?._connection?._transport
  if (!transport?._dispatch || !transport._pendingBuffers) return
  const pages = createPageTable()
  const lanes = createMessageLanes<RawMessage>(countLinesIn)
  const work = createWorker(lanes, pages, transport)
  const assemble = createAssembler(transport._pendingBuffers, (message) => {
    const { method } = message.shape
    lanes.add(pages.receive(message), message, method === CONSOLE_EVENT)
  })
  const pauseLongSlice = createPause(transport)
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    pages.send(message.sessionId ?? '')
    send(message)
  }
  transport._dispatch = (chunk) => {
    assemble(chunk)
    work()
    pauseLongSlice()
  }
}

// --- internal ---

type EventMessage = Parameters<typeof omissionAfter>[0]

type PageTable = ReturnType<typeof createPageTable>

function createPageTable() {
  const pageOfSession = new Map<string, string>()
  const commandCounts = new Map<string, number>()
  const pageOf = (session: string): string => pageOfSession.get(session) ?? session
  const count = (page: string, change: 1 | -1) =>
    commandCounts.set(page, Math.max(0, (commandCounts.get(page) ?? 0) + change))
  return {
    /** Notes a message, and returns its page: workers and frames belong to the page that has them. */
    receive({ shape: { method, session, attachedSession } }: RawMessage): string {
      const page = pageOf(session)
      if (method === undefined) count(page, -1)
      if (attachedSession !== undefined)
        pageOfSession.set(attachedSession, page === '' ? attachedSession : page)
      return page
    },
    send: (session: string) => void count(pageOf(session), 1),
    forget(session: string): void {
      pageOfSession.delete(session)
      commandCounts.delete(session)
    },
    /** Whether more of a flood may be worked on: what it makes Footlight send is a flood for the browser. */
    isReady: (page: string): boolean => (commandCounts.get(page) ?? 0) < COMMAND_LIMIT,
    /** Expects no more answers. */
    reset: commandCounts.clear.bind(commandCounts),
  }
}

// Returns a function that starts the work on what is waiting. Each message has a turn of its own, as in Playwright: what it has resolved runs
// before the next one.
function createWorker(
  lanes: MessageLanes<RawMessage>,
  { forget, isReady, reset }: PageTable,
  transport: PipeTransport,
): () => void {
  let isWorking = false
  let stuck: Timer | undefined

  function workOn(next: ReturnType<typeof lanes.take>): void {
    if (!next) return
    const message = decodeMessage(next.message)
    if (!message) return
    if (message.method === 'Target.detachedFromTarget') forget(String(message.params?.['sessionId']))
    transport.onmessage?.(message)
    if (next.omittedCount === 0) return
    const event = message as EventMessage
    transport.onmessage?.(omissionAfter(event, OMITTED_LINES_NOTICE, FLUSH_FUNCTION_NAME, next.omittedCount))
  }

  function work(): void {
    const count = Math.min(BATCH_SIZE, lanes.size)
    isWorking = count > 0
    let takenCount = 0
    const workOnNext = () => {
      const next = lanes.take(isReady)
      if (next) takenCount += 1
      workOn(next)
    }
    for (let index = 0; index < count; index += 1) setImmediate(workOnNext)
    if (isWorking) setImmediate(() => (takenCount > 0 ? work() : wait()))
  }

  // Until the browser answers, or for a moment.
  function wait(): void {
    isWorking = false
    // Playwright takes no more messages of a browser that has ended.
    if (!transport.onmessage) return
    stuck ??= startTimer(STUCK_TIMEOUT_MS, () => {
      stuck = undefined
      reset()
      if (!isWorking) work()
    })
  }

  return () => {
    if (!isWorking) work()
  }
}

// The messages of a flood arrive without a pause of their own.
function createPause({ _pipeRead: input }: PipeTransport): () => void {
  let sliceStart: number | undefined
  let isPaused = false
  const endSlice = () => {
    sliceStart = undefined
    if (isPaused) input?.resume()
    isPaused = false
  }
  return () => {
    if (sliceStart === undefined) {
      sliceStart = performance.now()
      setImmediate(endSlice)
    }
    if (isPaused || performance.now() - sliceStart <= SLICE_MS) return
    isPaused = true
    input?.pause()
  }
}

// The messages that arrive through the pipe of a browser, not decoded yet. Each ends with a zero byte. Of a report that becomes too long only
// the beginning and the end are kept.
interface RawMessage {
  /** Without its middle if it was cut. */
  readonly parts: readonly Buffer[]
  readonly size: number
  readonly shape: MessageShape
}

interface DecodedMessage {
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly sessionId?: string
}

/** Longer than what is kept of any report. */
const CUT_LIMIT_BYTES = 256 * 1024
const CUT_HEAD_BYTES = 64 * 1024
const CUT_TAIL_BYTES = 4096

/** A notice of the page is shorter. */
const NOTICE_LIMIT_BYTES = 1000

const countLinesIn = ({ parts, size }: RawMessage): number =>
  size > NOTICE_LIMIT_BYTES
    ? 1
    : countLines(Buffer.concat(parts).toString('latin1'), OMITTED_LINES_NOTICE, FLUSH_FUNCTION_NAME)

/** Undefined if nothing can be read of a message that was cut. */
function decodeMessage({ parts, size, shape }: RawMessage): DecodedMessage | undefined {
  const [first = Buffer.alloc(0)] = parts
  const bytes = parts.length > 1 ? Buffer.concat(parts) : first
  if (size <= CUT_LIMIT_BYTES || !shape.isReport) return JSON.parse(bytes.toString('utf8'))
  return readCutMessage(
    bytes.toString('utf8', 0, CUT_HEAD_BYTES),
    bytes.toString('utf8', bytes.length - CUT_TAIL_BYTES),
  )
}

/** Returns a function that takes the next bytes. `pending` is the beginning of the first message. */
function createAssembler(
  pending: readonly Buffer[],
  add: (message: RawMessage) => void,
): (chunk: Buffer) => void {
  const shapeOf = createShapeReader()
  let parts = [...pending]
  let size = parts.reduce((sum, part) => sum + part.length, 0)

  function append(part: Buffer): void {
    if (part.length === 0) return
    size += part.length
    parts.push(part)
    if (size <= CUT_LIMIT_BYTES || parts.length < 3 || !readShape(headOf(parts), '').isReport) return
    const [head = part] = parts
    parts = head.length < CUT_HEAD_BYTES ? [Buffer.concat(parts)] : [head, part]
  }

  function finish(): void {
    const last = parts.length > 1 ? Buffer.concat(parts.slice(-2)) : parts[0]
    if (!last) return
    add({ parts, size, shape: shapeOf(parts[0] ?? last, last) })
    parts = []
    size = 0
  }

  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      append(chunk.subarray(start, end))
      finish()
      start = end + 1
    }
    append(chunk.subarray(start))
  }
}

// The messages of a flood are alike, so most are what the one before was.
function createShapeReader(): (first: Buffer, last: Buffer) => MessageShape {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let shape: MessageShape = { method: undefined, isReport: false, session: '' }
  return (first, last) => {
    const tailStart = Math.max(0, last.length - SAME_TAIL_BYTES)
    const isSame =
      shape.method !== undefined &&
      shape.attachedSession === undefined &&
      first.length >= SAME_HEAD_BYTES &&
      head.compare(first, 0, SAME_HEAD_BYTES) === 0 &&
      tail.compare(last, tailStart, last.length) === 0
    if (isSame) return shape
    shape = readShape(headOf([first]), last.toString('latin1', Math.max(0, last.length - SHAPE_CHARS)))
    head = Buffer.from(first.subarray(0, SAME_HEAD_BYTES))
    tail = Buffer.from(last.subarray(tailStart))
    return shape
  }
}

/** The name of an event, and its session. */
const SAME_HEAD_BYTES = 60
const SAME_TAIL_BYTES = 47

const headOf = ([first]: readonly Buffer[]): string => first?.toString('latin1', 0, SHAPE_CHARS) ?? ''
