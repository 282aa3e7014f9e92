// A connection to the CDP address of a remote browser. Playwright's own has no ping, so it would not notice that the other end is gone.

import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers'
import type { ConnectOverCDPTransport } from 'playwright'
import { WebSocket } from 'ws'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { createDeferred, settleWithin } from '../../core/base/system/settle-within.ts'
import { startTimer } from '../../core/base/system/timer.ts'
import { noteLoss } from '../../core/browser/playwright/browser-source.ts'
import { attempt } from '../../core/browser/playwright/errors.ts'
import { markApart } from '../../core/browser/playwright/internals.ts'
import { readMessage } from './cdp-message.ts'
import { describeStatus } from './http-call.ts'
import type { ConnectRequest, RemoteConnection } from './remote-connection.ts'

const MESSAGE_LIMIT_BYTES = 64_000_000
/** Balancers cut connections on which nothing is sent for a minute. */
const PING_INTERVAL_MS = 20_000

/** Connects Playwright to a browser. Fails as `toFailure` says. */
export async function connectOverCdp(
  request: ConnectRequest,
  toFailure: (error: Error) => Failure,
): Promise<Outcome<RemoteConnection>> {
  const { label, timeoutMs } = request
  const { chromium } = await import('playwright')
  const open = async (): Promise<RemoteConnection> => {
    const socket = await openSocket(request)
    let lastMessageAt = performance.now()
    let closeReason: string | undefined
    const transport: ConnectOverCDPTransport = {
      send: (message) => socket.send(JSON.stringify(message)),
      close: () => socket.close(),
    }
    // What is no message ends this connection, and nothing else.
    const refuse = () => {
      closeReason ??= 'ended, because it said something that is no message of CDP'
      socket.terminate()
    }
    socket.on('message', (data) => {
      lastMessageAt = performance.now()
      const messages = readMessage(data as Buffer)
      if (!messages) return refuse()
      // Playwright adds its listeners between two messages.
      for (const message of messages)
        setImmediate(() => void Promise.resolve(transport.onmessage?.(message)).catch(refuse))
    })
    const closed = createDeferred<Error>()
    socket.on('close', (code, reason) => {
      closeReason ??= describeClose(code, String(reason))
      // Playwright does not notice an end that comes before it listens.
      setImmediate(() =>
        transport.onclose
          ? transport.onclose()
          : closed.resolve(new Error(`the connection was ${closeReason}`)),
      )
    })
    keepAlive(socket)
    const browser = await failWhenClosed(
      chromium.connectOverCDP(transport, { timeout: timeoutMs }),
      closed.promise,
    ).catch((error: unknown) => {
      socket.terminate()
      throw error
    })
    markApart(browser)
    browser.once('disconnected', () =>
      noteLoss(browser, `the connection to ${label} was ${closeReason ?? 'closed'}`),
    )
    const opening = browser.newBrowserCDPSession()
    opening.catch(() => {})
    return {
      browser,
      ping: async () => (await opening).send('Browser.getVersion'),
      cut: () => socket.terminate(),
      lastMessageAt: () => lastMessageAt,
    }
  }
  return attempt(open(), toFailure)
}

const failWhenClosed = <T>(opening: Promise<T>, closed: Promise<Error>): Promise<T> =>
  Promise.race([opening, closed.then((error) => Promise.reject(error))])

// 1006 is that of a connection that ended without a word.
const describeClose = (code: number, reason: string): string =>
  code === 1006
    ? 'cut'
    : `closed by its other end (${[code, reason.slice(0, 100)].filter(Boolean).join(' ')})`

async function openSocket({ url, headers, timeoutMs }: ConnectRequest): Promise<WebSocket> {
  const socket = new WebSocket(url, {
    headers: { ...headers },
    handshakeTimeout: timeoutMs,
    maxPayload: MESSAGE_LIMIT_BYTES,
    perMessageDeflate: false,
  })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
    socket.on('error', () => {})
    socket.once('unexpected-response', (_, response: IncomingMessage) => {
      void describeRefusal(response).then((reason) => reject(new Error(reason)))
    })
  })
}

const REFUSAL_TIMEOUT_MS = 1000
const REFUSAL_LIMIT_BYTES = 10_000

async function describeRefusal(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= REFUSAL_LIMIT_BYTES) chunks.push(chunk)
    else response.destroy()
  })
  await settleWithin(
    REFUSAL_TIMEOUT_MS,
    new Promise<void>((resolve) => response.once('end', () => resolve())),
  )
  response.destroy()
  return describeStatus(response.statusCode ?? 0, String(Buffer.concat(chunks)))
}

function keepAlive(socket: WebSocket): void {
  const ping = () => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.ping()
    startTimer(PING_INTERVAL_MS, ping)
  }
  startTimer(PING_INTERVAL_MS, ping)
}
