// What is said over HTTP where a client asks for too much.

import type { ServerResponse } from 'node:http'
import { rpcError } from './http-answers.ts'
import type { Limiter } from '../calls/rate-limiter.ts'
import { failureText } from '../answers/failure-text.ts'

/** Counts the requests of a client. True where there were too many, which has been answered then. */
export function refuseTooMany(
  response: ServerResponse,
  limiter: Pick<Limiter, 'checkRequests'>,
  client: string,
  requests: number,
): boolean {
  const counted = limiter.checkRequests(client, requests)
  if (counted.ok) return false
  const wait = counted.error.code === 'RATE_LIMITED' ? counted.error.retryAfterMs : 1000
  response.setHeader('Retry-After', String(Math.ceil(wait / 1000)))
  rpcError(response, 429, -32_000, failureText(counted.error))
  return true
}
