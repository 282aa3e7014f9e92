// The requests of one session, each from its start to its end. Unlike a journal entry a request goes on changing after it is noted.

import { newest, type Page } from './journal.ts'
import { createRing, type Limits } from './ring.ts'

export interface Exchange {
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
}

export type Start = Pick<Exchange, 'method' | 'url' | 'type'>
export type Progress = Partial<Omit<Exchange, 'seq' | 'at' | 'duration' | keyof Start>>

export interface Traffic {
  start(request: Start, at: number): number
  /** What has become known of a request; one that was dropped is ignored. */
  note(seq: number, progress: Progress, at: number): void
  read(query: {
    since?: number
    before?: number
    limit: number
    accept?: (exchange: Exchange) => boolean
  }): Page<Exchange>
}

// More than is ever shown, because it is redacted before it is cut.
const LONGEST = 8000

interface Held {
  exchange: Exchange
}

export function createTraffic(limits: Limits): Traffic {
  const ring = createRing<Held>(limits)
  const open = new Map<number, Held>()
  let seq = 0
  return {
    start({ url, ...request }, at) {
      seq += 1
      const short = url.length > LONGEST ? `${url.slice(0, LONGEST)}…` : url
      const held: Held = { exchange: { ...request, url: short, at, seq, state: 'pending' as const } }
      ring.add(held, short.length * 2 + 300)
      open.set(seq, held)
      // What never ends must not be kept for ever.
      const [oldest = 0] = open.size > limits.entries ? open.keys() : []
      open.delete(oldest)
      return seq
    },
    note(id, progress, at) {
      const held = open.get(id)
      if (!held) return
      const ended = progress.state !== undefined && progress.state !== 'pending'
      held.exchange = {
        ...held.exchange,
        ...progress,
        ...(ended && { duration: Math.round(at - held.exchange.at) }),
      }
      if (ended) open.delete(id)
    },
    read(query) {
      const all = ring.items().map(({ exchange }) => exchange)
      return { ...newest(all, query), dropped: ring.dropped() }
    },
  }
}
