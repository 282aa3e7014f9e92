// The requests of one session, each from its start to its end. Unlike a journal entry a request goes on changing after it is noted.

import { selectNewest, type EntryPage } from './journal.ts'
import { createBoundedMap } from '../limits/bounded-map.ts'
import { createRingBuffer, type RingBufferLimits } from '../limits/ring-buffer.ts'

export interface NetworkRequest {
  readonly seq: number
  /** Unix milliseconds. */
  readonly at: number
  readonly method: string
  readonly url: string
  /** What asked for it: document, script, fetch, xhr, image … */
  readonly type: string
  readonly state: 'pending' | 'done' | 'failed'
  readonly status?: number
  readonly mimeType?: string
  /** Milliseconds from its start to its end. */
  readonly duration?: number
  readonly failure?: string
  /** The number of frames of a WebSocket, where the browser reports them. */
  readonly framesSent?: number
  readonly framesReceived?: number
}

/** One frame of a WebSocket. */
export interface WebSocketFrame {
  /** Unix milliseconds. */
  readonly at: number
  readonly direction: 'sent' | 'received'
  /** What it carried, where that is text. */
  readonly body?: string
  /** Bytes, where that is no text. */
  readonly bytes?: number
}

export type NewWebSocketFrame = Omit<WebSocketFrame, 'at'>

export type RequestStart = Pick<NetworkRequest, 'method' | 'url' | 'type' | 'framesSent' | 'framesReceived'>
export type RequestProgress = Partial<
  Omit<NetworkRequest, 'seq' | 'at' | 'duration' | 'framesSent' | 'framesReceived' | keyof RequestStart>
>

export interface NetworkLog {
  start(request: RequestStart, at: number): number
  /** What has become known of a request; one that was dropped is ignored. */
  update(seq: number, progress: RequestProgress, at: number): void
  /** A frame of a WebSocket; one of a socket that has ended is counted no more. */
  addFrame(seq: number, frame: NewWebSocketFrame, at: number): void
  /** The newest frames of a WebSocket that are kept, in their order. */
  frames(seq: number, limit: number): readonly WebSocketFrame[]
  read(query: {
    since?: number
    before?: number
    limit: number
    accept?: (request: NetworkRequest) => boolean
  }): EntryPage<NetworkRequest>
}

// More than is ever shown, because it is redacted before it is cut.
const TEXT_LIMIT_CHARS = 8000

const FRAME_LIMITS = { entries: 2000, bytes: 2_000_000 } as const

interface RequestRecord {
  request: NetworkRequest
}

export function createNetworkLog(limits: RingBufferLimits): NetworkLog {
  const ring = createRingBuffer<RequestRecord>(limits)
  const frames = createRingBuffer<WebSocketFrame & { readonly socket: number }>(FRAME_LIMITS)
  // What never ends must not be kept for ever.
  const open = createBoundedMap<number, RequestRecord>(limits.entries)
  let seq = 0
  return {
    start({ url, ...started }, at) {
      seq += 1
      const short = url.length > TEXT_LIMIT_CHARS ? `${url.slice(0, TEXT_LIMIT_CHARS)}…` : url
      const held: RequestRecord = { request: { ...started, url: short, at, seq, state: 'pending' as const } }
      ring.add(held, short.length * 2 + 300)
      open.set(seq, held)
      return seq
    },
    update(id, progress, at) {
      const held = open.get(id)
      if (!held) return
      const ended = progress.state !== undefined && progress.state !== 'pending'
      held.request = {
        ...held.request,
        ...progress,
        ...(ended && { duration: Math.round(at - held.request.at) }),
      }
      if (ended) open.delete(id)
    },
    addFrame(id, { body, ...rest }, at) {
      const held = open.get(id)
      if (!held) return
      const { framesSent = 0, framesReceived = 0 } = held.request
      held.request = {
        ...held.request,
        framesSent: framesSent + (rest.direction === 'sent' ? 1 : 0),
        framesReceived: framesReceived + (rest.direction === 'received' ? 1 : 0),
      }
      const short = body && body.length > TEXT_LIMIT_CHARS ? `${body.slice(0, TEXT_LIMIT_CHARS)}…` : body
      const kept = { ...rest, ...(short !== undefined && { body: short }), at, socket: id }
      frames.add(kept, (short?.length ?? 0) * 2 + 200)
    },
    frames: (id, limit) =>
      frames
        .items()
        .filter(({ socket }) => socket === id)
        .slice(-limit)
        .map(({ socket: _, ...frame }) => frame),
    read(query) {
      const all = ring.items().map(({ request }) => request)
      return { ...selectNewest(all, query), dropped: ring.droppedCount() }
    },
  }
}
