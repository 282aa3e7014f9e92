// A connection to the CDP address of a remote browser. Playwright's own has no ping, so it would not notice that the other end is gone.

import { setImmediate } from 'node:timers'
import type { Browser, ConnectOverCDPTransport } from 'playwright'
import { WebSocket } from 'ws'
import { attempt } from '../playwright/errors.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { startTimer } from '../../runtime/system/timer.ts'

export interface RemoteConnection {
  readonly browser: Browser
  /** Cuts the connection: the browser is disconnected at once, whether or not the other end answers. */
  cut(): void
  /** When the browser has last sent something, in milliseconds of performance.now(). */
  lastMessageAt(): number
}

const MESSAGE_LIMIT_BYTES = 500_000_000
/** Balancers cut connections on which nothing is sent for a minute. */
const PING_INTERVAL_MS = 20_000

/** Connects Playwright to a browser. Fails as `toFailure` says. */
export async function connectOverCdp(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
  toFailure: (error: Error) => Failure,
): Promise<Outcome<RemoteConnection>> {
  const { chromium } = await import('playwright')
  const open = async (): Promise<RemoteConnection> => {
    const socket = await openSocket(url, headers, timeoutMs)
    let lastMessageAt = performance.now()
    const transport: ConnectOverCDPTransport = {
      send: (message) => socket.send(JSON.stringify(message)),
      close: () => socket.close(),
    }
    socket.on('message', (data) => {
      lastMessageAt = performance.now()
      const message = JSON.parse(String(data)) as object
      // Playwright adds its listeners between two messages.
      setImmediate(() => transport.onmessage?.(message))
    })
    socket.on('close', () => setImmediate(() => transport.onclose?.()))
    keepAlive(socket)
    const browser = await chromium
      .connectOverCDP(transport, { timeout: timeoutMs })
      .catch((error: unknown) => {
        socket.terminate()
        throw error
      })
    return { browser, cut: () => socket.terminate(), lastMessageAt: () => lastMessageAt }
  }
  return attempt(open(), toFailure)
}

function openSocket(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<WebSocket> {
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
  })
}

function keepAlive(socket: WebSocket): void {
  const ping = () => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.ping()
    startTimer(PING_INTERVAL_MS, ping)
  }
  startTimer(PING_INTERVAL_MS, ping)
}
