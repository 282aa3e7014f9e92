// The requests of one session. Unlike a journal entry a request is updated until it ends.

import {
  createBoundedMap,
  createRingBuffer,
  type RingBuffer,
  type RingBufferLimits,
} from '../../base/bounded-collections.ts'
import { clip } from '../../base/text/clip.ts'
import { createNumbering, type EntryPage, type Numbering, selectNewest } from './journal.ts'

export interface NetworkRequest {
  /** Its number in the session. */
  readonly seq: number
  /** Unix milliseconds. */
  readonly at: number
  readonly method: string
  readonly url: string
  /** The resource type: document, script, fetch, xhr, image … */
  readonly type: string
  /** The number of the page that it is of; undefined for the first one of a new page, and for those of no page. */
  readonly page?: number
  /** Whether it loads the document of a page, not that of a frame. */
  readonly isPageLoad?: boolean
  readonly state: 'pending' | 'done' | 'failed'
  readonly status?: number
  /** Whether the answer may be older than the request: it came from a service worker, or the server has nothing newer. */
  readonly isStored?: true
  readonly mimeType?: string
  /** Milliseconds from start to end. */
  readonly duration?: number
  readonly failure?: string
  /** The id of the mock that decided on it. */
  readonly mock?: string
  /** The number of frames of a WebSocket, if the browser reports them. */
  readonly framesSent?: number
  readonly framesReceived?: number
}

export interface WebSocketFrame {
  /** Unix milliseconds. */
  readonly at: number
  readonly direction: 'sent' | 'received'
  /** The payload of a text frame. */
  readonly body?: string
  /** The payload size in bytes of a binary frame. */
  readonly bytes?: number
}

export type NewWebSocketFrame = Omit<WebSocketFrame, 'at'>

export type RequestStart = Pick<
  NetworkRequest,
  'method' | 'url' | 'type' | 'page' | 'isPageLoad' | 'framesSent' | 'framesReceived'
>
export type RequestProgress = Partial<
  Omit<NetworkRequest, 'seq' | 'at' | 'duration' | 'framesSent' | 'framesReceived' | keyof RequestStart>
>

export interface NetworkLog {
  start(request: RequestStart, at: number): number
  /** Updates a request; a dropped one is ignored. */
  update(seq: number, progress: RequestProgress, at: number): void
  /** Adds a frame of a WebSocket; ignored after the end of the request. */
  addFrame(seq: number, frame: NewWebSocketFrame, at: number): void
  /** The newest stored frames of a WebSocket, oldest first. */
  frames(seq: number, limit: number): readonly WebSocketFrame[]
  /** The requests of a page from its newest document on, oldest first; all if there is none. Without a number those of all pages. */
  sincePageLoad(page?: number): readonly NetworkRequest[]
  read(query: {
    since?: number
    before?: number
    limit: number
    accept?: (request: NetworkRequest) => boolean
  }): EntryPage<NetworkRequest>
}

// More than is ever shown, because it is redacted before it is cut.
const LOGGED_LIMIT_CHARS = 8000

const FRAME_LIMITS = { entries: 2000, bytes: 2_000_000 } as const

interface RequestRecord {
  request: NetworkRequest
}

export function createNetworkLog(
  limits: RingBufferLimits,
  numbering: Numbering = createNumbering(),
): NetworkLog {
  const ring = createRingBuffer<RequestRecord>(limits)
  const frames = createRingBuffer<WebSocketFrame & { readonly socket: number }>(FRAME_LIMITS)
  // Requests that never end must not accumulate.
  const openRequests = createBoundedMap<number, RequestRecord>(limits.entries)
  return {
    start({ url, ...fields }, at) {
      const seq = numbering.next()
      const clippedText = clip(url, LOGGED_LIMIT_CHARS)
      const record: RequestRecord = {
        request: { ...fields, url: clippedText, at, seq, state: 'pending' as const },
      }
      ring.add(record, clippedText.length * 2 + 300)
      openRequests.set(seq, record)
      return seq
    },
    update(id, progress, at) {
      const record = openRequests.get(id)
      if (!record) return
      const hasEnded = progress.state !== undefined && progress.state !== 'pending'
      record.request = {
        ...record.request,
        ...progress,
        ...(hasEnded && { duration: Math.round(at - record.request.at) }),
      }
      if (hasEnded) openRequests.delete(id)
    },
    addFrame(id, { body, ...rest }, at) {
      const record = openRequests.get(id)
      if (!record) return
      const { framesSent = 0, framesReceived = 0 } = record.request
      record.request = {
        ...record.request,
        framesSent: framesSent + (rest.direction === 'sent' ? 1 : 0),
        framesReceived: framesReceived + (rest.direction === 'received' ? 1 : 0),
      }
      const clippedText = body === undefined ? undefined : clip(body, LOGGED_LIMIT_CHARS)
      const frame = { ...rest, body: clippedText, at, socket: id }
      frames.add(frame, (clippedText?.length ?? 0) * 2 + 200)
    },
    frames: (id, limit) =>
      frames
        .items()
        .filter(({ socket }) => socket === id)
        .slice(-limit)
        .map(({ socket: _, ...frame }) => frame),
    sincePageLoad: (page) => requestsSincePageLoad(ring, page),
    read(query) {
      const requests = ring.items().map(({ request }) => request)
      return { ...selectNewest(requests, query), dropped: ring.droppedCount() }
    },
  }
}

// --- internal ---

function requestsSincePageLoad(
  ring: RingBuffer<RequestRecord>,
  page: number | undefined,
): readonly NetworkRequest[] {
  const isOf = ({ request }: RequestRecord) => page === undefined || request.page === page
  const mayBeOf = (record: RequestRecord) => isOf(record) || record.request.page === undefined
  const loads = (record: RequestRecord) => record.request.isPageLoad === true
  const hasLoaded = ring.items().some((record) => loads(record) && isOf(record))
  const records = ring.itemsFrom((record) => loads(record) && (hasLoaded ? isOf : mayBeOf)(record))
  return records.filter(mayBeOf).map(({ request }) => request)
}
