// A call on a session, as the steps that it goes through: resolve the session, count the call, wait for its turn, wait until the session
// is open, ask the user, set the deadline, run the body, record it in the journal, collect the evidence of a failure, describe what changed.

import { createDeadline, race, raceProlongable, type ProlongableDeadline } from '../system/deadline.ts'
import {
  addEffects,
  addReadNotes,
  describeStaleRef,
  markOwnOverlay,
  nameOwnServer,
  positionOf,
  type PageAfterCall,
  type Position,
} from './describe-changes.ts'
import { askPermission, checkPermission, applyProxyDenial } from './host-permission.ts'
import type { CallSteps, SessionCall } from './call-queue.ts'
import { failureOfStoppedBody, failureOfUnstarted, recoverAfterWait } from './stop-failures.ts'
import { waitForTurn, type PendingAnswer } from './wait-for-turn.ts'
import type { OpenSession } from '../ports/open-session.ts'
import type { PageBody, SessionBody, ToolCall, ToolResult } from '../ports/tool-call.ts'
import { openSessionOf } from './open-session.ts'
import type { ReadyResources } from './session-resources.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../../core/redaction/page-secrets.ts'
import { err, ok } from '../../core/result.ts'
import type { EgressProxy } from '../ports/egress-proxy.ts'
import type { Page, ElementCondition, WaitCondition } from '../ports/page.ts'
import { resolveUrl } from '../../core/network/page-url.ts'
import type { Clock } from '../system/timer.ts'
import { showPageText } from '../../core/text/invisible-characters.ts'
import {
  createRecordAction,
  type Recorder,
  recordInputs,
  recordPointer,
  type RecordAction,
} from './record-inputs.ts'
import type { Deadline } from '../ports/deadline.ts'
import type { RecordedAction, RecordedElement } from '../../core/recording/recorded-step.ts'

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
    const secrets = await collectSecrets(call, open)
    return secrets.ok ? body(open) : secrets
  })
}

/** Checks and completes the result of a body, from the state of the session before the call and its page after it. */
type DescribeResult<T> = (result: T, start: Position, after: PageAfterCall) => Promise<Outcome<T>>

/** What a call runs on the page. */
interface PageWork<T> {
  readonly body: PageBody<T>
  readonly describe?: DescribeResult<T>
}

/** Runs a call on the page, in its turn. Fails as the session, the queue, the host rules, the deadline or the body do. */
export const runOnPage = <T>(steps: CallSteps, call: ToolCall, body: PageBody<T>): Promise<Outcome<T>> =>
  runPageWork(steps, call, { body })

/** Runs a tool on the page; its result also has page events and what changed. */
export const runPageTool = (
  steps: CallSteps,
  call: ToolCall,
  body: PageBody<ToolResult>,
): Promise<Outcome<ToolResult>> =>
  runPageWork(steps, call, {
    body,
    describe: (result, start, after) =>
      call.changesPage ? addEffects(result, start, after, call) : addReadNotes(result, after),
  })

async function runPageWork<T>(steps: CallSteps, call: ToolCall, work: PageWork<T>): Promise<Outcome<T>> {
  const session = await steps.resolveSession(call)
  if (!session.ok) return session
  return steps.countCall(session.value, (resolvedSession) => {
    const timeout = call.requestedTimeout ?? steps.timeoutOf(resolvedSession.record, call.timeoutKind)
    return waitForTurn(steps, { ...call, ...resolvedSession, timeout }, (sessionCall) =>
      runInTurn(steps, sessionCall, work),
    )
  })
}

async function runInTurn<T>(
  steps: CallSteps,
  call: SessionCall,
  work: PageWork<T>,
): Promise<Outcome<T> | PendingAnswer> {
  const outcome = await openAndRun(steps, call, work)
  if ('answer' in outcome || outcome.ok) return outcome
  return err(await steps.explain(call.resources, outcome.error, call))
}

async function openAndRun<T>(
  steps: CallSteps,
  call: SessionCall,
  work: PageWork<T>,
): Promise<Outcome<T> | PendingAnswer> {
  const ready = await waitUntilOpen(steps, call)
  if (!ready.ok) return ready
  const opensUrl = call.opensUrl === undefined ? undefined : absoluteUrlOf(call.opensUrl, ready.value)
  const permission = await askPermission(steps, { ...call, opensUrl }, ready.value)
  if ('answer' in permission || !permission.ok) return permission
  return runBody(steps, call, work, ready.value)
}

async function waitUntilOpen(steps: CallSteps, call: SessionCall): Promise<Outcome<ReadyResources>> {
  const { requestedTimeout, signal, endSignal, resources } = call
  const openResult = await race(requestedTimeout, [signal, endSignal], () => resources.ready)
  return 'value' in openResult
    ? openResult.value
    : err(failureOfUnstarted(steps, openResult.stopReason, call, 'the session to open'))
}

