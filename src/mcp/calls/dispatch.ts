// From a called name to an answer: which tool, is the input right, run it, word the outcome. A bug ends here, once: it is logged
// with its stack and answered as INTERNAL, and the server goes on.

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
  /** Whom rates are counted for, where that is not the owner of the sessions. */
  readonly client?: string | undefined
  readonly failureForm?: FailureForm
  readonly onCall: (event: CallEvent) => void
  readonly onBug: (id: string, error: unknown) => void
}

const KEY_LIMIT_CHARS = 200

/** Runs one call. Undefined means that no tool has this name. */
export async function dispatch(
  dispatcher: DispatchOptions,
  name: string,
  given: RawInput,
  context: ToolContext,
): Promise<CallToolResult | undefined> {
  const { names, limiter, failureForm = defaultFailureForm } = dispatcher
  const { owner } = context.caller
  const resolved = names.resolve(name, given)
  const rate = limiter.check(dispatcher.client ?? owner, resolved?.tool.name ?? name)
  if (!resolved)
    return rate.ok
      ? undefined
      : failureResult(failureRecordOf(rate.error, Date.now()), undefined, failureForm)
  const { tool, input } = resolved
  const key = typeof input['sessionId'] === 'string' ? clip(input['sessionId'], KEY_LIMIT_CHARS) : undefined
  const start = performance.now()
  const bounded = withCaller(context, key, imageLimitPixelsOf(failureForm))
  const outcome = rate.ok ? await runTool(dispatcher, tool, input, bounded) : rate
  reportCall(dispatcher, tool, key, outcome, performance.now() - start)
  return outcome.ok
    ? answerSuccess(outcome.value, key, bounded)
    : answerFailure(outcome.error, key, bounded, failureForm)
}

// The redactor of a session is asked for anew each time, because the call may have created the session or ended it.
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
  } catch (bug) {
    const id = crypto.randomUUID().slice(0, 8)
    onBug(id, bug)
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

// The one exit for what a session says: nothing passes these two that must not be shown.
function answerSuccess(
  { data, images }: ToolResult,
  key: string | undefined,
  context: ToolContext,
): CallToolResult {
  return successResult({ data: redactorOf(context, key).redactData(data), ...(images && { images }) })
}

async function answerFailure(
  failure: Failure,
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
  if (!evidence) return failureResult(record, undefined, form)
  const { image, ...shown } = evidence
  return failureResult(record, { ...redactData(shown), ...(image && { image }) }, form)
}
