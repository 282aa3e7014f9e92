// The WebSockets of a context that mocks answer. All WebSockets of documents that are opened from the first such mock on pass through
// Playwright; those without a mock are connected to their server.

import type { BrowserContext, WebSocketRoute } from 'playwright'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { logMockSocket, type MockSocketHooks } from '../../core/browser/network/socket-entries.ts'
import type { PageHooks } from '../../core/sessions/types/browsers.ts'
import type { MockEntry } from './mock-list.ts'
import { isForSockets } from './mock-rule.ts'

interface MockSockets {
  /** Applies the mocks that the session has now. The sockets of mocks that it no longer has are closed. */
  update(): Promise<void>
}

/** `closing` resolves when the context closes. */
export function createMockSockets(
  context: BrowserContext,
  hooks: MockSocketHooks & Pick<PageHooks, 'mocks'>,
  closing: Promise<void>,
): MockSockets {
  const { mocks, isRefused = () => false } = hooks
  const sockets = new Set<MockSocket>()
  let isRouting = false

  async function onSocket(route: WebSocketRoute): Promise<void> {
    // What the host rules refuse goes on to the proxy, which refuses it.
    const mock = isRefused(route.url()) ? undefined : mocks.matchSocket(route.url())
    if (!mock) return void route.connectToServer()
    const socket = createMockSocket(route, mock, hooks, () => sockets.delete(socket))
    sockets.add(socket)
    const { delay = 0 } = mock.rule.answer ?? {}
    if (delay > 0) await settleWithin(delay, closing)
    socket.open()
  }

  return {
    async update() {
      const ids = new Set(mocks.list().map(({ id }) => id))
      for (const socket of sockets) if (!ids.has(socket.mock)) socket.close(REMOVAL_CLOSE)
      if (isRouting || !mocks.list().some(({ rule }) => isForSockets(rule))) return
      await context.routeWebSocket(/^/, onSocket)
      isRouting = true
    },
  }
}

// --- internal ---

interface SocketEnd {
  readonly code: number
  readonly reason?: string
}

/** The code of a server that restarts: pages connect again. */
const REMOVAL_CLOSE: SocketEnd = { code: 1012, reason: 'The mock was removed.' }
/** As browsers report a connection that failed, and a close without a code. */
const FAILURE_CODE = 1006
const NO_CODE = 1005

// One WebSocket that a mock answers.
interface MockSocket {
  readonly mock: string
  /** Sends the messages of its mock, or fails it. Playwright opens it with the first message, or when its handler has ended. */
  open(): void
  close(end: SocketEnd): void
}

/** `onEnd` is called once, when it is closed or its document is gone. */
function createMockSocket(
  route: WebSocketRoute,
  { id, rule }: MockEntry,
  hooks: MockSocketHooks,
  onEnd: () => void,
): MockSocket {
  const { socket: messages = [], fail = false } = rule.answer ?? {}
  const log = logMockSocket(route.url(), id, hooks)
  let isClosed = false

  function close(end: SocketEnd): void {
    if (isClosed) return
    isClosed = true
    log.end(end.code, fail)
    onEnd()
    void route.close(end)
  }

  function send(message: unknown): void {
    if (isClosed) return
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    log.frame('received', text)
    route.send(text)
  }

  route.onMessage((message) => log.frame('sent', message))
  route.onClose((code = NO_CODE, reason = '') => close({ code, reason }))
  return {
    mock: id,
    open: () => (fail ? close({ code: FAILURE_CODE }) : messages.forEach(send)),
    close,
  }
}
