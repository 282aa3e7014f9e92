// From a called name to an answer: which tool, is the input right, run it, word the outcome. A bug ends here, once: it is logged
// with its stack and answered as INTERNAL, and the server goes on.

import * as v from 'valibot'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Limiter } from './rate-limiter.ts'
import { pixelsFor, usualForm, type FailureForm } from '../answers/failure-form.ts'
import type { Names } from './tool-names.ts'
import { coerce } from './coerce-input.ts'
import { failureResult, failureRecordOf, successResult } from '../answers/failure-text.ts'
import { leavesEvidence, type Failure, type Outcome } from '../../core/failure.ts'
import type { Evidence } from '../../runtime/ports/session-manager.ts'
import { clip } from '../../core/text/clip.ts'
import { exceedsDepth } from '../../core/text/json-depth.ts'
import { closestName } from '../../core/text/closest-name.ts'
import { err, ok } from '../../core/result.ts'
import { shapes } from '../../tools/define/fields.ts'
import type { ToolContext, Reply, Tool } from '../../tools/define/tool.ts'

export interface CallEvent {
  readonly event: 'tool_called' | 'tool_failed'
  readonly tool: string
  readonly sessionId?: string
  readonly ms: number
  readonly errorCode?: string
}

export interface Dispatcher {
  readonly names: Names
  readonly implicitSession: boolean
  readonly limiter: Limiter
  /** Whom rates are counted for, where that is not the owner of the sessions. */
  readonly client?: string | undefined
  readonly failureForm?: FailureForm
  readonly onCall: (event: CallEvent) => void
  readonly onBug: (id: string, error: unknown) => void
}

/** Runs one call. Undefined means that no tool has this name. */
export async function dispatch(
  { names, implicitSession, limiter, client, failureForm = usualForm, onCall, onBug }: Dispatcher,
  name: string,
  given: Readonly<Record<string, unknown>>,
  caller: ToolContext,
): Promise<CallToolResult | undefined> {
  const resolved = names.resolve(name, given)
  const within = limiter.check(client ?? caller.owner, resolved?.tool.name ?? name)
  if (!resolved)
    return within.ok
      ? undefined
      : failureResult(failureRecordOf(within.error, Date.now()), undefined, failureForm)
  const { tool } = resolved
  const input = withKey(resolved.input, caller)
  const since = performance.now()
  const session = typeof input['sessionId'] === 'string' ? { sessionId: clip(input['sessionId'], 200) } : {}
  const owner = caller.sessions.ownerOf(caller.owner, session.sessionId)
  const redactor = () => caller.sessions.redactor(owner, session.sessionId)
  const progress = (text: string) => caller.progress(redactor().text(text))
  const maximumPixels = pixelsFor(failureForm)
  const context = { ...caller, owner, progress, maximumPixels }
  const outcome = within.ok ? await run(tool, input, implicitSession, context, onBug) : within
  const ms = Math.round(performance.now() - since)
  onCall({
    event: outcome.ok ? 'tool_called' : 'tool_failed',
    tool: tool.name,
    ...session,
    ms,
    ...(!outcome.ok && { errorCode: outcome.error.code }),
  })
  // The one exit for what a session says: nothing passes it that must not be told.
  if (outcome.ok) {
    const { data } = redactor()
    return successResult({ ...outcome.value, data: data(outcome.value.data) })
  }
  const evidence = await evidenceOf(outcome.error, session.sessionId, context, maximumPixels)
  const { data } = redactor()
  const { image, ...told } = evidence ?? {}
  const record = data(failureRecordOf(data(outcome.error), Date.now(), session.sessionId))
  return failureResult(
    record,
    evidence && ({ ...data(told), ...(image && { image }) } as Evidence),
    failureForm,
  )
}

// A name was trimmed when it was given, so it is found with the spaces that it was given with.
function withKey(
  { sessionId: key, ...input }: Record<string, unknown>,
  { sessions, owner }: ToolContext,
): Record<string, unknown> {
  if (key === undefined || key === null) return input
  const trimmed = typeof key === 'string' ? key.trim() : key
  const isName = trimmed !== key && sessions.list(owner).some(({ name }) => name === trimmed)
  return { sessionId: isName ? trimmed : key, ...input }
}

