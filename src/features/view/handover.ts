// The agent asks for a person and waits until they have returned the session.

import type { Failure } from '../../core/base/failure.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { race, type StopReason } from '../../core/base/system/race-deadline.ts'
import { redactFailure, runPageTool } from '../../core/sessions/call/run-call.ts'
import type { CallSteps } from '../../core/sessions/types/call-steps.ts'
import type { OpeningSession } from '../../core/sessions/types/owned-session.ts'
import type { SessionManagerOptions } from '../../core/sessions/types/session-options.ts'
import type { HandoverResult, PersonRequest, ToolCall, ToolOutcome } from '../../core/tool/tool-call.ts'

/** How often the client learns that the call goes on. */
const PROGRESS_INTERVAL_MS = 10_000

/** Lends the session to a person. Its result has what changed meanwhile and their note. Fails with TIMEOUT if nobody comes within `timeout`
 * milliseconds or the user declines. */
export async function handOver(
  steps: CallSteps,
  call: ToolCall,
  { reason, timeout }: Pick<PersonRequest, 'reason' | 'timeout'>,
  onEvent: SessionManagerOptions['onEvent'],
): Promise<ToolOutcome<HandoverResult>> {
  const session = call.session ? ok(call.session) : await steps.resolveSession(call)
  if (!session.ok) return session
  const outcome = await steps.countCall(session.value, async () => {
    const { control, ready } = session.value
    const openResult = await ready
    if (!openResult.ok) return openResult
    const startedAt = steps.clock()
    control.send({ type: 'asked', reason, timeout })
    onEvent({ event: 'person_needed', sessionId: session.value.record.id, reason })
    const end = await waitForReturn(session.value, call, { reason, timeout })
    control.send({ type: 'withdrawn' })
    if (end === 'returned') return ok(undefined)
    return err(failureOf(end, steps, session.value, steps.clock() - startedAt))
  })
  if (!outcome.ok) return redactFailure(outcome, session.value.redactor)
  const result = await runPageTool(steps, { ...call, changesPage: true, reportsOthers: true }, async () =>
    ok({ data: { success: true } }),
  )
  return { ...result, ...map(result, (value) => ({ ...value, data: noteAmong(value.data) })) }
}

// --- internal ---

type Data = HandoverResult['data']

type End = 'returned' | 'declined' | 'nobody' | StopReason

function noteAmong(data: object): Data {
  const { person, ...rest } = data as Data & { readonly person?: { readonly note: string } }
  return { ...rest, ...(person?.note && { note: person.note }) }
}

async function waitForReturn(
  { control, endSignal, record }: OpeningSession,
  { signal, progress, askForPerson }: ToolCall,
  { reason, timeout }: Pick<PersonRequest, 'reason' | 'timeout'>,
): Promise<End> {
  let hasCome = false
  void control.waitForPerson().then(() => (hasCome = true))
  const questionEnd = new AbortController()
  const question = { session: record.name, reason, timeout, signal: questionEnd.signal }
  const formAnswer = askForPerson?.(question).then((answer): End | undefined => {
    if (control.state().by === 'person' || questionEnd.signal.aborted) return undefined
    if (answer) control.leaveNote(answer.note)
    return answer ? 'returned' : 'declined'
  })
  const returned = control.waitForAgent().then((): End => (hasCome ? 'returned' : 'nobody'))
  const wait = Promise.race([returned, ...(formAnswer ? [formAnswer.then((end) => end ?? returned)] : [])])
  try {
    for (;;) {
      const result = await race(PROGRESS_INTERVAL_MS, [signal, endSignal], () => wait)
      if ('value' in result) return result.value
      if (result.stopReason !== 'deadline') return result.stopReason
      progress(hasCome ? 'a person has the session' : `waiting for a person: ${reason}`)
    }
  } finally {
    questionEnd.abort()
  }
}

function failureOf(end: End, steps: CallSteps, { record }: OpeningSession, waited: number): Failure {
  if (end === 'closed') return steps.endReasonOf(record)
  if (end === 'cancelled') return { code: 'CANCELLED' }
  return {
    code: 'TIMEOUT',
    waitedFor: 'a person to take the session over',
    waited,
    observed: [end === 'declined' ? 'the user declined' : 'nobody took it in footlight view'],
  }
}
