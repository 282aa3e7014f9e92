// Finds the tool of a call, runs it and formats its result.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { createStepParser } from './parse-step.ts'
import { redactResult } from './redact-result.ts'
import { countCall, runTool, type DispatchOptions } from './run-tool.ts'
import type { ResolvedCall } from './tool-names.ts'
import { repeatableFieldsOf } from '../answers/echo.ts'
import { imageLimitPixelsOf, defaultFailureForm, type FailureForm } from '../answers/failure-form.ts'
import { failureRecordOf } from '../answers/failure-text.ts'
import { failureResult, successResult } from '../answers/format-result.ts'
import { leavesEvidence } from '../../core/failures/failure-categories.ts'
import { clip } from '../../core/text/clip.ts'
import { escapeInvisible } from '../../core/text/invisible-characters.ts'
import type { ToolOutcome, ToolResult } from '../../runtime/ports/tool-call.ts'
import type { CallContext, RawInput } from '../../tools/define/tool.ts'

const KEY_LIMIT_CHARS = 200

/** Runs one call. Undefined means that no tool has this name. */
export async function dispatch(
  options: DispatchOptions,
  name: string,
  rawInput: RawInput,
  context: CallContext,
): Promise<CallToolResult | undefined> {
  const { names, failureForm = defaultFailureForm } = options
  const { owner } = context.caller
  const match = names.resolve(name, rawInput)
  if (!match) {
    const rate = countCall(options, owner, name)
    if (rate.ok) return undefined
    return failureResult(failureRecordOf(rate.error, Date.now()), undefined, failureForm)
  }
  const { tool } = match
  const input = options.isSessionOptional ? addSessionId(match, context) : match.input
  const key = typeof input['sessionId'] === 'string' ? clip(input['sessionId'], KEY_LIMIT_CHARS) : undefined
  const callContext = withCaller(context, key, imageLimitPixelsOf(failureForm))
  const parseStep = createStepParser(options, callContext)
  const outcome = await runTool(options, tool, input, { ...callContext, parseStep }, key)
  return outcome.ok
    ? answerSuccess(outcome.value, input, key, callContext, options.showsSessionIds)
    : answerFailure(outcome, input, outcome.steps?.sessionKey ?? key, callContext, failureForm)
}

type FailedOutcome = Extract<ToolOutcome, { ok: false }>

// The session is determined when the call arrives: another one may open before it ends. Without exactly one session the input stays as it is.
function addSessionId({ tool, input }: ResolvedCall, { sessions, caller }: CallContext): RawInput {
  if (!('sessionId' in tool.input.entries) || (input['sessionId'] ?? undefined) !== undefined) return input
  const [onlySession, ...others] = sessions.list(caller.owner)
  return onlySession && others.length === 0 ? { ...input, sessionId: onlySession.id } : input
}

// Looked up each time, because the call may have opened or closed the session.
const redactorOf = ({ sessions, caller }: CallContext, key: string | undefined) =>
  sessions.redactor(caller.owner, key)

const withCaller = (context: CallContext, key: string | undefined, maximumPixels: number): CallContext => ({
  ...context,
  caller: {
    ...context.caller,
    progress: (text) => context.caller.progress(escapeInvisible(redactorOf(context, key).redactText(text))),
    maximumPixels,
  },
})

// All output of a session passes one of these two functions, which redact it.
function answerSuccess(
  result: ToolResult,
  input: RawInput,
  key: string | undefined,
  context: CallContext,
  showsSessionIds?: boolean,
): CallToolResult {
  const { redactData } = redactorOf(context, key)
  const inputFields = redactData(repeatableFieldsOf(input))
  return successResult(redactResult(result, redactData), inputFields, showsSessionIds)
}

async function answerFailure(
  { error: failure, steps }: FailedOutcome,
  input: RawInput,
  key: string | undefined,
  context: CallContext,
  form: FailureForm,
): Promise<CallToolResult> {
  const { sessions, caller } = context
  const evidence = leavesEvidence(failure)
    ? await sessions.evidence(caller.owner, key, failure, imageLimitPixelsOf(form)).catch(() => undefined)
    : undefined
  const { redactData } = redactorOf(context, key)
  const record = redactData(failureRecordOf(redactData(failure), Date.now(), key, steps))
  const inputFields = redactData(repeatableFieldsOf(input))
  if (!evidence) return failureResult(record, undefined, form, inputFields, steps?.images)
  const { image, ...textEvidence } = evidence
  const redactedEvidence = { ...redactData(textEvidence), ...(image && { image }) }
  return failureResult(record, redactedEvidence, form, inputFields, steps?.images)
}
