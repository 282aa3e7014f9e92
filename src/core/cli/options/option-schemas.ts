// What the values of options may be, wherever they come from.

import { delimiter } from 'node:path'
import * as v from 'valibot'
import { parseHostRules } from '../../base/network/host-rule.ts'
import { isStateName, STATE_NAME_RULE } from '../../sessions/store/session-name.ts'

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

export const yesNo = v.union(
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
export const stateName = v.pipe(v.string('a name'), v.check(isStateName, STATE_NAME_RULE))

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

// Hosts with commas or spaces between.
export const hostList = v.pipe(
  textList('a list of hosts'),
  v.check((text) => parseHostRules(text).ok, 'a list of host, *.host or address, each optionally with :port'),
)

/** Addresses of one of these schemes, with commas, spaces or lines between, or a JSON list of them. */
export const addressList = (schemes: RegExp, expected: string) =>
  v.pipe(
    textList(expected, '\n'),
    v.check((text) => {
      const addresses = listAddresses(text)
      return addresses.length > 0 && addresses.every((one) => schemes.test(one) && URL.canParse(one))
    }, expected),
  )

/** The addresses of a list. A comma may also stand in one of them. */
export const listAddresses = (text: string): readonly string[] =>
  text
    .split(/[\s,]+(?=\w+:\/\/)/)
    .map((address) => address.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter(Boolean)

/** Headers as NAME=VALUE, one a line. */
export const headerLines = v.pipe(
  textList('NAME=VALUE', '\n'),
  v.regex(/^(\s*[\w!#$%&'*+.^`|~-]+=[^\r\n]*(\n|$))+$/, 'NAME=VALUE'),
)

export const DAY_MS = 86_400_000

// Paths as in PATH, with a colon between, or a semicolon on Windows; or a JSON list.
export const commandList = v.pipe(textList('a list of paths', delimiter), v.nonEmpty('a list of paths'))

// Names of environment variables with commas or spaces between, or a JSON list of them. An empty one allows none.
export const variableList = v.pipe(
  textList('names of variables'),
  v.regex(/^[\s,]*([A-Za-z_]\w*([\s,]+|$))*$/, 'comma-separated names of variables'),
)

export const jsonObject = v.pipe(v.string('a JSON object'), v.check(isJsonObject, 'a JSON object'))

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const serviceCall = v.strictObject({
  url: v.pipe(v.string(), v.regex(/^https?:\/\//)),
  method: v.optional(v.picklist(['POST', 'PUT', 'DELETE', 'GET'])),
  body: v.optional(v.unknown()),
})

/** The calls of a service that creates browsers, as text or as they are in a config file. */
export const serviceCalls = v.pipe(
  v.union([v.string(), v.record(v.string(), v.unknown())], 'a JSON object'),
  v.transform((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  v.check(isJsonObject, 'a JSON object'),
  v.check(
    (text) => !isJsonObject(text) || v.is(serviceCallsObject, JSON.parse(text)),
    'create, with a url, connect, and release, as docs/remote.md describes',
  ),
)

const serviceCallsObject = v.strictObject({
  create: serviceCall,
  connect: v.string(),
  release: v.optional(serviceCall),
})

/** Something that a session leaves never, always, or where a call failed. */
export const whenOption = (what: string) => ({
  schema: v.optional(oneOf('off', 'on', 'on-failure'), 'off'),
  value: 'WHEN',
  about: `off, on, on-failure: ${what}`,
})