async function evidenceOf(
  failure: Failure,
  key: string | undefined,
  { sessions, owner }: ToolContext,
  maximumPixels: number,
): Promise<Evidence | undefined> {
  return leavesEvidence(failure)
    ? sessions.evidence(owner, key, failure, maximumPixels).catch(() => undefined)
    : undefined
}

async function run(
  tool: Tool,
  given: Record<string, unknown>,
  implicit: boolean,
  context: ToolContext,
  onBug: Dispatcher['onBug'],
): Promise<Outcome<Reply>> {
  const input = parseInput(tool, given, implicit)
  if (!input.ok) return input
  try {
    return await tool.run(input.value, context)
  } catch (bug) {
    const id = crypto.randomUUID().slice(0, 8)
    onBug(id, bug)
    return err({ code: 'INTERNAL', id })
  }
}

const LARGEST = { depth: 100, values: 100_000 } as const

/** The input as the tool's schema reads it, or the first field that is wrong: what was expected there and what was received. */
export function parseInput(
  tool: Tool,
  given: Record<string, unknown>,
  implicit: boolean,
): Outcome<Record<string, unknown>> {
  if (exceedsDepth(given, LARGEST)) {
    const expected = `at most ${LARGEST.depth} levels of nesting and ${LARGEST.values} values`
    return err({ code: 'INVALID_PARAMETERS', field: 'arguments', expected, received: 'more' })
  }
  const left = implicit && given['sessionId'] === undefined && 'sessionId' in tool.input.entries
  const schema = left ? v.omit(tool.input, ['sessionId']) : tool.input
  const parsed = v.safeParse(schema, coerce(schema, given))
  if (parsed.success) return ok(parsed.output)
  // An unknown field explains a missing one, so it is told first.
  const issue = parsed.issues.find(isUnknownField) ?? parsed.issues[0]
  const field = clip(v.getDotPath(issue) ?? 'arguments', 100)
  return err(problem(tool, odd.test(field) ? visible(field).slice(1, -1) : field, issue))
}

const odd = /[\p{Cc}\p{Cs}]/u

// A text with what cannot be seen in it, as JSON would write that.
const visible = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u009f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)

const isUnknownField = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === 'strict_object' && issue.expected === 'never'

function problem(tool: Tool, field: string, issue: v.BaseIssue<unknown>): Failure {
  if (!isUnknownField(issue)) {
    return {
      code: 'INVALID_PARAMETERS',
      field,
      expected: expectation(tool, field, issue),
      received: shown(issue),
    }
  }
  const fields = Object.keys(tool.input.entries)
  const close = closestName(field, fields)
  const expected = fields.length > 0 ? `one of ${fields.join(', ')}` : 'no fields'
  const hint = close ? { hint: `Did you mean ${close}?` } : {}
  return { code: 'INVALID_PARAMETERS', field, expected, received: 'an unknown field', ...hint }
}

const expectation = (
  tool: Tool,
  field: string,
  { expected, type, requirement, input }: v.BaseIssue<unknown>,
): string => {
  if (type === 'strict_object') return tool.input.entries[field]?.expects ?? 'a value'
  const unit = Array.isArray(input) ? 'items' : 'characters'
  const words: Record<string, string> = {
    min_value: `at least ${String(requirement)}`,
    max_value: `at most ${String(requirement)}`,
    min_length: `at least ${String(requirement)} ${unit}`,
    max_length: `at most ${String(requirement)} ${unit}`,
    max_entries: `at most ${String(requirement)} entries`,
    integer: 'an integer',
    regex: shapes.get(requirement) ?? `a string matching ${String(requirement)}`,
  }
  return words[type] ?? expected ?? type
}

function shown({ received, input }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return 'nothing'
  if (typeof input === 'string' && odd.test(input)) return visible(clip(input, 100))
  return typeof input === 'string' && input.length > 100
    ? `${JSON.stringify(input.slice(0, 100))}…`
    : received
}