async function runBody<T>(
  steps: CallSteps,
  call: SessionCall,
  { body, describe }: PageWork<T>,
  ready: ReadyResources,
): Promise<Outcome<T>> {
  const { record, resources, timeout } = call
  const session = openSessionOf(record, resources, ready)
  const start = positionOf(session)
  if (call.changesPage && call.timeoutKind === 'navigation') resources.evidenceSeq = start.seq
  const recorder = { ...resources, clock: steps.clock, position: resources.journal.lastSeq }
  const page = resolvePaths(recordActions(guardPage(ready.page, ready.proxy), recorder), ready)
  const isDefault = call.requestedTimeout === undefined && record.actionTimeout === undefined
  const startedAt = steps.clock()
  const end = isDefault ? Infinity : startedAt + timeout
  const bodyResult = await race(timeout + call.graceMs, [call.signal, call.endSignal], async (signal) => {
    const deadline = { ...createDeadline(timeout, signal, steps.clock), isDefault }
    const secrets = await collectSecrets(call, session)
    return secrets.ok ? body(page, deadline, session) : secrets
  })
  const result =
    'value' in bodyResult
      ? await recoverAfterWait(bodyResult.value, ready.page, steps.clock() - startedAt)
      : err(await failureOfStoppedBody(steps, bodyResult, call, ready.page))
  const explained = await nameInvalidField(describeStaleRef(result, session), ready.page, steps.clock)
  const outcome = nameOwnServer(markOwnOverlay(explained, session), session)
  const correctJournal = recordInJournal(steps, call, outcome)
  if (!outcome.ok) return outcome
  const description =
    describe &&
    (await runDescription(steps, call, (deadline) =>
      describe(outcome.value, start, { page: ready.page, deadline, session, remaining: end - steps.clock() }),
    ))
  if (description?.ok === false) correctJournal(description)
  else if (call.changesPage) resources.evidenceSeq = start.seq
  return description ?? outcome
}

const DESCRIPTION_LIMIT_CHARS = 200

// Returns a function that records another outcome in its place, for a call whose effect turns out to be missing.
function recordInJournal(
  { clock }: CallSteps,
  { resources, ...call }: SessionCall,
  outcome: Outcome<unknown>,
): (outcome: Outcome<unknown>) => void {
  if (outcome.ok && call.isRead) return () => {}
  const description = resources.redactor.redactText(call.description).slice(0, DESCRIPTION_LIMIT_CHARS)
  const entryOf = (result: Outcome<unknown>) =>
    ({
      text: `${description}: ${result.ok ? 'done' : result.error.code}`,
      level: result.ok ? 'info' : 'error',
    }) as const
  const entry = resources.journal.add({ kind: 'action', at: clock(), ...entryOf(outcome) })
  return (result) => resources.journal.replace(entry, { ...entry, ...entryOf(result) })
}

const DESCRIBE_TIMEOUT_MS = 3000

