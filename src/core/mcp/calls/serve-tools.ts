// `tools/list` and `tools/call` of one server object.

import {
  type CallToolRequestParams,
  type CallToolResult,
  INVALID_PARAMS,
  type Server,
  type ServerContext,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server'
import type { InvalidParameter } from '../../base/failure-records.ts'
import { findSelectorProblem, invalidParameter } from '../../base/failure.ts'
import type { Redactor } from '../../base/redaction/redactor.ts'
import { err, ok } from '../../base/result.ts'
import { clip } from '../../base/text/clip.ts'
import { escapeInvisible } from '../../base/text/invisible-characters.ts'
import { redactFailure } from '../../sessions/call/run-call.ts'
import { joinLines, repeatableFieldsOf } from '../../tool/plain-lines.ts'
import type { Caller, FailedOutcome, ToolOutcome, ToolResult } from '../../tool/tool-call.ts'
import type { CallContext, RawInput, StepResult, Tool, ToolContext } from '../../tool/tool.ts'
import {
  defaultFailureForm,
  type FailureForm,
  failureFormFor,
  imageLimitPixelsOf,
} from '../answers/failure-form.ts'
import { failureRecordOf, failureText } from '../answers/failure-text.ts'
import { failureResult, successResult } from '../answers/format-result.ts'
import { resultTextOf } from '../answers/result-text.ts'
import { clientOf, type Era } from './era.ts'
import { addApp, callApp } from './mcp-app.ts'
import {
  type CallSession,
  countCall,
  type DispatchOptions,
  findCallSession,
  parseCall,
  runTool,
} from './run-tool.ts'
import type { ServerOptions } from './server-options.ts'
import { createAskForPerson, createAskUser } from './suspended-calls.ts'
import { createToolNames, hintFor } from './tool-names.ts'

interface ToolClient {
  readonly owner: string
  /** The key of the rate limits. */
  readonly client: string
  readonly era: Era
}

export function serveTools(server: Server, options: ServerOptions, toolClient: ToolClient): void {
  const { askHosts, suspendedCalls, apps = [] } = options
  const { owner, client, era } = toolClient
  let toolList: Promise<ListedTool[]> | undefined
  server.setRequestHandler('tools/list', async (_, context) => {
    toolList ??= import('./tool-schema.ts').then(({ listTools }) => listTools(options))
    const list = await toolList
    return { tools: clientOf(server, context).rendersApps ? apps.reduce(addApp, list) : list }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, canElicit, rendersApps } = clientOf(server, context)
    const { id, signal, requestState, inputResponses } = context.mcpReq
    const app = rendersApps && apps.find(({ tool }) => tool.name === params.name)
    if (app) return callApp(app, owner, params.arguments, signal)
    const round = { signal, progress: createProgress(context) }
    const run = ({ ask, ...caller }: Omit<CallClient, 'ask'> & Partial<CallClient>) =>
      callTool(options, toolClient, name, params, { ...caller, ask: askHosts ? ask : undefined })
    if (!canElicit) return run(round)
    if (era === 'legacy')
      return run({ ...round, ask: createAskUser(server, id), askForPerson: createAskForPerson(server, id) })
    const state = requestState()
    return state === undefined
      ? suspendedCalls.start(client, round, run)
      : suspendedCalls.resume(client, round, state, inputResponses)
  })
}

type CallClient = Pick<Caller, 'signal' | 'progress' | 'ask' | 'askForPerson'>

async function callTool(
  options: ServerOptions,
  { owner, client: clientKey }: ToolClient,
  clientName: string | undefined,
  params: CallToolRequestParams,
  { progress: sendProgress, ...client }: CallClient,
): Promise<CallToolResult> {
  const { sessions, formChanges } = options
  let isAnswered = false
  const progress = (message: string) => {
    if (!isAnswered) sendProgress(message)
  }
  const context = { ...options, caller: { owner, progress, ...client } }
  const failureForm = { ...failureFormFor(clientName), ...formChanges }
  const result = await dispatch(
    { ...options, client: clientKey, failureForm },
    params.name,
    params.arguments ?? {},
    context,
  )
  isAnswered = true
  if (result) return result
  const hint = suggestTool(options, params.name)
  const { redactText } = sessions.redactor(owner, undefined)
  throw Object.assign(new Error(`Unknown tool "${redactText(clip(params.name, 100))}". ${hint}`), {
    code: INVALID_PARAMS,
  })
}

// Progress is sent only to a client that gave a token for it.
function createProgress({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken = mcpReq._meta?.progressToken
  let progress = 0
  return (message) => {
    if (progressToken === undefined) return
    progress += 1
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {})
  }
}

/** Finds the tool of a call, runs it and formats its result. Undefined means that no tool has this name. */
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
  const { tool, input } = match
  const callSession = findCallSession(options, tool, input['sessionId'], context)
  const callContext = withCaller(context, callSession, imageLimitPixelsOf(failureForm))
  const parseStep = createStepParser(options, callContext)
  const { outcome, session } = await runTool(options, tool, input, {
    ...callContext,
    ...callSession,
    parseStep,
  })
  const sessionKey = outcome.steps?.sessionKey ?? callSession.sessionKey
  const redactor = redactorOf(context, { foundSession: session, sessionKey })
  return outcome.ok
    ? answerSuccess(outcome, tool, input, redactor, options.showsSessionIds)
    : answerFailure(outcome, input, sessionKey, redactor, failureForm)
}

