// The rate limits of HTTP clients: what a request asks for is counted here and nowhere else, before it is validated or routed.

import type { ServerResponse } from 'node:http'
import { sendJson, sendRpcError } from './http-answers.ts'
import { rpcMethodOf, type RpcBody } from './request-body.ts'
import type { RateLimiter } from '../calls/rate-limiter.ts'
import { failureRecordOf, failureText } from '../answers/failure-text.ts'
import { failureResult } from '../answers/format-result.ts'
import type { Failure } from '../../core/failure.ts'

const TOOL_CALL_METHOD = 'tools/call'

/** Counts a request of a client with all messages of its body. Returns true after it has answered because there were too many: a call of a
 * tool by a result, so that the model learns how long to wait, everything else by 429. */
export function refuseTooMany(
  response: ServerResponse,
  limiter: Pick<RateLimiter, 'checkCalls' | 'checkRequests'>,
  client: string,
  { messages }: Pick<RpcBody, 'messages'> = { messages: [] },
): boolean {
  const calls = messages.filter((message) => rpcMethodOf(message) === TOOL_CALL_METHOD)
  // A request without a message counts as one.
  const requestCount = messages.length === 0 ? 1 : messages.length - calls.length
  const requestCheck = limiter.checkRequests(client, requestCount)
  const check = requestCheck.ok ? limiter.checkCalls(client, calls.length) : requestCheck
  if (check.ok) return false
  const retryAfterMs = check.error.code === 'RATE_LIMITED' ? check.error.retryAfterMs : 1000
  response.setHeader('Retry-After', String(Math.ceil(retryAfterMs / 1000)))
  const id = messages.length === 1 ? idOfCall(calls[0]) : undefined
  if (id === undefined) sendRpcError(response, 429, -32_000, failureText(check.error))
  else sendJson(response, 200, { jsonrpc: '2.0', id, result: resultOf(check.error) })
  return true
}

// --- internal ---

// Clients of the legacy era ignore `resultType`, which those of the modern era require.
const resultOf = (failure: Failure) => ({
  resultType: 'complete',
  ...failureResult(failureRecordOf(failure, Date.now())),
})

// Undefined for what no client can read the result of.
function idOfCall(message: unknown): string | number | undefined {
  const { id, params } = (message ?? {}) as { id?: unknown; params?: { name?: unknown } }
  if (typeof params?.name !== 'string') return undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
