// One request to a server that is starting. Each request to a URL waits longer than the one before: a page may be slow, but a server may also
// never answer a request that it received while starting.

import { probeUrl, type ProbeAnswer } from './http-probe.ts'
import type { CheckReach } from '../../runtime/ports/egress-proxy.ts'

const FIRST_TIMEOUT_MS = 3000
const TIMEOUT_LIMIT_MS = 10_000

export interface PageRequest {
  readonly url: string
  /** Whether the scheme of the URL is known. */
  readonly isSchemeKnown: boolean
  /** Milliseconds for the next response, by URL. */
  readonly timeouts: Map<string, number>
  /** Aborted once the response is not needed. */
  readonly signal: AbortSignal
}

export interface PageResponse {
  /** With the scheme that the server speaks. */
  readonly url: string
  readonly answer: ProbeAnswer | undefined
}

/** The response of a URL over http or, unless the scheme is known, https. */
export async function requestPage(
  { url, isSchemeKnown, timeouts, signal }: PageRequest,
  reach: CheckReach | undefined,
): Promise<PageResponse> {
  const timeoutMs = timeouts.get(url) ?? FIRST_TIMEOUT_MS
  timeouts.set(url, Math.min(timeoutMs * 2, TIMEOUT_LIMIT_MS))
  const options = { timeoutMs, reach, isOwnServer: true, signal }
  const answer = await probeUrl(url, options)
  // A TLS server closes a plain HTTP connection or responds with 400.
  if (isSchemeKnown || (answer && answer.status !== 400)) return { url, answer }
  const secureUrl = url.replace('http:', 'https:')
  const secureAnswer = await probeUrl(secureUrl, options)
  return secureAnswer ? { url: secureUrl, answer: secureAnswer } : { url, answer }
}
