// Runs the tool of a call: counts it for the rate limits, parses its input and reports it. An exception is a bug: it is logged with its
// stack and answered as INTERNAL, and the server keeps running.

import type { InvalidParameter } from '../../base/failure-records.ts'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { clip } from '../../base/text/clip.ts'
import type { OpeningSession } from '../../sessions/types/owned-session.ts'
import { describeFields } from '../../tool/describe-fields.ts'
import type { ToolOutcome } from '../../tool/tool-call.ts'
import type { BoundCall, CallContext, RawInput, Tool, ToolContext } from '../../tool/tool.ts'
import type { FailureForm } from '../answers/failure-form.ts'
import { parseInput } from './parse-input.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { ToolNames } from './tool-names.ts'

const SESSION_TOOL = 'create_session'
const KEY_LIMIT_CHARS = 200

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

/** Where a call is for: the session that it names, or the only one. It is determined when the call comes: another one may open before it ends. */
export interface CallSession {
  readonly foundSession: OpeningSession | undefined
  readonly sessionKey: string | undefined
}

export function findCallSession(
  { isSessionOptional }: Pick<DispatchOptions, 'isSessionOptional'>,
  tool: Tool,
  key: unknown,
  { sessions, caller }: CallContext,
): CallSession {
  const givenKey =
    typeof key === 'string' || typeof key === 'number' ? clip(String(key), KEY_LIMIT_CHARS) : undefined
  if (!tool.session || (givenKey === undefined && !isSessionOptional))
    return { foundSession: undefined, sessionKey: givenKey }
  const foundSession = sessions.find(caller.owner, givenKey)
  return { foundSession, sessionKey: givenKey ?? foundSession?.record.id }
}

/** What a call has come to, and the session that it ran in. */
export interface ToolRun {
  readonly outcome: ToolOutcome
  readonly session: OpeningSession | undefined
}

/** Runs a call of `tool` in its session. */
export async function runTool(
  options: DispatchOptions,
  tool: Tool,
  input: RawInput,
  context: ToolContext,
): Promise<ToolRun> {
  const startedAt = performance.now()
  const { caller, sessionKey } = context
  const rate = countCall(options, caller.owner, tool.name)
  const run = rate.ok
    ? await parseAndRun(options, tool, input, context)
    : { outcome: rate, session: undefined }
  const { outcome } = run
  options.onCall({
    event: outcome.ok ? 'tool_called' : 'tool_failed',
    tool: tool.name,
    ...(sessionKey !== undefined && { sessionId: sessionKey }),
    ms: Math.round(performance.now() - startedAt),
    ...(!outcome.ok && { errorCode: outcome.error.code }),
  })
  return run
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
): Result<BoundCall, InvalidParameter> {
  const call = parseInput(tool, input)
  if (call.ok || !tools || tools.includes(tool)) return call
  const hint = [call.error.hint, describeFields(tool)].filter(Boolean).join(' ')
  return err({ ...call.error, hint })
}

async function parseAndRun(
  options: DispatchOptions,
  tool: Tool,
  input: RawInput,
  context: ToolContext,
): Promise<ToolRun> {
  const { sessionKey, foundSession, sessions, caller } = context
  const { isSessionOptional, onBug } = options
  const call = parseCall(options, tool, input)
  if (!call.ok) return { outcome: call, session: foundSession }
  if (tool.session && sessionKey === undefined && !isSessionOptional)
    return { outcome: err(SESSION_REQUIRED), session: undefined }
  // One that is opening may be the first of its owner, for whose creation calls wait in the order of their arrival.
  const isFound = tool.session !== 'open' || foundSession?.record.status === 'open'
  const entry = isFound ? ok(foundSession) : await sessions.resolve({ ...caller, sessionKey })
  if (!entry.ok) return { outcome: entry, session: undefined }
  const session = entry.value
  try {
    return { outcome: await call.value.run({ ...context, foundSession: session }), session }
  } catch (error) {
    const id = crypto.randomUUID().slice(0, 8)
    onBug(id, error)
    return { outcome: err({ code: 'INTERNAL', id }), session }
  }
}

const SESSION_REQUIRED = invalidParameter('sessionId', 'a string', 'nothing')
