// Input fields that several tools share.

import * as v from 'valibot'

export const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))

/** Characters of an address; a data: URL holds a whole page. */
export const URL_LENGTH = 2_000_000
export const PATH_LENGTH = 4096
export const SELECTOR_LENGTH = 4000

/** A text of at most so many characters: whatever is longer was not meant. */
export const text = (maximum: number) => v.pipe(v.string(), v.maxLength(maximum))

export const texts = (most: number, maximum: number) => v.pipe(v.array(text(maximum)), v.maxLength(most))

export const textRecord = (most: number, maximum: number) =>
  v.pipe(v.record(text(500), text(maximum)), v.maxEntries(most))

export const some = (about: string, maximum = PATH_LENGTH) =>
  v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(maximum), v.description(about)))

/** Where an earlier answer was cut. */
export const cursor = v.optional(v.pipe(v.string(), v.maxLength(20), v.regex(/^\d+$/)))

/** A regular expression. */
export const pattern = v.optional(v.pipe(v.string(), v.maxLength(200)))

/** Only entries after this one. */
export const since = v.optional(whole(0, Number.MAX_SAFE_INTEGER))

export const limit = v.optional(whole(1, 1000))

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
