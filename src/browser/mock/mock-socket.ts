// One WebSocket that a mock answers.

import type { WebSocketRoute } from 'playwright'
import { logMockSocket, type MockSocketHooks } from './socket-entries.ts'
import {
  decideMessage,
  replyToOpening,
  type MessageSender,
  type SocketReply,
} from '../../core/mock/socket.ts'
import type { MockEntry } from '../../core/mock/mock-list.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

export interface MockSocket {
  readonly url: string
  /** The id of its mock. */
  readonly mock: string
  /** Opens it, or fails it, as its mock says. */
  open(): Promise<void>
  isOpen(): boolean
  /** Sends replies one after the other. */
  reply(replies: readonly SocketReply[]): Promise<void>
  close(end: SocketEnd): void
}

type SocketEnd = NonNullable<SocketReply['close']>

/** As browsers report a connection that failed, and a close without a code. */
const FAILURE_CODE = 1006
const NO_CODE = 1005

/** A WebSocket with the rules of its mock. `onEnd` is called once, when it is closed or its document is gone. */
export function createMockSocket(
  route: WebSocketRoute,
  mock: MockEntry,
  hooks: MockSocketHooks,
  closing: Promise<void>,
  onEnd: () => void,
): MockSocket {
  const { socket: rules = [], delay = 0, fail = false, change = false } = mock.rule.answer ?? {}
  const log = logMockSocket(route.url(), mock.id, hooks)
  let state: 'new' | 'open' | 'closed' = 'new'
  let server: WebSocketRoute | undefined

  function end({ code, reason }: SocketEnd): void {
    if (state === 'closed') return
    state = 'closed'
    log.end(code, fail)
    onEnd()
    void server?.close(mayBeSent(code) ? { code, reason } : {})
    void route.close({ code, reason })
  }

  function sendToPage(message: string | Buffer): void {
    if (state === 'closed') return
    log.frame('received', message)
    route.send(message)
  }

  async function reply(replies: readonly SocketReply[]): Promise<void> {
    for (const { delay: ms, messages, close } of replies) {
      if (ms > 0) await settleWithin(ms, closing)
      for (const message of messages) sendToPage(message)
      if (close) end(close)
    }
  }

  function receive(from: MessageSender, message: string | Buffer): void {
    if (from === undefined) log.frame('sent', message)
    const { ownReply, forwarded } = decideFrame(mock, from, message)
    if (forwarded !== undefined) from === 'server' ? sendToPage(forwarded) : server?.send(forwarded)
    if (ownReply) void reply([ownReply])
  }

  function listen(side: WebSocketRoute, from: MessageSender): void {
    side.onMessage((message) => receive(from, message))
    side.onClose((code = NO_CODE, reason = '') => end({ code, reason }))
  }

  async function open(): Promise<void> {
    listen(route, undefined)
    if (delay > 0) await settleWithin(delay, closing)
    if (fail) return end({ code: FAILURE_CODE, reason: '' })
    if (change) listen((server = route.connectToServer()), 'server')
    if (state === 'new') state = 'open'
    // Playwright opens it when this ends, or with the first message.
    void reply(replyToOpening(rules))
  }

  return { url: route.url(), mock: mock.id, open, isOpen: () => state === 'open', reply, close: end }
}

// --- internal ---

// A page may close its connection to a server with these codes only.
const mayBeSent = (code: number): boolean => code === 1000 || code >= 3000

function decideFrame(
  { rule, matchText = () => false }: MockEntry,
  from: MessageSender,
  message: string | Buffer,
): { readonly ownReply?: SocketReply | undefined; readonly forwarded?: string | Buffer | undefined } {
  if (typeof message !== 'string') return { forwarded: message }
  const { reply, forwardedText } = decideMessage(rule.answer?.socket ?? [], from, message, matchText)
  return { ownReply: reply, forwarded: forwardedText }
}
