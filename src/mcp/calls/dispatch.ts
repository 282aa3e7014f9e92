// Finds the tool of a call, parses the input, runs the tool and formats its result. An exception is a bug: it is logged with its stack and
// answered as INTERNAL, and the server keeps running.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { parseInput } from './parse-input.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { ToolNames } from './tool-names.ts'
import { imageLimitPixelsOf, defaultFailureForm, type FailureForm } from '../answers/failure-form.ts'
import { failureResult, failureRecordOf, successResult } from '../answers/failure-text.ts'
import { leavesEvidence, type Failure, type Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import { clip } from '../../core/text/clip.ts'
import type { ToolResult } from '../../runtime/ports/tool-call.ts'
import type { RawInput, Tool, ToolContext } from '../../tools/define/tool.ts'

export interface CallEvent {
  readonly event: 'tool_called' | 'tool_failed'
  readonly tool: string
  readonly sessionId?: string
  readonly ms: number
  readonly errorCode?: string
}

export interface DispatchOptions {
  readonly names: ToolNames
  readonly implicitSession: boolean
  readonly limiter: RateLimiter
  /** The key of the rate limits, if it is not the owner of the sessions. */
  readonly client?: string | undefined
  readonly failureForm?: FailureForm
  readonly onCall: (event: CallEvent) => void
  readonly onBug: (id: string, error: unknown) => void
}

const KEY_LIMIT_CHARS = 200

/** Runs one call. Undefined means that no tool has this name. */
export async function dispatch(
  options: DispatchOptions,
  name: string,
  rawInput: RawInput,
  context: ToolContext,
): Promise<CallToolResult | undefined> {
  const { names, limiter, failureForm = defaultFailureForm } = options
  const { owner } = context.caller
  const resolved = names.resolve(name, rawInput)
  const rate = limiter.check(options.client ?? owner, resolved?.tool.name ?? name)
  if (!resolved)
    return rate.ok
      ? undefined
      : failureResult(failureRecordOf(rate.error, Date.now()), undefined, failureForm)
  const { tool, input } = resolved
  const key = typeof input['sessionId'] === 'string' ? clip(input['sessionId'], KEY_LIMIT_CHARS) : undefined
  const startedAt = performance.now()
  const callContext = withCaller(context, key, imageLimitPixelsOf(failureForm))
  const outcome = rate.ok ? await runTool(options, tool, input, callContext) : rate
  reportCall(options, tool, key, outcome, performance.now() - startedAt)
  return outcome.ok
    ? answerSuccess(outcome.value, input, key, callContext)
    : answerFailure(outcome.error, input, key, callContext, failureForm)
}

// Looked up each time, because the call may have opened or closed the session.
const redactorOf = ({ sessions, caller }: ToolContext, key: string | undefined) =>
  sessions.redactor(caller.owner, key)

const withCaller = (context: ToolContext, key: string | undefined, maximumPixels: number): ToolContext => ({
  ...context,
  caller: {
    ...context.caller,
    progress: (text) => context.caller.progress(redactorOf(context, key).redactText(text)),
    maximumPixels,
  },
})

async function runTool(
  { implicitSession, onBug }: DispatchOptions,
  tool: Tool,
  input: RawInput,
  context: ToolContext,
): Promise<Outcome<ToolResult>> {
  const call = parseInput(tool, input, implicitSession)
  if (!call.ok) return call
  try {
    return await call.value.run(context)
  } catch (error) {
    const id = crypto.randomUUID().slice(0, 8)
    onBug(id, error)
    return err({ code: 'INTERNAL', id })
  }
}

function reportCall(
  { onCall }: DispatchOptions,
  tool: Tool,
  sessionId: string | undefined,
  outcome: Outcome<ToolResult>,
  ms: number,
): void {
  onCall({
    event: outcome.ok ? 'tool_called' : 'tool_failed',
    tool: tool.name,
    ...(sessionId !== undefined && { sessionId }),
    ms: Math.round(ms),
    ...(!outcome.ok && { errorCode: outcome.error.code }),
  })
}

// All output of a session passes one of these two functions, which redact it.
function answerSuccess(
  result: ToolResult,
  input: RawInput,
  key: string | undefined,
  context: ToolContext,
): CallToolResult {
  const { redactData } = redactorOf(context, key)
  const { data, news } = redactData({ data: result.data, news: result.news })
  return successResult({ ...result, data, ...(news !== undefined && { news }) }, redactData(input))
}

async function answerFailure(
  failure: Failure,
  input: RawInput,
  key: string | undefined,
  context: ToolContext,
  form: FailureForm,
): Promise<CallToolResult> {
  const { sessions, caller } = context
  const evidence = leavesEvidence(failure)
    ? await sessions.evidence(caller.owner, key, failure, imageLimitPixelsOf(form)).catch(() => undefined)
    : undefined
  const { redactData } = redactorOf(context, key)
  const record = redactData(failureRecordOf(redactData(failure), Date.now(), key))
  if (!evidence) return failureResult(record, undefined, form, redactData(input))
  const { image, ...textEvidence } = evidence
  const redactedEvidence = { ...redactData(textEvidence), ...(image && { image }) }
  return failureResult(record, redactedEvidence, form, redactData(input))
}
