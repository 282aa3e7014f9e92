// What a request and its response carry: headers and bodies, read when somebody asks for them.

import type { Request, Response } from 'playwright'
import { messageOf } from '../playwright/errors.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Message } from '../../runtime/ports/page.ts'

const BODY_MAX_BYTES = 1_000_000
const ANSWER_TIMEOUT_MS = 2000

/** The headers of a request and of its response, or why they are not there. */
export async function readHeaders(request: Request): Promise<{ request: Message; response: Message }> {
  const [sent, response] = await Promise.all([had(request.allHeaders()), answerTo(request)])
  const received = response && (await had(response.allHeaders()))
  return {
    request: sent instanceof Error ? { note: sent.message } : { headers: sent },
    response:
      received instanceof Error || !received ? { note: received?.message ?? NONE } : { headers: received },
  }
}

/** The bodies of a request and of its response, or why they are not there. */
export async function readBodies(request: Request): Promise<{ request: Message; response: Message }> {
  const sent = request.postDataBuffer()
  const response = await answerTo(request)
  return {
    request: sent ? textOf(sent, request.headers()['content-type'] ?? '') : { note: 'no body was sent' },
    response: response ? await bodyOf(response) : { note: NONE },
  }
}

const NONE = 'no response yet'

async function answerTo(request: Request): Promise<Response | undefined> {
  const response = await had(request.response())
  return response instanceof Error ? undefined : (response ?? undefined)
}

// A body crosses to us whole, so one that is too large is never asked for. What was packed may be much larger unpacked.
async function bodyOf(response: Response): Promise<Message> {
  const sizes = await had(response.request().sizes())
  const told = Number(response.headers()['content-length'] ?? 0)
  const size = sizes instanceof Error ? told : Math.max(told, sizes.responseBodySize)
  const packed = response.headers()['content-encoding'] !== undefined
  const limit = packed ? BODY_MAX_BYTES / 5 : BODY_MAX_BYTES
  if (size > limit)
    return { note: `${size} bytes, more than the limit of ${limit}; fetch a part with evaluate` }
  const body = await had(response.body())
  if (body instanceof Error) return { note: `the browser no longer has it: ${messageOf(body).slice(0, 200)}` }
  return textOf(body, response.headers()['content-type'] ?? '')
}

function textOf(body: Buffer, type: string): Message {
  const text = /json|text|xml|javascript|urlencoded|graphql|csv|html/.test(type) || type === ''
  return text ? { body: body.toString('utf8') } : { note: `${body.length} bytes of ${type}` }
}

const had = async <T>(work: Promise<T>): Promise<T | Error> =>
  (await settleWithin(ANSWER_TIMEOUT_MS, work)) ?? new Error(`not available within ${ANSWER_TIMEOUT_MS} ms`)
