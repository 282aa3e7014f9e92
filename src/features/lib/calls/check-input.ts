import type { Outcome } from '../../../core/base/failure.ts'
import { ok } from '../../../core/base/result.ts'
import { failureRecordOf } from '../../../core/mcp/answers/failure-text.ts'
import { parseInput } from '../../../core/mcp/calls/parse-input.ts'
import { optionalTarget, requireTarget } from '../../../core/tool/target.ts'
import type { Tool } from '../../../core/tool/tool.ts'

/** What is wrong with the input of a tool, as a sentence; undefined if nothing is that can be seen without a server. */
export function describeProblem(tool: Tool, input: Readonly<Record<string, unknown>>): string | undefined {
  const call = parseInput(tool, input)
  const result: Outcome<unknown> = call.ok ? checkTarget(tool, call.value.input) : call
  return result.ok ? undefined : failureRecordOf(result.error, 0).message
}

/** Tools that refuse a call without an element, which their schemas do not say. */
export const targetToolNames: ReadonlySet<string> = new Set([
  'click',
  'drag',
  'exists',
  'hover',
  'select',
  'upload_file',
])

// --- internal ---

function checkTarget(
  { name, input }: Tool,
  { selector, ref }: Parameters<typeof requireTarget>[0],
): Outcome<unknown> {
  if (!('ref' in input.entries)) return ok(undefined)
  return targetToolNames.has(name) ? requireTarget({ selector, ref }) : optionalTarget({ selector, ref })
}
