// The mocks of one session. The newest one that matches decides on a request or a WebSocket; those that only count do not decide.

import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import { hasResponse, isCounter, isForSockets, type Mock, type MockAnswer } from './mock-rule.ts'

declare module '../../core/sessions/types/browsers.ts' {
  interface PageHooks {
    readonly mocks: Pick<MockList, 'list' | 'match' | 'matchSocket'>
  }
}

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly mocks: MockList
  }
}

export interface MockEntry extends Mock {
  /** Its id: m1, m2, … */
  readonly id: string
  readonly matchCount: number
}

export interface MockList {
  add(mock: Mock): string
  /** Removes a mock; false if there is none with this id. */
  remove(id: string): boolean
  clear(): void
  /** The mocks, oldest first. */
  list(): readonly MockEntry[]
  /** Counts a request, and returns the mock that decides on it. */
  match(method: string, url: string): MockEntry | undefined
  /** Counts a WebSocket, and returns the mock that decides on it. */
  matchSocket(url: string): MockEntry | undefined
}

/** Lets the pages of a session answer requests by its mocks. One that cannot be applied is removed again. */
export function addMocks({ endSignal }: NewSession): SessionFeature {
  const mocks = createMockList()
  endSignal.addEventListener('abort', mocks.clear, { once: true })
  return {
    members: { mocks },
    pageHooks: { mocks },
    async perform(action, next) {
      if (action.kind !== 'mock' || !action.mock) return next()
      const id = mocks.add(action.mock)
      const outcome = await next()
      if (!outcome.ok) mocks.remove(id)
      return outcome
    },
  }
}

export function createMockList(): MockList {
  let entries: readonly MockEntry[] = []
  let lastNumber = 0
  const count = (countedIds: ReadonlySet<string>) => {
    entries = entries.map((entry) =>
      countedIds.has(entry.id) ? { ...entry, matchCount: entry.matchCount + 1 } : entry,
    )
  }
  return {
    add(mock) {
      lastNumber += 1
      const id = `m${lastNumber}`
      entries = [...entries, { ...mock, id, matchCount: 0 }]
      return id
    },
    remove(id) {
      const removed = entries.find((entry) => entry.id === id)
      entries = entries.filter((entry) => entry !== removed)
      removed?.close?.()
      return removed !== undefined
    },
    clear() {
      for (const { close } of entries) close?.()
      entries = []
    },
    list: () => entries,
    match(method, url) {
      const matching = entries.filter((entry) => !isForSockets(entry.rule) && matches(entry, method, url))
      const decisive = matching.findLast(({ rule }) => !isCounter(rule))
      const counted = matching.filter((entry) => entry === decisive || isCounter(entry.rule))
      count(new Set(counted.map(({ id }) => id)))
      return decisive
    },
    matchSocket(url) {
      const decisive = entries.findLast((entry) => isForSockets(entry.rule) && matches(entry, 'GET', url))
      if (decisive) count(new Set([decisive.id]))
      return decisive
    },
  }
}

const matches = ({ rule, matchCount, matchesUrl }: MockEntry, method: string, url: string): boolean =>
  (rule.method === undefined || rule.method.toUpperCase() === method.toUpperCase()) &&
  matchCount < (rule.answer?.times ?? Infinity) &&
  matchesUrl(url)

/** A mock as a list shows it. Bodies and headers are left out: they may be long, and the caller has sent them. */
export interface MockSummary {
  readonly id: string
  readonly method?: string
  readonly url?: string
  readonly answer: string
  readonly matches: number
  readonly times?: number
}

export function summarizeMock({ id, rule, matchCount }: MockEntry): MockSummary {
  const { method, url, answer = {}, har } = rule
  return {
    id,
    method,
    url,
    answer: har === undefined ? describeAnswer(answer) : `from ${har}`,
    matches: matchCount,
    times: answer.times,
  }
}

function describeAnswer(answer: MockAnswer): string {
  const { status, delay, fail, change, socket } = answer
  const content = (['json', 'body', 'path', 'stream', 'headers'] as const).filter(
    (name) => answer[name] !== undefined,
  )
  const response = hasResponse(answer) ? [String(status ?? (change ? '' : 200)), content.join(', ')] : []
  const messages = socket
    ? [`WebSocket, ${socket.length} ${socket.length === 1 ? 'message' : 'messages'}`]
    : []
  const parts = [
    ...(delay === undefined ? [] : [`after ${delay} ms`]),
    ...(fail ? ['failure'] : []),
    ...(change && !fail ? ['changed:'] : []),
    ...(fail ? [] : [...response, ...messages]),
  ]
  return parts.filter(Boolean).join(' ') || 'counted only'
}
