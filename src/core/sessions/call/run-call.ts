// A call on a session, as the steps that it goes through: resolve the session, count the call, wait for its turn, wait until the session
// is open, ask the user, set the deadline, run the body, record it in the journal, collect the evidence of a failure, describe what changed.

import { type Failure, leavesEvidence, type Outcome } from '../../base/failure.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../../base/redaction/page-secrets.ts'
import type { Redactor } from '../../base/redaction/redactor.ts'
import { err, ok } from '../../base/result.ts'
import {
  createDeadline,
  type ProlongableDeadline,
  race,
  raceProlongable,
} from '../../base/system/race-deadline.ts'
import { createDeferred } from '../../base/system/settle-within.ts'
import type { Clock } from '../../base/system/timer.ts'
import { showPageText } from '../../base/text/invisible-characters.ts'
import type { FailedOutcome, ToolCall, ToolOutcome, ToolResult } from '../../tool/tool-call.ts'
import type { CallSteps, PageAfterCall, PendingAnswer, Position, SessionCall } from '../types/call-steps.ts'
import type { OpenSession } from '../types/open-session.ts'
import type { OpeningSession, OwnedSession } from '../types/owned-session.ts'
import type { Page } from '../types/page.ts'
import type { PageBody, SessionBody } from '../types/session-manager.ts'
import {
  addEffects,
  addReadNotes,
  addUnreadNote,
  describeStaleRef,
  markOwnOverlay,
  nameOwnServer,
  positionOf,
} from './describe-changes.ts'
import { askPermission } from './host-permission.ts'
import { readNews } from './page-news.ts'
import { absoluteUrlOf } from './perform-action.ts'
import { failureOfStoppedBody, failureOfUnstarted, recoverAfterWait } from './stop-failures.ts'

/** Runs a call that needs no page. Fails as the session does, or with TIMEOUT if the page does not report its secret fields. */
export async function runOnSession<T>(
  steps: CallSteps,
  call: ToolCall,
  body: SessionBody<T>,
): Promise<ToolOutcome<T>> {
  const session = await resolveOwnSession(steps, call)
  if (!session.ok) return session
  return steps.countCall(session.value, async () => {
    const openResult = await session.value.ready
    if (!openResult.ok) return openResult
    const secrets = await collectSecrets(call, openResult.value)
    const outcome = secrets.ok ? await body(openResult.value) : secrets
    return addReport(steps, outcome, session.value, call)
  })
}

async function resolveOwnSession(steps: CallSteps, call: ToolCall): Promise<ToolOutcome<OpeningSession>> {
  const session = call.session ? ok(call.session) : await steps.resolveSession(call)
  return (session.ok && refuseCall(session.value)) || session
}

/** The outcome, a failure with its evidence unless it brings that from another session, and redacted by its own session. */
export async function addReport<T>(
  { gatherEvidence }: Pick<CallSteps, 'gatherEvidence'>,
  outcome: ToolOutcome<T>,
  session: OpeningSession,
  call: Parameters<CallSteps['gatherEvidence']>[2],
): Promise<ToolOutcome<T>> {
  if (outcome.ok) return outcome
  const isGathered = outcome.evidence !== undefined || !leavesEvidence(outcome.error)
  const evidence = isGathered ? outcome.evidence : await gatherEvidence(session, outcome.error, call)
  return redactFailure({ ...outcome, ...(evidence && { evidence }) }, session.redactor)
}

/** A failed outcome, redacted but for the picture. */
export function redactFailure<F extends FailedOutcome>(
  { error, evidence, ...outcome }: F,
  { redactData }: Pick<Redactor, 'redactData'>,
): FailedOutcome {
  if (!evidence) return { ...outcome, error: redactData(error) }
  const { image, ...texts } = evidence
  return { ...outcome, error: redactData(error), evidence: { ...redactData(texts), image } }
}

/** Checks and completes the result of a body, from the state of the session before the call and its page after it. */
type DescribeResult<T> = (result: T, start: Position, after: PageAfterCall) => Promise<Outcome<T>>

/** What a call runs on the page. */
interface PageWork<T> {
  readonly body: PageBody<T>
  readonly describe?: DescribeResult<T>
  /** The result where that takes too long. */
  readonly withoutDescription?: (result: T, session: OpenSession) => T
}

/** Runs a call on the page, in its turn. Fails as the session, the queue, the host rules, the deadline or the body do. */
export const runOnPage = <T>(steps: CallSteps, call: ToolCall, body: PageBody<T>): Promise<ToolOutcome<T>> =>
  runPageWork(steps, call, { body })

/** Runs a tool on the page; its result also has page events and what changed. */
export const runPageTool = (
  steps: CallSteps,
  call: ToolCall,
  body: PageBody<ToolResult>,
): Promise<ToolOutcome> =>
  runPageWork(steps, call, {
    body,
    describe: (result, start, after) =>
      call.changesPage ? addEffects(result, start, after, call) : addReadNotes(result, after),
    withoutDescription: (result, session) =>
      call.changesPage ? addUnreadNote(result, call, session) : result,
  })

