// One request to a server that is starting. A page may be slow, so the next request waits twice as long; but not at once, because a request
// may be lost while a server starts.

import { probeUrl, type ProbeAnswer } from './http-probe.ts'
import type { CheckReach } from '../../runtime/ports/egress-proxy.ts'

const FIRST_TIMEOUT_MS = 3000
const TIMEOUT_LIMIT_MS = 30_000

export interface PageRequest {
  readonly url: string
  /** Whether the scheme of the URL is known. */
  readonly isHttp: boolean
  /** Milliseconds for the next response, by URL. */
  readonly timeouts: Map<string, number>
}

export interface PageResponse {
  /** With the scheme that the server speaks. */
  readonly url: string
  readonly answer: ProbeAnswer | undefined
}

export async function requestPage(
  { url, isHttp, timeouts }: PageRequest,
  reach: CheckReach | undefined,
): Promise<PageResponse> {
  const timeoutMs = timeouts.get(url) ?? FIRST_TIMEOUT_MS
  timeouts.set(url, Math.min(timeoutMs * 2, TIMEOUT_LIMIT_MS))
  const answer = await probeUrl(url, timeoutMs, reach, true)
  // A TLS server closes a plain HTTP connection or responds with 400.
  if (isHttp || (answer && answer.status !== 400)) return { url, answer }
  const secureUrl = url.replace('http:', 'https:')
  const secureAnswer = await probeUrl(secureUrl, timeoutMs, reach, true)
  return secureAnswer ? { url: secureUrl, answer: secureAnswer } : { url, answer }
}
