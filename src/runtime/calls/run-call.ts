// A call on a session, as the steps that it goes through: resolve the session, count the call, wait for its turn, wait until the session
// is open, ask the user, set the deadline, run the body, record it in the journal, collect the evidence of a failure, describe what changed.

import { createDeadline, race } from './deadline.ts'
import { addEffects, addReadNotes, describeStaleRef, positionOf, type Position } from './describe-changes.ts'
import { guardPage } from './guarded-page.ts'
import { askPermission } from './host-permission.ts'
import type { CallSteps, RunningCall } from './running-call.ts'
import { failureOfStoppedBody, failureOfUnstarted } from './stop-failures.ts'
import { waitForTurn, type PendingAnswer } from './wait-for-turn.ts'
import type { OpenSession } from '../ports/open-session.ts'
import type { PageBody, SessionBody, ToolCall, ToolResult } from '../ports/tool-call.ts'
import { openSessionOf } from '../sessions/open-session.ts'
import type { ReadyResources } from '../resources/session-resources.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../../core/redaction/page-secrets.ts'
import { err, ok } from '../../core/result.ts'

/** Runs a call that needs no page. Fails as the session does, or with TIMEOUT if the page does not report its secret fields. */
export async function runOnSession<T>(
  steps: CallSteps,
  call: ToolCall,
  body: SessionBody<T>,
): Promise<Outcome<T>> {
  const session = await steps.resolveSession(call)
  if (!session.ok) return session
  return steps.countCall(session.value, async ({ record, resources }) => {
    const ready = await resources.ready
    if (!ready.ok) return ready
    const open = openSessionOf(record, resources, ready.value)
    const reported = await collectSecrets(call, open)
    return reported.ok ? body(open) : reported
  })
}

/** Runs a call on the page, in its turn. Fails as the session, the queue, the host rules, the deadline or the body do. */
export async function runOnPage<T>(
  steps: CallSteps,
  call: ToolCall,
  body: PageBody<T>,
  describe?: RunningCall<T>['describe'],
): Promise<Outcome<T>> {
  const session = await steps.resolveSession(call)
  if (!session.ok) return session
  return steps.countCall(session.value, (resolved) => {
    const timeout = call.timeout ?? steps.timeoutOf(resolved.record, call.timeoutKind)
    return waitForTurn({ ...resolved, call, steps, timeout, body, ...(describe && { describe }) }, runInTurn)
  })
}

/** Runs a tool on the page; its result also has page events and what changed. */
export const runPageTool = (
  steps: CallSteps,
  call: ToolCall,
  body: PageBody<ToolResult>,
): Promise<Outcome<ToolResult>> =>
  runOnPage(steps, call, body, (result, start, after) =>
    call.changesPage ? addEffects(result, start, after, call) : addReadNotes(result, after),
  )

async function runInTurn<T>(running: RunningCall<T>): Promise<Outcome<T> | PendingAnswer> {
  const outcome = await openAndRun(running)
  if ('answer' in outcome || outcome.ok) return outcome
  const { steps, resources, call } = running
  return err(await steps.explain(resources, outcome.error, call.maximumPixels))
}

async function openAndRun<T>(running: RunningCall<T>): Promise<Outcome<T> | PendingAnswer> {
  const ready = await waitUntilOpen(running)
  if (!ready.ok) return ready
  const permission = await askPermission(running, ready.value)
  if ('answer' in permission || !permission.ok) return permission
  return runBody(running, ready.value)
}

async function waitUntilOpen<T>(running: RunningCall<T>): Promise<Outcome<ReadyResources>> {
  const { call, ended, resources } = running
  const ready = await race(call.timeout, [call.signal, ended], () => resources.ready)
  return 'value' in ready
    ? ready.value
    : err(failureOfUnstarted(ready.stopped, running, 'the session to open'))
}

async function runBody<T>(running: RunningCall<T>, ready: ReadyResources): Promise<Outcome<T>> {
  const { record, resources, ended, call, timeout, steps } = running
  const session = openSessionOf(record, resources, ready)
  const start = positionOf(session)
  if (call.changesPage && call.timeoutKind === 'navigation') resources.evidenceSeq = start.seq
  const page = guardPage(ready.page, ready.proxy)
  const raced = await race(timeout + call.graceMs, [call.signal, ended], async (signal) => {
    const deadline = createDeadline(timeout, signal, steps.clock)
    const reported = await collectSecrets(call, session)
    return reported.ok ? running.body(page, deadline, session) : reported
  })
  const result = 'value' in raced ? raced.value : err(await failureOfStoppedBody(raced, running, ready.page))
  const outcome = describeStaleRef(result, session)
  recordInJournal(running, outcome)
  if (!outcome.ok) return outcome
  if (call.changesPage) resources.evidenceSeq = start.seq
  return ok(await describe(running, ready, session, outcome.value, start))
}

const DESCRIPTION_LIMIT_CHARS = 200

function recordInJournal<T>({ resources, call, steps }: RunningCall<T>, outcome: Outcome<T>): void {
  const description = resources.redactor.redactText(call.description).slice(0, DESCRIPTION_LIMIT_CHARS)
  const text = `${description}: ${outcome.ok ? 'done' : outcome.error.code}`
  const level = outcome.ok ? 'info' : 'error'
  resources.journal.add({ kind: 'action', at: steps.clock(), text, level })
}

const DESCRIBE_TIMEOUT_MS = 3000

// A description that takes too long is omitted.
async function describe<T>(
  running: RunningCall<T>,
  { page }: ReadyResources,
  session: OpenSession,
  result: T,
  start: Position,
): Promise<T> {
  const { call, ended, steps } = running
  const raced = await race(DESCRIBE_TIMEOUT_MS, [call.signal, ended], async (signal) => {
    const deadline = createDeadline(DESCRIBE_TIMEOUT_MS, signal, steps.clock)
    return running.describe?.(result, start, { page, deadline, session })
  })
  return ('value' in raced ? raced.value : undefined) ?? result
}

/** The failure of a call whose result may contain page data, if the page does not report its secret fields. */
const SECRETS_UNREPORTED: Failure = {
  code: 'TIMEOUT',
  waitedFor: 'the page to report its secret fields; nothing that it caused is shown before that',
  waited: SECRETS_REPORT_TIMEOUT_MS,
}

async function collectSecrets({ readsPageOutput }: ToolCall, session: OpenSession): Promise<Outcome<void>> {
  return readsPageOutput && !(await session.isReported()) ? err(SECRETS_UNREPORTED) : ok(undefined)
}
