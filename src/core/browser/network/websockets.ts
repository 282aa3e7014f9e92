// The WebSockets of a context's pages, from their handshake to their end, with their frames. Over BiDi only the handshake is reported, as
// a request, and no WebSocket.

import type { BrowserContext, Page, WebSocket } from 'playwright'
import { clip } from '../../base/text/clip.ts'
import type { PageHooks } from '../../sessions/types/browsers.ts'

type WebSocketHooks = Pick<PageHooks, 'onRequest' | 'onRequestProgress' | 'onWebSocketFrame' | 'onEntry'>

const URL_LIMIT_CHARS = 4000
// More than is ever shown, because a frame is redacted before it is cut.
const FRAME_LIMIT_CHARS = 16_000
const FAILURE_LIMIT_CHARS = 500

export function watchWebSockets(context: BrowserContext, hooks: WebSocketHooks): void {
  for (const page of context.pages()) watchPage(page, hooks)
  context.on('page', (page) => watchPage(page, hooks))
}

function watchPage(page: Page, hooks: WebSocketHooks): void {
  // The open sockets, each with the number of its document. Chromium does not report the end of sockets whose document is replaced.
  const documentBySeq = new Map<number, number>()
  let lastDocument = 0
  let pendingDocument = 0
  const end = (seq: number) => {
    if (documentBySeq.delete(seq)) hooks.onRequestProgress(seq, { state: 'done' })
  }
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      pendingDocument = ++lastDocument
  })
  page.on('domcontentloaded', () => {
    for (const [seq, document] of documentBySeq) if (document < pendingDocument) end(seq)
  })
  page.once('close', () => {
    for (const seq of documentBySeq.keys()) end(seq)
  })
  page.on('websocket', (socket) => {
    const url = clip(socket.url(), URL_LIMIT_CHARS)
    const seq = hooks.onRequest({ method: 'GET', url, type: 'websocket', framesSent: 0, framesReceived: 0 })
    documentBySeq.set(seq, lastDocument)
    watchSocket(socket, seq, hooks, () => end(seq))
  })
}

function watchSocket(socket: WebSocket, seq: number, hooks: WebSocketHooks, end: () => void): void {
  const reportFrame = (direction: 'sent' | 'received', payload: string | Buffer) =>
    hooks.onWebSocketFrame(
      seq,
      typeof payload === 'string'
        ? { direction, body: payload.slice(0, FRAME_LIMIT_CHARS) }
        : { direction, bytes: payload.length },
    )
  socket.on('framesent', ({ payload }) => reportFrame('sent', payload))
  socket.on('framereceived', ({ payload }) => reportFrame('received', payload))
  socket.on('close', end)
  socket.on('socketerror', (reason) => {
    const failure = reason.slice(0, FAILURE_LIMIT_CHARS)
    hooks.onRequestProgress(seq, { state: 'failed', failure })
    hooks.onEntry({
      kind: 'request',
      level: 'error',
      text: `WebSocket ${clip(socket.url(), URL_LIMIT_CHARS)} → ${failure}`,
    })
  })
}
