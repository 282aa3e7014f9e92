// The beginnings of the bodies of failed responses to scripts: a browser forgets a body with the page that received it.

import type { Response } from 'playwright'
import { readResponseBody } from './request-bodies.ts'
import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'

const KEPT_LIMIT = 200
const READING_LIMIT = 10
const KEPT_LIMIT_CHARS = 1024
// More than is kept, because it is redacted before it is cut.
const REDACTED_LIMIT_CHARS = 16_384
const WAIT_MS = 200

export interface FailedBodies {
  /** Reads the body of a response; ignored while too many others are read. `seq` is the number of its request. */
  add(response: Response, seq: number): void
  /** The first KB of a body, redacted; undefined if it is not known, or not read within a moment. */
  read(seq: number): Promise<string | undefined>
}

export function createFailedBodies(secrets: Pick<SecretHooks, 'redactData'> | undefined): FailedBodies {
  const bodies = createBoundedMap<number, Promise<string | undefined>>(KEPT_LIMIT)
  let readingCount = 0
  const readStart = async (response: Response): Promise<string | undefined> => {
    readingCount += 1
    const { body } = await readResponseBody(response)
    readingCount -= 1
    const start = body?.slice(0, REDACTED_LIMIT_CHARS)
    return start && (secrets?.redactData({ body: start }).body ?? start).slice(0, KEPT_LIMIT_CHARS)
  }
  return {
    add(response, seq) {
      if (readingCount < READING_LIMIT) bodies.set(seq, readStart(response))
    },
    async read(seq) {
      const body = await settleWithin(WAIT_MS, bodies.get(seq) ?? Promise.resolve(undefined))
      return body instanceof Error ? undefined : body
    },
  }
}