async function runPageWork<T>(steps: CallSteps, call: ToolCall, work: PageWork<T>): Promise<ToolOutcome<T>> {
  const session = await resolveOwnSession(steps, call)
  if (!session.ok) return session
  const { record } = session.value
  const timeout = call.requestedTimeout ?? steps.timeoutOf(record, call.timeoutKind)
  return steps.countCall(session.value, async () => {
    const outcome = await waitForTurn(steps, { ...call, session: session.value, timeout }, (sessionCall) =>
      runInTurn(steps, sessionCall, work),
    )
    // One that failed while it waited has none yet.
    return addReport(steps, outcome, session.value, { ...call, changesPage: false })
  })
}

// Calls of one session run one after the other. Every call has its own deadline, so waiting is bounded without a timeout; only a call with
// a shorter timeout than those before it waits no longer than that.
const QUEUE_LIMIT = 100

/** Runs `work` in the call's turn. A call that waits for the user leaves the queue meanwhile. */
async function waitForTurn<T>(
  steps: CallSteps,
  call: SessionCall,
  work: (call: SessionCall) => Promise<ToolOutcome<T> | PendingAnswer>,
): Promise<ToolOutcome<T>> {
  const outcome = await runInQueue(steps, call, work)
  if (!('answer' in outcome)) return outcome
  const answer = await outcome.answer
  const { opensUrl: _, ...permittedCall } = call
  return answer.ok ? waitForTurn(steps, permittedCall, work) : answer
}

async function runInQueue<T>(
  steps: CallSteps,
  call: SessionCall,
  work: (call: SessionCall) => Promise<ToolOutcome<T> | PendingAnswer>,
): Promise<ToolOutcome<T> | PendingAnswer> {
  const { timeout } = call
  const { record, endSignal } = call.session
  const { queue } = steps
  const queuedCount = queue.size(record.id)
  if (queuedCount >= QUEUE_LIMIT)
    return err({ code: 'SESSION_BUSY', sessionId: record.id, reason: 'queue_full', waiting: queuedCount })
  const waitMs = queue.maximumTimeout(record.id) > timeout ? call.requestedTimeout : undefined
  const start = createDeferred()
  const job = async (): Promise<ToolOutcome<T> | PendingAnswer> => {
    start.resolve()
    return refuseCall(call.session) ?? work(call)
  }
  if (leavesDocument(call) && queue.isReading(record.id)) freePage(call.session).catch(() => {})
  const queuedJob = queue.add(record.id, job, { timeout, isRead: call.isRead ?? false })
  const waitResult = await race(waitMs, [call.signal, endSignal], () => start.promise)
  if ('value' in waitResult || !queuedJob.leave()) return queuedJob.result
  return err(
    failureOfUnstarted(
      steps,
      waitResult.stopReason,
      call,
      `${queuedCount} earlier calls of the same session`,
    ),
  )
}

export function refuseCall({ features }: OpeningSession): Outcome<never> | undefined {
  const [failure] = features.flatMap((feature) => feature.refuseCall?.() ?? [])
  return failure && err(failure)
}

const leavesDocument = ({ opensUrl }: SessionCall): boolean =>
  opensUrl !== undefined && !opensUrl.includes('#')

// A page whose script never ends would hold up what reads it until that has timed out, and then what leaves it.
async function freePage({ ready }: OpeningSession): Promise<void> {
  const openResult = await ready
  if (openResult.ok) await openResult.value.page.recover()
}

async function runInTurn<T>(
  steps: CallSteps,
  call: SessionCall,
  work: PageWork<T>,
): Promise<ToolOutcome<T> | PendingAnswer> {
  const outcome = await openAndRun(steps, call, work)
  return 'answer' in outcome ? outcome : addReport(steps, outcome, call.session, call)
}

async function openAndRun<T>(
  steps: CallSteps,
  call: SessionCall,
  work: PageWork<T>,
): Promise<Outcome<T> | PendingAnswer> {
  const openResult = await waitUntilOpen(steps, call)
  if (!openResult.ok) return openResult
  const opensUrl = call.opensUrl === undefined ? undefined : absoluteUrlOf(call.opensUrl, openResult.value)
  const permission = await askPermission(steps, { ...call, opensUrl }, openResult.value)
  if ('answer' in permission || !permission.ok) return permission
  return runBody(steps, call, work, openResult.value)
}

async function waitUntilOpen(steps: CallSteps, call: SessionCall): Promise<Outcome<OwnedSession>> {
  const { requestedTimeout, signal, session } = call
  const openResult = await race(requestedTimeout, [signal, session.endSignal], () => session.ready)
  return 'value' in openResult
    ? openResult.value
    : err(failureOfUnstarted(steps, openResult.stopReason, call, 'the session to open'))
}

