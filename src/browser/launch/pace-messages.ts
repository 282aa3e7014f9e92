// The messages of a local Chromium, worked on so that no page keeps others waiting: Playwright decodes each message whole, and all that have
// arrived before it does anything else. Here one of a page that sends a flood waits for those of other pages, what a page reports at length
// is cut before it is decoded, and lines of a console are counted while too many are waiting. Firefox has a WebSocket, whose library decodes
// by itself.

import type { Browser } from 'playwright'
import { createAssembler, decodeMessage, type RawMessage } from './assemble-messages.ts'
import { internalsOf } from '../playwright/internals.ts'
import { FLUSH_FUNCTION_NAME, OMITTED_LINES_NOTICE } from '../observe/console-throttle.ts'
import { createMessageLanes, type MessageLanes } from '../../core/protocol/message-lanes.ts'
import { CONSOLE_EVENT, omissionAfter } from '../../core/protocol/raw-message.ts'
import { startTimer, type Timer } from '../../runtime/calls/timer.ts'

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
  const lanes = createMessageLanes<RawMessage>()
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

interface PageTable {
  /** Notes a message, and returns its page: workers and frames belong to the page that has them. */
  receive(message: RawMessage): string
  /** Notes a command for a session. */
  send(session: string): void
  forget(session: string): void
  /** Whether more of a flood may be worked on: what it makes Footlight send is a flood for the browser. */
  isReady(page: string): boolean
  /** Expects no more answers. */
  reset(): void
}

function createPageTable(): PageTable {
  const pageOfSession = new Map<string, string>()
  const commandCounts = new Map<string, number>()
  const pageOf = (session: string): string => pageOfSession.get(session) ?? session
  const count = (page: string, change: 1 | -1) =>
    commandCounts.set(page, Math.max(0, (commandCounts.get(page) ?? 0) + change))
  return {
    receive({ shape: { method, session, attachedSession } }) {
      const page = pageOf(session)
      if (method === undefined) count(page, -1)
      if (attachedSession !== undefined)
        pageOfSession.set(attachedSession, page === '' ? attachedSession : page)
      return page
    },
    send: (session) => void count(pageOf(session), 1),
    forget(session) {
      pageOfSession.delete(session)
      commandCounts.delete(session)
    },
    isReady: (page) => (commandCounts.get(page) ?? 0) < COMMAND_LIMIT,
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
