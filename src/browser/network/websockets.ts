// The WebSockets of a context's pages, from their handshake to their end, with what goes over them. Over BiDi only the handshake is reported,
// as a request; there is nothing here for it then.

import type { BrowserContext, Page, WebSocket } from 'playwright'
import { clip } from '../../core/text/clip.ts'
import type { PageHooks } from '../../runtime/ports/browsers.ts'

type Hooks = Pick<PageHooks, 'requested' | 'progressed' | 'framed' | 'observe'>

const URL_LENGTH = 4000
// More than is ever shown, because it is redacted before it is cut.
const BODY_LENGTH = 16_000

export function watchWebSockets(context: BrowserContext, hooks: Hooks): void {
  for (const page of context.pages()) watchPage(page, hooks)
  context.on('page', (page) => watchPage(page, hooks))
}

function watchPage(page: Page, hooks: Hooks): void {
  // Those that are open, and the document that they belong to. Chromium does not tell of the end of sockets whose document is left.
  const open = new Map<number, number>()
  let documents = 0
  let leaving = 0
  const end = (seq: number) => {
    if (open.delete(seq)) hooks.progressed(seq, { state: 'done' })
  }
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) leaving = ++documents
  })
  page.on('domcontentloaded', () => {
    for (const [seq, document] of open) if (document < leaving) end(seq)
  })
  page.once('close', () => {
    for (const seq of open.keys()) end(seq)
  })
  page.on('websocket', (socket) => {
    const url = clip(socket.url(), URL_LENGTH)
    const seq = hooks.requested({ method: 'GET', url, type: 'websocket', framesSent: 0, framesReceived: 0 })
    open.set(seq, documents)
    watchSocket(socket, seq, hooks, () => end(seq))
  })
}

function watchSocket(socket: WebSocket, seq: number, hooks: Hooks, end: () => void): void {
  const framed = (direction: 'sent' | 'received', payload: string | Buffer) =>
    hooks.framed(
      seq,
      typeof payload === 'string'
        ? { direction, body: payload.slice(0, BODY_LENGTH) }
        : { direction, bytes: payload.length },
    )
  socket.on('framesent', ({ payload }) => framed('sent', payload))
  socket.on('framereceived', ({ payload }) => framed('received', payload))
  socket.on('close', end)
  socket.on('socketerror', (reason) => {
    const failure = reason.slice(0, 500)
    hooks.progressed(seq, { state: 'failed', failure })
    hooks.observe({
      kind: 'request',
      level: 'error',
      text: `WebSocket ${clip(socket.url(), URL_LENGTH)} → ${failure}`,
    })
  })
}
