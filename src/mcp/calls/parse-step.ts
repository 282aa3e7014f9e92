// The calls within `steps`, which take the same way as calls of the client: rate limits, parsing, report, redaction.

import { parseInput } from './parse-input.ts'
import { redactResult } from './redact-result.ts'
import { runTool, type DispatchOptions } from './run-tool.ts'
import { suggestTool } from './unknown-tool.ts'
import type { ToolNames } from './tool-names.ts'
import { resultTextOf } from '../answers/result-text.ts'
import { repeatableFieldsOf } from '../answers/echo.ts'
import { failureText } from '../answers/failure-text.ts'
import { joinLines } from '../answers/plain-lines.ts'
import { invalidParameter } from '../../core/failure.ts'
import type { InvalidParameter } from '../../core/failures/failure-records.ts'
import { err, ok } from '../../core/result.ts'
import { clip } from '../../core/text/clip.ts'
import type { CallContext, RawInput, StepResult, Tool, ToolContext } from '../../tools/define/tool.ts'

const STEPS = 'steps'

/** A parser for the calls within one call of `steps`; they run with the context of that call. */
export function createStepParser(options: DispatchOptions, context: CallContext): ToolContext['parseStep'] {
  const parseStep: ToolContext['parseStep'] = (name, rawInput) => {
    const match = options.names.resolve(name, rawInput)
    if (!match || match.tool.name === STEPS) return err(unknownStep(options.names, name))
    const { tool, input } = match
    const call = parseInput(tool, input, true)
    if (!call.ok) return err(withNestingHint(call.error, rawInput))
    return ok({
      tool: options.names.spell(tool),
      run: (sessionKey) => runStep(options, tool, input, { ...context, parseStep }, sessionKey),
    })
  }
  return parseStep
}

// --- internal ---

const NESTING_NAMES: ReadonlySet<string> = new Set(['args', 'arguments', 'input', 'params', 'parameters'])

function withNestingHint(failure: InvalidParameter, input: RawInput): InvalidParameter {
  const name = Object.keys(input).find((field) => NESTING_NAMES.has(field))
  if (name === undefined || typeof input[name] !== 'object') return failure
  return {
    ...failure,
    field: name,
    expected: 'the fields of the call beside tool',
    received: 'an object of them',
    hint: 'Write {tool: "click", ref: "e4"}.',
  }
}

function unknownStep(names: ToolNames, name: string): InvalidParameter {
  const isSteps = names.resolve(name, {}) !== undefined || names.findClosest(name) === STEPS
  const hint = isSteps ? 'See tools/list.' : suggestTool(names, name)
  return invalidParameter('tool', 'the name of another tool', JSON.stringify(clip(name, 100)), hint)
}

async function runStep(
  options: DispatchOptions,
  tool: Tool,
  input: RawInput,
  context: ToolContext,
  sessionKey: string | undefined,
): Promise<StepResult> {
  const takesSession = 'sessionId' in tool.input.entries && sessionKey !== undefined
  const stepInput = takesSession ? { ...input, sessionId: sessionKey } : input
  const stepContext = { ...context, caller: { ...context.caller, omitsChanges: true } }
  // Only the call of `steps` itself was counted.
  const stepOptions = { ...options, areCallsCounted: false }
  const { steps: _, ...outcome } = await runTool(stepOptions, tool, stepInput, stepContext, sessionKey)
  const { redactData } = context.sessions.redactor(context.caller.owner, sessionKey)
  if (!outcome.ok) {
    const failure = redactData(outcome.error)
    return { outcome, text: joinLines([`${failure.code}: ${failureText(failure)}`]) }
  }
  const result = redactResult(outcome.value, redactData)
  const id = 'sessionId' in result.data ? result.data.sessionId : undefined
  const isNewSession = tool.name === 'create_session' && typeof id === 'string'
  return {
    outcome,
    text: resultTextOf(result, redactData(repeatableFieldsOf(stepInput)), options.showsSessionIds),
    ...(isNewSession && { createdSession: id }),
  }
}
