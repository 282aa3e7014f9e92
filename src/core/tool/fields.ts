// Input fields that several tools share.

import * as v from 'valibot'

/** A field with a description that models read. */
export const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description))

export const integerBetween = (minimum: number, maximum: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum))

export const buttons = ['left', 'right', 'middle'] as const
export const modifierKeys = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'] as const

/** A data: URL may contain a whole page. */
export const URL_LIMIT_CHARS = 2_000_000
export const PATH_LIMIT_CHARS = 4096
export const SELECTOR_LIMIT_CHARS = 4000

/** Names, paths, URLs and selectors: no control characters other than white space, no lone surrogates. */
const PRINTABLE_TEXT = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Cs}]*$/u
/** Arguments and variables of a program: no NUL characters, no lone surrogates. */
const PROGRAM_ARGUMENT = /^[^\u0000\p{Cs}]*$/u
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[^\u0000-\u0008\n-\u001f\u007f-\u009f\p{Cs}]*$/u

/** A name, path, URL or selector of at most `maximum` characters. */
export const text = (maximum: number) =>
  v.pipe(v.string(), v.maxLength(maximum), v.regex(PRINTABLE_TEXT, 'a string without control characters'))

/** A text of at least one character, such as a name. */
export const shortText = v.pipe(text(500), v.minLength(1))

export const textList = (maximumCount: number, maximumLength: number) =>
  v.pipe(v.array(text(maximumLength)), v.maxLength(maximumCount))

export const headers = (maximumCount: number, maximumLength: number) => {
  const name = v.pipe(v.string(), v.maxLength(500), v.regex(HEADER_NAME, 'an HTTP header name'))
  const value = v.pipe(
    v.string(),
    v.maxLength(maximumLength),
    v.regex(HEADER_VALUE, 'an HTTP header value without control characters'),
  )
  return v.pipe(v.record(name, value), v.maxEntries(maximumCount))
}

/** A command, an argument or an environment variable of a program. */
export const argument = (maximum: number) =>
  v.pipe(
    v.string(),
    v.maxLength(maximum),
    v.regex(PROGRAM_ARGUMENT, 'a string without NUL characters and lone surrogates'),
  )

/** Text that is typed, searched for or run: all characters are allowed. */
export const anyText = (maximum: number) => v.pipe(v.string(), v.maxLength(maximum))

// Linux accepts 128 KiB for one argument or variable.
export const ARGUMENT_LIMIT_CHARS = 131_000

/** Environment variables of a program. */
export const environment = v.optional(
  v.pipe(v.record(argument(500), argument(ARGUMENT_LIMIT_CHARS)), v.maxEntries(1000)),
)

export const filePath = v.pipe(text(PATH_LIMIT_CHARS), v.minLength(1))

/** The position at which the previous answer was truncated. */
export const cursor = v.optional(
  v.pipe(v.string(), v.maxLength(20), v.regex(/^\d+$/, 'the cursor of an earlier result')),
)

/** A regular expression. */
export const pattern = v.optional(anyText(200))

/** The seq of an entry; only later entries are returned. */
export const since = v.optional(integerBetween(0, Number.MAX_SAFE_INTEGER))

export const limit = v.optional(integerBetween(1, 1000), 50)

/** Timeout of the call in milliseconds. */
export const timeout = v.optional(integerBetween(1, 600_000))

/** The query of a journal or network log for the input fields of a list, up to the last number that may be shown. */
export const queryOf = (
  { since, cursor, limit }: { since?: number | undefined; cursor?: string | undefined; limit: number },
  reportedSeq: number,
) => ({ limit, since, before: Math.min(Number(cursor ?? Infinity), reportedSeq + 1) })

export const cursorOf = (cursor: number | undefined) =>
  cursor === undefined ? {} : { cursor: String(cursor) }