// Without a session, that of all sessions of the owner.
const redactorOf = ({ sessions, caller }: CallContext, { foundSession, sessionKey }: CallSession) =>
  foundSession?.redactor ?? sessions.redactor(caller.owner, sessionKey)

const withCaller = (context: CallContext, callSession: CallSession, maximumPixels: number): CallContext => ({
  ...context,
  caller: {
    ...context.caller,
    progress: (text) =>
      context.caller.progress(escapeInvisible(redactorOf(context, callSession).redactText(text))),
    maximumPixels,
  },
})

// All output of a session passes one of these two functions, which redact it.
function answerSuccess(
  { value }: Extract<ToolOutcome, { ok: true }>,
  { texts }: Tool,
  input: RawInput,
  { redactData }: Pick<Redactor, 'redactData'>,
  showsSessionIds?: boolean,
): CallToolResult {
  const inputFields = redactData(repeatableFieldsOf(input))
  return successResult(redactResult(value, redactData), texts, inputFields, showsSessionIds)
}

function answerFailure(
  outcome: FailedOutcome,
  input: RawInput,
  key: string | undefined,
  redactor: Pick<Redactor, 'redactData'>,
  form: FailureForm,
): CallToolResult {
  const { error, evidence, steps } = redactFailure(outcome, redactor)
  const record = redactor.redactData(failureRecordOf(error, Date.now(), key, steps))
  const inputFields = redactor.redactData(repeatableFieldsOf(input))
  return failureResult(record, evidence, form, inputFields, steps?.images)
}

/** What a caller can do who called a tool that is not listed: how it would be, what does the same, the closest name, or where the names
 * are. */
export function suggestTool(
  { names, everyTool }: Pick<DispatchOptions, 'names' | 'everyTool'>,
  name: string,
): string {
  const unlistedTool = createToolNames(everyTool, 'footlight').resolve(name, {})?.tool
  if (unlistedTool) return `This server was started without it: +${unlistedTool.name} in --tools adds it.`
  const hint = hintFor(name)
  if (hint !== undefined) return hint
  const closest = names.findClosest(name)
  return closest ? `Did you mean "${closest}"?` : 'See tools/list.'
}

// The calls within `steps`, which take the same way as calls of the client: rate limits, parsing, report, redaction.
const STEPS = 'steps'

/** A parser for the calls within one call of `steps`; they run with the context of that call. */
function createStepParser(options: DispatchOptions, context: CallContext): ToolContext['parseStep'] {
  const group = Symbol('the calls of one answer')
  const parseStep: ToolContext['parseStep'] = (name, rawInput) => {
    const match = options.names.resolve(name, rawInput)
    if (!match || match.tool.name === STEPS) return err(unknownStep(options, name))
    const { tool, input } = match
    const call = parseCall(options, tool, input)
    if (!call.ok) return err(withNestingHint(call.error, rawInput))
    const problem = findSelectorProblem(input)
    if (problem) return err(problem)
    return ok({
      tool: options.names.spell(tool),
      run: (sessionKey, omitsEvidence) =>
        runStep(
          options,
          tool,
          input,
          { ...context, caller: { ...context.caller, group }, parseStep },
          sessionKey,
          omitsEvidence,
        ),
    })
  }
  return parseStep
}

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

function unknownStep(options: DispatchOptions, name: string): InvalidParameter {
  const { names } = options
  const isSteps = names.resolve(name, {}) !== undefined || names.findClosest(name) === STEPS
  const hint = isSteps ? 'See tools/list.' : suggestTool(options, name)
  return invalidParameter('tool', 'the name of another tool', JSON.stringify(clip(name, 100)), hint)
}

async function runStep(
  options: DispatchOptions,
  tool: Tool,
  input: RawInput,
  context: ToolContext,
  sessionKey: string | undefined,
  omitsEvidence: boolean,
): Promise<StepResult> {
  const callSession = findCallSession(options, tool, sessionKey, context)
  const stepContext = {
    ...context,
    ...callSession,
    caller: { ...context.caller, omitsChanges: true, omitsEvidence },
  }
  // Only the call of `steps` itself was counted.
  const run = await runTool({ ...options, areCallsCounted: false }, tool, input, stepContext)
  const redactor = redactorOf(context, { foundSession: run.session, sessionKey })
  const { redactData } = redactor
  const { steps: _, ...outcome } = run.outcome
  if (!outcome.ok) {
    const failure = redactFailure(outcome, redactor)
    return { outcome: failure, text: joinLines([`${failure.error.code}: ${failureText(failure.error)}`]) }
  }
  const result = redactResult(outcome.value, redactData)
  const id = 'sessionId' in result.data ? result.data.sessionId : undefined
  const isNewSession = tool.name === 'create_session' && typeof id === 'string'
  return {
    outcome,
    text: resultTextOf(result, tool.texts, redactData(repeatableFieldsOf(input)), options.showsSessionIds),
    ...(isNewSession && { createdSession: id }),
  }
}

/** The result with its data and its texts redacted. */
function redactResult(result: ToolResult, redactData: Redactor['redactData']): ToolResult {
  const { data, otherChanges } = redactData({ data: result.data, otherChanges: result.otherChanges })
  return { ...result, data, ...(otherChanges !== undefined && { otherChanges }) }
}
