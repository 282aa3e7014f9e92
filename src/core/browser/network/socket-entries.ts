// A mocked WebSocket in the network log and the timeline.

import { clip } from '../../base/text/clip.ts'
import type { PageHooks } from '../../sessions/types/browsers.ts'

/** What mocked WebSockets use of the hooks of their session. */
export type MockSocketHooks = Pick<
  PageHooks,
  'isRefused' | 'onRequest' | 'onRequestProgress' | 'onWebSocketFrame' | 'onEntry'
>

interface SocketLog {
  frame(direction: 'sent' | 'received', message: string | Buffer): void
  /** `isFailure`: the mock failed it. */
  end(code: number, isFailure: boolean): void
}

const URL_LIMIT_CHARS = 4000
// More than is ever shown, because a frame is redacted before it is cut.
const FRAME_LIMIT_CHARS = 16_000

/** Notes that a mock answers a WebSocket. `url` is that of the socket, `mock` the id of the mock. */
export function logMockSocket(
  url: string,
  mock: string,
  { onRequest, onRequestProgress, onWebSocketFrame, onEntry }: MockSocketHooks,
): SocketLog {
  const clippedUrl = clip(url, URL_LIMIT_CHARS)
  const seq = onRequest({
    method: 'GET',
    url: clippedUrl,
    type: 'websocket',
    framesSent: 0,
    framesReceived: 0,
  })
  onRequestProgress(seq, { mock })
  const note = (level: 'info' | 'error', outcome: string) =>
    onEntry({
      kind: 'request',
      level,
      text: `WebSocket ${clippedUrl} → ${outcome} (mock ${mock})`,
      data: { type: 'websocket', mock, isSocketEvent: true },
    })
  note('info', 'answered')
  return {
    frame: (direction, message) =>
      onWebSocketFrame(
        seq,
        typeof message === 'string'
          ? { direction, body: message.slice(0, FRAME_LIMIT_CHARS) }
          : { direction, bytes: message.length },
      ),
    end(code, isFailure) {
      onRequestProgress(seq, isFailure ? { state: 'failed', failure: 'failed' } : { state: 'done' })
      note(isFailure ? 'error' : 'info', isFailure ? 'failed' : `closed (${code})`)
    },
  }
}
