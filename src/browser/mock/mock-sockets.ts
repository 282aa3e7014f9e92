// The WebSockets of a context that mocks answer. All WebSockets of documents that are opened from the first such mock on pass through
// Playwright; those without a mock are connected to their server.

import type { BrowserContext, WebSocketRoute } from 'playwright'
import { createMockSocket, type MockSocket } from './mock-socket.ts'
import type { MockSocketHooks } from './socket-entries.ts'
import { replyToOpening, type SocketPush } from '../../core/mock/socket.ts'
import { isForSockets } from '../../core/mock/mock.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

export interface MockSockets {
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
