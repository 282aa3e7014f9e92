// Parses the input of a call. A failure names the first wrong field, what was expected and what was received.

import * as v from 'valibot'
import { coerceFields } from './coerce-input.ts'
import { invalidParameter } from '../../core/failure.ts'
import type { InvalidParameter } from '../../core/failures/failure-records.ts'
import { err, type Result } from '../../core/result.ts'
import { clip } from '../../core/text/clip.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import { exceedsJsonLimits } from '../../core/text/json-depth.ts'
import { patternDescriptions } from '../../tools/define/fields.ts'
import type { BoundCall, RawInput, Tool } from '../../tools/define/tool.ts'

const INPUT_LIMIT = { depth: 100, values: 100_000 } as const

/** Binds an input to a tool; INVALID_PARAMETERS if it does not match the schema. With `isSessionOptional` the session may be omitted. */
export function parseInput(
  tool: Tool,
  input: RawInput,
  isSessionOptional: boolean,
): Result<BoundCall, InvalidParameter> {
  if (exceedsJsonLimits(input, INPUT_LIMIT)) {
    const expected = `at most ${INPUT_LIMIT.depth} levels of nesting and ${INPUT_LIMIT.values} values`
    return err(invalidParameter('arguments', expected, 'more'))
  }
  const boundCall = tool.bind(coerceFields(tool.input.entries, input), isSessionOptional)
  if (boundCall.ok) return boundCall
  // A misspelled field explains a missing one, so it is reported first.
  const issue = boundCall.error.find(isUnknownField) ?? boundCall.error[0]
  if (!issue) throw new Error(`${tool.name} refused an input without a reason`)
  const field = clip(v.getDotPath(issue) ?? 'arguments', 100)
  return err(
    failureOf(tool, INVISIBLE_CHARACTER.test(field) ? escapeInvisible(field).slice(1, -1) : field, issue),
  )
}

const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cs}]/u

// The text as JSON, with invisible characters escaped.
const escapeInvisible = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u009f]/g, (character) => {
    return `\\u00${character.charCodeAt(0).toString(16)}`
  })

const isUnknownField = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === 'strict_object' && issue.expected === 'never'

function failureOf(tool: Tool, field: string, issue: v.BaseIssue<unknown>): InvalidParameter {
  if (!isUnknownField(issue))
    return invalidParameter(field, expectationOf(tool, field, issue), receivedOf(issue))
  const fields = Object.keys(tool.input.entries)
  const closest = findClosestName(field, fields)
  const expected = fields.length > 0 ? `one of ${fields.join(', ')}` : 'no fields'
  const hint = closest && `Did you mean ${closest}?`
  return invalidParameter(field, expected, 'an unknown field', hint)
}

function expectationOf(
  tool: Tool,
  field: string,
  { expected, type, requirement, input }: v.BaseIssue<unknown>,
): string {
  if (type === 'strict_object') return expectedTypeOf(tool.input.entries[field])
  const unit = Array.isArray(input) ? 'items' : 'characters'
  const descriptions: Record<string, string> = {
    min_value: `at least ${String(requirement)}`,
    max_value: `at most ${String(requirement)}`,
    min_length: `at least ${String(requirement)} ${unit}`,
    max_length: `at most ${String(requirement)} ${unit}`,
    max_entries: `at most ${String(requirement)} entries`,
    integer: 'an integer',
    regex: patternDescriptions.get(requirement) ?? `a string matching ${String(requirement)}`,
  }
  return descriptions[type] ?? expected ?? type
}

// Where `sessionId` is required, the schema of the tool still has it as optional.
function expectedTypeOf(
  entry: (v.GenericSchema & { readonly wrapped?: v.GenericSchema }) | undefined,
): string {
  return (entry?.wrapped ?? entry)?.expects ?? 'a value'
}

function receivedOf({ received, input }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return 'nothing'
  if (typeof input === 'string' && INVISIBLE_CHARACTER.test(input)) return escapeInvisible(clip(input, 100))
  return typeof input === 'string' && input.length > 100
    ? `${JSON.stringify(input.slice(0, 100))}…`
    : received
}
