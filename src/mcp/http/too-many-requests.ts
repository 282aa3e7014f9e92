// The HTTP answer to a client that exceeds its rate limit.

import type { ServerResponse } from 'node:http'
import { sendRpcError } from './http-answers.ts'
import type { RateLimiter } from '../calls/rate-limiter.ts'
import { failureText } from '../answers/failure-text.ts'

/** Counts requests of a client. Returns true after it has answered 429 because there were too many. */
export function refuseTooMany(
  response: ServerResponse,
  limiter: Pick<RateLimiter, 'checkRequests'>,
  client: string,
  requestCount: number,
): boolean {
  const limitCheck = limiter.checkRequests(client, requestCount)
  if (limitCheck.ok) return false
  const retryAfterMs = limitCheck.error.code === 'RATE_LIMITED' ? limitCheck.error.retryAfterMs : 1000
  response.setHeader('Retry-After', String(Math.ceil(retryAfterMs / 1000)))
  sendRpcError(response, 429, -32_000, failureText(limitCheck.error))
  return true
}
