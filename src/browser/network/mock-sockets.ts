// The WebSockets of a context that mocks answer. All WebSockets of documents that are opened from the first such mock on pass through
// Playwright; those without a mock are connected to their server.

import type { BrowserContext, WebSocketRoute } from 'playwright'
import { type MockSocketHooks, logMockSocket } from './socket-entries.ts'
import {
  replyToOpening,
  type SocketPush,
  decideMessage,
  type MessageSender,
  type SocketReply,
} from '../../core/network/socket.ts'
import { isForSockets } from '../../core/network/mock-rule.ts'
import { createDeferred, settleWithin } from '../../runtime/system/settle-within.ts'
import type { MockEntry } from '../../core/network/mock-list.ts'

interface MockSockets {
  /** Applies the mocks that the session has now. The sockets of mocks that it no longer has are closed. */
  update(): Promise<void>
  /** Sends to the open sockets whose URL matches, and returns their number. Waits for one up to `timeoutMs`. */
  push(push: SocketPush, timeoutMs: number): Promise<number>
}

/** The code of a server that restarts: pages connect again. */
const REMOVAL_CLOSE = { code: 1012, reason: 'The mock was removed.' } as const

/** `closing` resolves when the context closes. */
export function createMockSockets(
  context: BrowserContext,
  hooks: MockSocketHooks,
  closing: Promise<void>,
): MockSockets {
  const { mocks, isRefused = () => false } = hooks
  const sockets = new Set<MockSocket>()
  let nextOpening = createDeferred()
  let isRouting = false

  async function onSocket(route: WebSocketRoute): Promise<void> {
    // What the host rules refuse goes on to the proxy, which refuses it.
    const mock = isRefused(route.url()) ? undefined : mocks.matchSocket(route.url())
    if (!mock) return void route.connectToServer()
    const socket = createMockSocket(route, mock, hooks, closing, () => sockets.delete(socket))
    sockets.add(socket)
    await socket.open()
    nextOpening.resolve()
    nextOpening = createDeferred()
  }

  const openSockets = ({ matchesUrl }: SocketPush) =>
    [...sockets].filter((socket) => socket.isOpen() && matchesUrl(socket.url))

  async function waitForSocket(push: SocketPush): Promise<void> {
    while (openSockets(push).length === 0) await nextOpening.promise
  }

  return {
    async update() {
      const ids = new Set(mocks.list().map(({ id }) => id))
      for (const socket of sockets) if (!ids.has(socket.mock)) socket.close(REMOVAL_CLOSE)
      if (isRouting || !mocks.list().some(({ rule }) => isForSockets(rule))) return
      await context.routeWebSocket(/^/, onSocket)
      isRouting = true
    },
    async push(push, timeoutMs) {
      if (openSockets(push).length === 0) await settleWithin(timeoutMs, waitForSocket(push))
      const receivers = openSockets(push)
      const replies = replyToOpening(push.rules)
      await Promise.all(receivers.map((socket) => socket.reply(replies)))
      return receivers.length
    },
  }
}

// --- internal ---

// One WebSocket that a mock answers.
interface MockSocket {
  readonly url: string
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
function createMockSocket(
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
