// Input fields that several tools share.

import * as v from 'valibot'

export const integerBetween = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))

/** Characters of an address; a data: URL holds a whole page. */
export const URL_LIMIT_CHARS = 2_000_000
export const PATH_LIMIT_CHARS = 4096
export const SELECTOR_LIMIT_CHARS = 4000

/** What no name, path, address or selector has: control characters other than white space, and halves of characters. */
const PRINTABLE_TEXT = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Cs}]*$/u
/** What no program can be given. */
const PROGRAM_ARGUMENT = /^[^\u0000\p{Cs}]*$/u
/** What a header can be called, and what it can hold. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[^\u0000-\u0008\n-\u001f\u007f-\u009f\p{Cs}]*$/u

/** What a failure calls these shapes. */
export const patternDescriptions: ReadonlyMap<unknown, string> = new Map([
  [PRINTABLE_TEXT, 'a string without control characters'],
  [PROGRAM_ARGUMENT, 'a string without NUL characters and lone surrogates'],
  [HEADER_NAME, 'an HTTP header name'],
  [HEADER_VALUE, 'an HTTP header value without control characters'],
])

/** A name, a path, an address or a selector, of at most so many characters: whatever is longer was not meant. */
export const text = (maximum: number) => v.pipe(v.string(), v.maxLength(maximum), v.regex(PRINTABLE_TEXT))

export const textList = (most: number, maximum: number) => v.pipe(v.array(text(maximum)), v.maxLength(most))

export const headers = (most: number, maximum: number) => {
  const name = v.pipe(v.string(), v.maxLength(500), v.regex(HEADER_NAME))
  const value = v.pipe(v.string(), v.maxLength(maximum), v.regex(HEADER_VALUE))
  return v.pipe(v.record(name, value), v.maxEntries(most))
}

/** What is given to a program: its command, its arguments, its variables. */
export const argument = (maximum: number) =>
  v.pipe(v.string(), v.maxLength(maximum), v.regex(PROGRAM_ARGUMENT))

/** What is typed, searched for or run, in whatever characters. */
export const anyText = (maximum: number) => v.pipe(v.string(), v.maxLength(maximum))

export const optionalText = (about: string, maximum = PATH_LIMIT_CHARS) =>
  v.optional(v.pipe(text(maximum), v.minLength(1), v.description(about)))

/** Where an earlier answer was cut. */
export const cursor = v.optional(v.pipe(v.string(), v.maxLength(20), v.regex(/^\d+$/)))

/** A regular expression. */
export const pattern = v.optional(anyText(200))

/** Only entries after this one. */
export const since = v.optional(integerBetween(0, Number.MAX_SAFE_INTEGER))

export const limit = v.optional(integerBetween(1, 1000))

/** Milliseconds that a call may take. */
export const timeout = v.optional(integerBetween(1, 600_000))

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