async function runBody<T>(
  steps: CallSteps,
  call: SessionCall,
  { body, describe, withoutDescription }: PageWork<T>,
  session: OwnedSession,
): Promise<Outcome<T>> {
  const { timeout } = call
  const startedAt = steps.clock()
  const start = positionOf(session, startedAt)
  if (call.changesPage && call.timeoutKind === 'navigation') session.evidenceSeq = start.seq
  const isDefault = call.requestedTimeout === undefined && session.record.actionTimeout === undefined
  const end = isDefault ? Infinity : startedAt + timeout
  const endings = session.features.flatMap(({ beforeCall }) => beforeCall?.(call, startedAt) ?? [])
  const bodyResult = await race(
    timeout + call.graceMs,
    [call.signal, call.session.endSignal],
    async (signal) => {
      const deadline = { ...createDeadline(timeout, signal, steps.clock), isDefault }
      readNews(session, call, deadline)
      const secrets = await collectSecrets(call, session)
      return secrets.ok ? body(session.toolPage, deadline, session) : secrets
    },
  )
  const result =
    'value' in bodyResult
      ? await recoverAfterWait(bodyResult.value, session.page, steps.clock() - startedAt)
      : err(await failureOfStoppedBody(steps, bodyResult, call, session.page))
  const described = await nameInvalidField(describeStaleRef(result, session), session.page, steps.clock)
  const outcome = nameOwnServer(markOwnOverlay(described, session), session)
  const { seq, correct } = recordInJournal(steps, call, session, outcome)
  for (const end of endings) end()
  if (!outcome.ok) return outcome
  const description =
    describe &&
    (await runDescription(steps, call, (deadline) =>
      describe(outcome.value, start, {
        page: session.page,
        deadline,
        session,
        remaining: end - steps.clock(),
      }),
    ))
  if (description?.ok === false) correct(description)
  else if (call.changesPage) {
    if (!call.reportsOthers) session.evidenceSeq = start.seq
    for (const feature of seq === undefined ? [] : session.features)
      await feature.afterAction?.({ seq: seq ?? 0, result: description?.value, call })
  }
  if (description) return description
  return withoutDescription ? ok(withoutDescription(outcome.value, session)) : outcome
}

const DESCRIPTION_LIMIT_CHARS = 200

// `correct` records another outcome in its place, for a call whose effect turns out to be missing.
function recordInJournal(
  { clock }: CallSteps,
  call: SessionCall,
  { journal, redactor }: OwnedSession,
  outcome: Outcome<unknown>,
): { readonly seq?: number; correct(outcome: Outcome<unknown>): void } {
  if (outcome.ok && call.isRead) return { correct() {} }
  const description = redactor.redactText(call.description).slice(0, DESCRIPTION_LIMIT_CHARS)
  const entryOf = (result: Outcome<unknown>) =>
    ({
      text: `${description}: ${result.ok ? 'done' : result.error.code}`,
      level: result.ok ? 'info' : 'error',
      isSilent: result.ok && call.isSilent,
    }) as const
  const entry = journal.add({ kind: 'action', at: clock(), ...entryOf(outcome) })
  return {
    seq: entry.seq,
    correct: (result) => journal.replace(entry, { ...entry, ...entryOf(result) }),
  }
}

const DESCRIBE_TIMEOUT_MS = 3000

// A description that takes too long is omitted.
async function runDescription<T>(
  { clock }: CallSteps,
  { signal, session }: SessionCall,
  describe: (deadline: ProlongableDeadline) => Promise<T>,
): Promise<T | undefined> {
  const signals = [signal, session.endSignal]
  const description = await raceProlongable(DESCRIBE_TIMEOUT_MS, signals, clock, describe)
  return 'value' in description ? description.value : undefined
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

const TIMEOUT_MS = 500

// The browser gives it the focus when it refuses to submit the form.
const INVALID_FIELD = { selector: ':focus:invalid' }

/** Names the field that stopped a submit by its role, name and ref; one without a name by its tag. */
async function nameInvalidField<T>(outcome: Outcome<T>, page: Page, clock: Clock): Promise<Outcome<T>> {
  if (outcome.ok || outcome.error.code !== 'BROWSER_ERROR' || !outcome.error.invalidField) return outcome
  const deadline = createDeadline(TIMEOUT_MS, new AbortController().signal, clock)
  const tree = await page.tree({ target: INVALID_FIELD }, deadline)
  const [field] = tree.ok ? tree.value : []
  if (typeof field !== 'object' || field.ref === undefined) return outcome
  const name = field.name ? showPageText(field.name, 'quoted') : outcome.error.invalidField
  return err({ ...outcome.error, invalidField: `${field.role} ${name} [${field.ref}]` })
}
