// Parses the input of a call. A failure names the first wrong field, what was expected and what was received.

import * as v from 'valibot'
import type { InvalidParameter } from '../../base/failure-records.ts'
import { invalidParameter } from '../../base/failure.ts'
import { err, type Result } from '../../base/result.ts'
import { clip } from '../../base/text/clip.ts'
import { findClosestName } from '../../base/text/closest-name.ts'
import { exceedsJsonLimits } from '../../base/text/parse-url.ts'
import {
  expectationOf,
  isUnknownField,
  pathOf,
  printableName,
  receivedOf,
  siblingsOf,
} from '../../tool/describe-issue.ts'
import { moveRefs } from '../../tool/target.ts'
import type { BoundCall, RawInput, Tool } from '../../tool/tool.ts'

const INPUT_LIMIT = { depth: 100, values: 100_000 } as const

/** Binds an input to a tool; INVALID_PARAMETERS if it does not match the schema. */
export function parseInput(tool: Tool, input: RawInput): Result<BoundCall, InvalidParameter> {
  if (exceedsJsonLimits(input, INPUT_LIMIT)) {
    const expected = `at most ${INPUT_LIMIT.depth} levels of nesting and ${INPUT_LIMIT.values} values`
    return err(invalidParameter('arguments', expected, 'more'))
  }
  const boundCall = tool.bind(coerceFields(tool.input.entries, input))
  if (boundCall.ok) return boundCall
  // A misspelled field explains a missing one, so it is reported first.
  const issue = boundCall.error.find(isUnknownField) ?? boundCall.error[0]
  if (!issue) throw new Error(`${tool.name} refused an input without a reason`)
  const field = printableName(clip(pathOf(issue) || 'arguments', 100))
  return err(failureOf(tool, field, issue))
}

function failureOf(
  { input, removed = {} }: Tool,
  field: string,
  issue: v.BaseIssue<unknown>,
): InvalidParameter {
  const expected = expectationOf(input, issue)
  if (!isUnknownField(issue)) return invalidParameter(field, expected, receivedOf(issue))
  const closest = findClosestName(String(issue.path?.at(-1)?.key), siblingsOf(input, issue))
  const hint = Object.hasOwn(removed, field) ? removed[field] : closest && `Did you mean ${closest}?`
  return invalidParameter(field, expected, 'an unknown field', hint)
}

// Converts what models often write: null for an omitted field, "2" for 2, 2 for "2", "true" for true, one value for a list of one, and the
// names and refs of other servers. Only exact forms are converted, and only where the schema does not accept the value, so that none changes
// its meaning.
type Schema = v.GenericSchema & {
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
  readonly options?: readonly Schema[]
  /** Of a record. */
  readonly value?: Schema
}

/** The value in the type that the schema accepts. A value that cannot be converted stays as it is, and the schema refuses it. */
export function coerce(schema: v.GenericSchema, value: unknown): unknown {
  const { type, wrapped, item, entries, options, value: recordValue } = schema as Schema
  if (type === 'optional' && wrapped) return coerce(wrapped, value)
  if (type === 'union' && options) return coerceToOption(options, value)
  if (type === 'string' && typeof value === 'number') return String(value)
  if (typeof value === 'string' && (type === 'number' || type === 'boolean')) return parseLiteral(type, value)
  if (type === 'array' && item) return coerceList(item, value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (type === 'record' && recordValue)
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, coerce(recordValue, field)]),
    )
  return entries ? coerceFields(entries, { ...value }, formFieldNames) : value
}

/** The fields of an object in the types that their schemas accept, under their own names. */
function coerceFields(
  entries: Readonly<Record<string, v.GenericSchema>>,
  fields: Readonly<Record<string, unknown>>,
  ignoredNames: ReadonlySet<string> = elementNames,
): Readonly<Record<string, unknown>> {
  const isGiven = (name: string) => Object.hasOwn(fields, name) && fields[name] !== null
  const isTaken = (name: string) => Object.hasOwn(entries, name)
  const nameOf = (name: string): string => {
    const own = isTaken(name) ? undefined : peerNames.get(name)
    return own !== undefined && isTaken(own) && !isGiven(own) ? own : name
  }
  const takesTarget = isTaken('ref')
  const present = Object.entries(fields)
    .filter(([name, field]) => field !== null || !refusesNull(entries, name))
    .filter(([name]) => isTaken(name) || !takesTarget || !ignoredNames.has(name))
    .map(([name, field]) => {
      const ownName = nameOf(name)
      const entry = Object.hasOwn(entries, ownName) ? entries[ownName] : undefined
      return [ownName, entry ? coerce(entry, field) : field] as const
    })
  return takesTarget ? moveRefs(Object.fromEntries(present)) : Object.fromEntries(present)
}

/** Names of fields in other servers, and here. */
const peerNames: ReadonlyMap<string, string> = new Map([
  ['target', 'selector'],
  ['startTarget', 'selector'],
  ['endTarget', 'toSelector'],
  ['startRef', 'ref'],
  ['endRef', 'toRef'],
  ['function', 'script'],
  ['expression', 'script'],
  ['state', 'is'],
  // Of a call within `steps`.
  ['name', 'tool'],
])

/** What other servers show to the person who permits a call. */
const elementNames: ReadonlySet<string> = new Set(['element', 'startElement', 'endElement'])
const formFieldNames: ReadonlySet<string> = new Set([...elementNames, 'name', 'type'])

function parseLiteral(type: 'number' | 'boolean', text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  const number = Number(text)
  return String(number) === text && Number.isFinite(number) ? number : text
}

function coerceList(item: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => coerce(item, element))
  const element = coerce(item, value)
  return v.is(item, element) ? [element] : value
}

function coerceToOption(options: readonly Schema[], value: unknown): unknown {
  if (options.some((option) => v.is(option, value))) return value
  for (const option of options) {
    const converted = coerce(option, value)
    if (v.is(option, converted)) return converted
  }
  return value
}

// A field of any type, such as arg of evaluate, accepts null as a value.
function refusesNull(entries: Readonly<Record<string, v.GenericSchema>>, name: string): boolean {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  return entry?.type === 'optional' && !v.safeParse(entry, null).success
}
