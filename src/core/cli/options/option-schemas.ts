// What the values of options may be, wherever they come from.

import { delimiter } from 'node:path'
import * as v from 'valibot'

export interface Option {
  readonly schema: v.GenericSchema<unknown, unknown>
  /** How its value is shown; none for a switch. */
  readonly value?: string
  readonly about: string
  /** Shown where the default is not a plain value. */
  readonly byDefault?: string
  /** Another environment variable that sets it. */
  readonly also?: string
  /** Given several times, the flag has one value a line. */
  readonly isRepeatable?: true
  /** Set, it names browsers that Footlight does not start. */
  readonly isElsewhere?: true
  /** Its value may have keys, which no message shows. */
  readonly isSecret?: true
}

// From a flag or a variable everything is text; from a config file numbers and booleans are themselves.
export const whole = (least: number, most: number) =>
  v.pipe(
    v.union(
      [v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))],
      `an integer from ${least} to ${most}`,
    ),
    v.integer(`an integer from ${least} to ${most}`),
    v.minValue(least, `at least ${least}`),
    v.maxValue(most, `at most ${most}`),
  )

const yesNo = v.union(
  [
    v.boolean(),
    v.pipe(
      v.string(),
      v.toLowerCase(),
      v.picklist(['true', 'false', '1', '0', 'yes', 'no']),
      v.transform((text) => ['true', '1', 'yes'].includes(text)),
    ),
  ],
  'true or false',
)

export const oneOf = <const T extends readonly string[]>(...names: T) =>
  v.picklist(names, `one of ${names.join(', ')}`)

export const path = v.pipe(v.string('a path'), v.nonEmpty('a path'))

// A text, or a JSON list whose items are joined.
export const textList = (expected: string, separator = ',') =>
  v.union(
    [
      v.string(),
      v.pipe(
        v.array(v.string()),
        v.transform((list) => list.join(separator)),
      ),
    ],
    expected,
  )

export const DAY_MS = 86_400_000

// Paths as in PATH, with a colon between, or a semicolon on Windows; or a JSON list.
export const commandList = v.pipe(textList('a list of paths', delimiter), v.nonEmpty('a list of paths'))

// Names of environment variables with commas or spaces between, or a JSON list of them. An empty one allows none.
export const variableList = v.pipe(
  textList('names of variables'),
  v.regex(/^[\s,]*([A-Za-z_]\w*([\s,]+|$))*$/, 'comma-separated names of variables'),
)

/** A flag that needs no value. */
export const switchOption = (byDefault: boolean, about: string) => ({
  schema: v.optional(yesNo, byDefault),
  about,
})

/** Something that a session leaves never, always, or where a call failed. */
export const whenOption = (what: string) => ({
  schema: v.optional(oneOf('off', 'on', 'on-failure'), 'off'),
  value: 'WHEN',
  about: `off, on, on-failure: ${what}`,
})
