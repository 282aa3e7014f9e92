// Runs the tool of a call: counts it for the rate limits, parses its input and reports it. An exception is a bug: it is logged with its
// stack and answered as INTERNAL, and the server keeps running.

import type { InvalidParameter } from '../../base/failure-records.ts'
import type { Outcome } from '../../base/failure.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { describeFields } from '../../tool/describe-fields.ts'
import type { ToolOutcome } from '../../tool/tool-call.ts'
import type { BoundCall, RawInput, Tool, ToolContext } from '../../tool/tool.ts'
import type { FailureForm } from '../answers/failure-form.ts'
import { parseInput } from './parse-input.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { ToolNames } from './tool-names.ts'

const SESSION_TOOL = 'create_session'

export interface CallEvent {
  readonly event: 'tool_called' | 'tool_failed'
  readonly tool: string
  readonly sessionId?: string
  readonly ms: number
  readonly errorCode?: string
}

export interface DispatchOptions {
  readonly names: ToolNames
  /** Also those that cannot be called. */
  readonly everyTool: readonly Tool[]
  /** Those that the client sees; not set where it sees all. */
  readonly tools?: readonly Tool[]
  /** Whether calls may omit `sessionId`. */
  readonly isSessionOptional: boolean
  /** Whether a name is not enough to find a session again, as for clients that nothing else tells apart. */
  readonly showsSessionIds?: boolean
  readonly limiter: RateLimiter
  /** Whether the calls of the client were counted before they came here, as over HTTP. */
  readonly areCallsCounted?: boolean
  /** The key of the rate limits, if it is not the owner of the sessions. */
  readonly client?: string | undefined
  readonly failureForm?: FailureForm
  readonly onCall: (event: CallEvent) => void
  readonly onBug: (id: string, error: unknown) => void
}

/** Runs a call of `tool` on the session that `key` names. */
export async function runTool(
  options: DispatchOptions,
  tool: Tool,
  input: RawInput,
  context: ToolContext,
  key: string | undefined,
): Promise<ToolOutcome> {
  const startedAt = performance.now()
  const rate = countCall(options, context.caller.owner, tool.name)
  const outcome = rate.ok ? await parseAndRun(options, tool, input, context) : rate
  options.onCall({
    event: outcome.ok ? 'tool_called' : 'tool_failed',
    tool: tool.name,
    ...(key !== undefined && { sessionId: key }),
    ms: Math.round(performance.now() - startedAt),
    ...(!outcome.ok && { errorCode: outcome.error.code }),
  })
  return outcome
}

/** Counts a call of this tool; RATE_LIMITED if there were too many. */
export function countCall(
  { limiter, areCallsCounted, client }: DispatchOptions,
  owner: string,
  tool: string,
): Outcome<void> {
  const key = client ?? owner
  const rate = areCallsCounted ? ok(undefined) : limiter.checkCalls(key, 1)
  return rate.ok && tool === SESSION_TOOL ? limiter.checkSession(key) : rate
}

/** Binds an input to a tool. A wrong call of a tool that the client does not see is answered with its fields. */
export function parseCall(
  { tools }: Pick<DispatchOptions, 'tools'>,
  tool: Tool,
  input: RawInput,
  isSessionOptional: boolean,
): Result<BoundCall, InvalidParameter> {
  const call = parseInput(tool, input, isSessionOptional)
  if (call.ok || !tools || tools.includes(tool)) return call
  const hint = [call.error.hint, describeFields(tool)].filter(Boolean).join(' ')
  return err({ ...call.error, hint })
}

async function parseAndRun(
  options: DispatchOptions,
  tool: Tool,
  input: RawInput,
  context: ToolContext,
): Promise<ToolOutcome> {
  const call = parseCall(options, tool, input, options.isSessionOptional)
  if (!call.ok) return call
  try {
    return await call.value.run(context)
  } catch (error) {
    const id = crypto.randomUUID().slice(0, 8)
    options.onBug(id, error)
    return err({ code: 'INTERNAL', id })
  }
}