// A description that takes too long is omitted.
async function runDescription<T>(
  { clock }: CallSteps,
  { signal: cancelSignal, endSignal }: SessionCall,
  describe: (deadline: ProlongableDeadline) => Promise<T>,
): Promise<T | undefined> {
  const signals = [cancelSignal, endSignal]
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

// --- internal ---

/** The absolute URL of `url`, which may be a path of the session's dev server or, without one, of its page. */
const absoluteUrlOf = (url: string, { page, server }: ReadyResources): string =>
  resolveUrl(url, server?.info().url ?? page.url())

/** The page with host rules: a URL that they deny is not opened, and a page that the proxy denied is a failure. */
const guardPage = (page: Page, proxy: EgressProxy | undefined): Page => ({
  ...page,
  async navigate(url, waitUntil, deadline) {
    const permission = checkPermission(url, proxy)
    if (!permission.ok) return permission
    const denialCount = proxy?.denialCount() ?? 0
    const outcome = await page.navigate(permission.value, waitUntil, deadline)
    return applyProxyDenial(outcome, permission.value, proxy, denialCount)
  },
})

/** The page, whose `navigate` takes paths too. */
const resolvePaths = (page: Page, ready: ReadyResources): Page => ({
  ...page,
  navigate: (url, waitUntil, deadline) => page.navigate(absoluteUrlOf(url, ready), waitUntil, deadline),
})

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

// Records the actions of a page that succeed, and the checks that hold, with how their elements can be found again. An element is described
// beside its action, so that recording takes no time of its own.
/** The page, whose actions are recorded from now on. */
function recordActions(page: Page, recorder: Recorder): Page {
  const record = createRecordAction(page, recorder)
  return {
    ...page,
    ...recordInputs(page, record),
    ...recordPointer(page, record),
    ...recordTabs(page, record),
    ...recordSettings(page, record, recorder),
    waitFor: (condition, deadline) =>
      record(
        () => page.waitFor(condition, deadline),
        () => recordCheck(page, condition, deadline),
      ),
    navigate: (url, waitUntil, deadline) =>
      record(
        () => page.navigate(url, waitUntil, deadline),
        () => ({ kind: 'navigate', url }),
        async () => ({ kind: 'navigate', url, isHydrated: await page.isServerRendered() }),
      ),
    history: (direction, deadline) =>
      record(
        () => page.history(direction, deadline),
        () => ({ kind: 'history', direction }),
        async () => ({ kind: 'history', direction, isHydrated: await page.isServerRendered() }),
      ),
  }
}

/** A check as a record; undefined if it required nothing of the page. */
async function recordCheck(
  page: Page,
  condition: WaitCondition,
  deadline: Deadline,
): Promise<RecordedAction | undefined> {
  const { element: elementCondition, text, textGone, url } = condition
  if (!elementCondition && [text, textGone, url].every((field) => field === undefined)) return undefined
  const element = elementCondition && (await describeChecked(page, elementCondition, deadline))
  const { checks = [], aria, not = false } = elementCondition ?? {}
  return {
    kind: 'check',
    check: {
      ...(element && { element }),
      checks,
      ...(aria && { aria: aria.map((line) => `${' '.repeat(line.depth)}${line.text}`).join('\n') }),
      not,
      ...(text !== undefined && { text }),
      ...(textGone !== undefined && { textGone }),
      ...(url && { url: url.text }),
    },
  }
}

// What counts elements, or checks what they contain, keeps the selector of the client: one that Playwright finds may depend on the very
// text that is checked.
async function describeChecked(
  page: Page,
  { target, checks, aria }: ElementCondition,
  deadline: Deadline,
): Promise<RecordedElement | undefined> {
  if (!target) return undefined
  const isContent = aria !== undefined || checks.some(({ kind }) => kind === 'text' || kind === 'count')
  if (!('selector' in target))
    return page.describeElement(target, deadline, isContent ? 'text-check' : 'action')
  if (isContent) return page.describeSelector(target.selector)
  return page.describeElement(target, deadline)
}

/** The methods for dialogs and tabs. */
const recordTabs = (
  page: Page,
  record: RecordAction,
): Pick<Page, 'answerDialog' | 'openTab' | 'closeTab'> => ({
  answerDialog: (accept, promptText, deadline) =>
    record(
      () => page.answerDialog(accept, promptText, deadline),
      () => ({ kind: 'dialog', accept, ...(promptText !== undefined && { promptText }) }),
    ),
  openTab: (deadline) =>
    record(
      () => page.openTab(deadline),
      () => ({ kind: 'openTab' }),
    ),
  closeTab: (id, deadline) =>
    record(
      () => page.closeTab(id, deadline),
      () => ({ kind: 'closeTab', ...(id !== undefined && { id }) }),
    ),
})

/** The methods for what a session emulates, mocks and stores. */
const recordSettings = (
  page: Page,
  record: RecordAction,
  { mocks, recording }: Recorder,
): Pick<
  Page,
  'emulate' | 'setFixedTime' | 'seedRandom' | 'applyMocks' | 'pushToSockets' | 'changeStorage'
> => ({
  emulate: (change, deadline) =>
    record(
      () => page.emulate(change, deadline),
      () => ({ kind: 'emulate', change }),
    ),
  setFixedTime: (time) =>
    record(
      () => page.setFixedTime(time),
      () => ({ kind: 'clock', time: time === undefined ? time : new Date(time).toISOString() }),
    ),
  seedRandom: (seed) =>
    record(
      () => page.seedRandom(seed),
      () => ({ kind: 'seed', seed }),
    ),
  applyMocks(deadline) {
    const mock = mocks.list().at(-1)
    const isKnown = recording
      .read()
      .steps.some(({ action }) => action.kind === 'mock' && action.rule === mock?.rule)
    return record(
      () => page.applyMocks(deadline),
      () => (mock && !isKnown ? { kind: 'mock', rule: mock.rule, mock } : undefined),
    )
  },
  pushToSockets: (push, deadline) =>
    record(
      () => page.pushToSockets(push, deadline),
      () => ({ kind: 'push', push }),
    ),
  changeStorage(action, query, value, deadline) {
    const work = () => page.changeStorage(action, query, value, deadline)
    return action === 'read' ? work() : record(work, () => ({ kind: 'other', tool: 'storage_state' }))
  },
})
