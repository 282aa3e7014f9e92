// Input fields that several tools share.

import * as v from 'valibot'
import type { Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'

export const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))

export const some = (about: string) => v.optional(v.pipe(v.string(), v.minLength(1), v.description(about)))

/** Where an earlier answer was cut. */
export const cursor = v.optional(v.pipe(v.string(), v.regex(/^\d+$/)))

/** A regular expression. */
export const pattern = v.optional(v.pipe(v.string(), v.maxLength(200)))

/** Only entries after this one. */
export const since = v.optional(whole(0, Number.MAX_SAFE_INTEGER))

export const limit = v.optional(whole(1, 1000))

export function patternOf(source: string | undefined): Outcome<RegExp | undefined> {
  if (source === undefined) return ok(undefined)
  try {
    return ok(new RegExp(source, 'i'))
  } catch (error) {
    const hint = error instanceof Error ? error.message : String(error)
    const received = JSON.stringify(source)
    return err({
      code: 'INVALID_PARAMETERS',
      field: 'pattern',
      expected: 'a regular expression',
      received,
      hint,
    })
  }
}

/** What `newest` wants of the fields of a list. */
export const queryOf = (fields: {
  since?: number | undefined
  cursor?: string | undefined
  limit: number
}) => ({
  limit: fields.limit,
  ...(fields.since !== undefined && { since: fields.since }),
  ...(fields.cursor !== undefined && { before: Number(fields.cursor) }),
})

export const cursorOf = (cursor: number | undefined) =>
  cursor === undefined ? {} : { cursor: String(cursor) }
