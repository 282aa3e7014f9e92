// Parses the input of a call. A failure names the first wrong field, what was expected and what was received.

import type * as v from 'valibot'
import { coerceFields } from './coerce-input.ts'
import { invalidParameter } from '../../core/failure.ts'
import type { InvalidParameter } from '../../core/failures/failure-records.ts'
import { err, type Result } from '../../core/result.ts'
import { clip } from '../../core/text/clip.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import { exceedsJsonLimits } from '../../core/text/json-depth.ts'
import {
  expectationOf,
  isUnknownField,
  pathOf,
  printableName,
  receivedOf,
  siblingsOf,
} from '../../tools/define/describe-issue.ts'
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
  const field = printableName(clip(pathOf(issue) || 'arguments', 100))
  return err(failureOf(tool, field, issue))
}

function failureOf({ input }: Tool, field: string, issue: v.BaseIssue<unknown>): InvalidParameter {
  const expected = expectationOf(input, issue)
  if (!isUnknownField(issue)) return invalidParameter(field, expected, receivedOf(issue))
  const closest = findClosestName(String(issue.path?.at(-1)?.key), siblingsOf(input, issue))
  const hint = closest && `Did you mean ${closest}?`
  return invalidParameter(field, expected, 'an unknown field', hint)
}
