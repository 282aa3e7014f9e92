import { hasResponse, type MockAnswer } from './mock.ts'
import type { MockEntry } from './mock-list.ts'

/** A mock as a list shows it. Bodies and headers are left out: they may be long, and the caller has sent them. */
export interface MockSummary {
  readonly id: string
  readonly method?: string
  readonly url?: string
  readonly answer: string
  /** The number of requests that it has matched. */
  readonly matches: number
  readonly times?: number
}

export function summarizeMock({ id, rule, matchCount }: MockEntry): MockSummary {
  const { method, url, answer = {}, har } = rule
  return {
    id,
    ...(method !== undefined && { method }),
    ...(url !== undefined && { url }),
    answer: har === undefined ? describeAnswer(answer) : `from ${har}`,
    matches: matchCount,
    ...(answer.times !== undefined && { times: answer.times }),
  }
}

// --- internal ---

function describeAnswer(answer: MockAnswer): string {
  const { status, delay, fail, change, socket } = answer
  const content = (['json', 'body', 'path', 'stream', 'headers'] as const).filter(
    (name) => answer[name] !== undefined,
  )
  const response = hasResponse(answer) ? [String(status ?? (change ? '' : 200)), content.join(', ')] : []
  const socketRules = socket ? [`WebSocket, ${socket.length} ${socket.length === 1 ? 'rule' : 'rules'}`] : []
  const parts = [
    ...(delay === undefined ? [] : [`after ${delay} ms`]),
    ...(fail ? ['failure'] : []),
    ...(change && !fail ? ['changed:'] : []),
    ...(fail ? [] : [...response, ...socketRules]),
  ]
  return parts.filter(Boolean).join(' ') || 'counted only'
}
