// A comparison from its input to its files.

import type { Failure, Outcome } from '../../../core/base/failure.ts'
import type { Size } from '../../../core/base/geometry.ts'
import type { Image } from '../../../core/base/image.ts'
import { err, map, ok } from '../../../core/base/result.ts'
import type { OpenSession, SessionRequest } from '../../../core/sessions/types/open-session.ts'
import type { ServerRequest } from '../../../core/sessions/types/servers.ts'
import type { ToolCall, ToolOutcome } from '../../../core/tool/tool-call.ts'
import type { RawInput, Step, ToolContext } from '../../../core/tool/tool.ts'
import { readPageLayout } from '../../audit/audit-page.ts'
import type { ChangedFile } from '../../lib/changes/changed-file.ts'
import { readState } from '../../states/page-storage.ts'
import {
  type Comparison,
  type Difference,
  type Expectation,
  isUnexplained,
  limitComparison,
  type Masked,
  orderSteps,
  type StepDifferences,
  summarize,
  unplacedOf,
} from '../differences/comparison.ts'
import { describeEndings, type EndedStep, WAY_OUT } from '../differences/step-endings.ts'
import { type Capture, pause } from './capture.ts'
import { differenceOfFailure, findDifferences } from './find-causes.ts'
import { type Flow, planFlow } from './flow.ts'
import { redactComparison } from './redact-comparison.ts'
import { collide, describeShared, type SideUse } from './shared-ports.ts'
import {
  type Arrangement,
  countServers,
  openSides,
  runOn,
  type Side,
  type Sides,
  type SidesRequest,
} from './sides.ts'
import { prepareSide, type WalkedPart, walkFlow } from './walk.ts'
import { writeComparison } from './write-comparison.ts'

export interface CompareRequest {
  readonly base?: string | undefined
  readonly current?: string | undefined
  readonly flow?: readonly string[] | undefined
  readonly expect?: readonly RawInput[] | undefined
  /** Texts and selectors of what is meant to change. */
  readonly only?: readonly string[] | undefined
  readonly server: ServerRequest | undefined
}

/** The result as the answer has it. */
interface ComparisonAnswer extends Omit<
  Comparison,
  'stepCount' | 'notes' | 'steps' | 'masked' | 'expect' | 'unproven'
> {
  readonly message: string
  /** How many sentences make it less than a proof. */
  readonly unproven: number
  readonly steps: { step: number; title: string; url: string; differences: never[] }[]
  readonly masked: Masked[]
  readonly expect: Expectation[]
  readonly files: { readonly html: string; readonly md: string }
  readonly notes?: string[]
}

/** Compares in the session of the key, or without one where a command starts the server. */
export async function compareVersions(
  request: CompareRequest,
  sessionKey: string | undefined,
  context: ToolContext,
): Promise<ToolOutcome<ComparisonAnswer>> {
  const obstacle = context.revisions.findObstacle()
  if (obstacle) return err(obstacle)
  const checks = parseChecks(request.expect ?? [], context)
  if (!checks.ok) return checks
  if (request.server) return run(request, checks.value, undefined, context)
  const call: ToolCall = {
    ...context.caller,
    session: context.foundSession,
    sessionKey,
    description: 'compare',
    timeoutKind: 'action',
    changesPage: false,
    graceMs: 0,
    readsPageOutput: true,
  }
  return context.sessions.runOnSession(call, (session) => run(request, checks.value, session, context))
}

// --- internal ---

const CHECK_TIMEOUT_MS = 5000
const STATE_TIMEOUT_MS = 10_000

interface ExpectedCheck {
  readonly text: string
  readonly step: Step
}

function parseChecks(
  checks: readonly RawInput[],
  { parseStep }: ToolContext,
): Outcome<readonly ExpectedCheck[]> {
  const expected: ExpectedCheck[] = []
  for (const [index, check] of checks.entries()) {
    const step = parseStep('wait_for', { timeout: CHECK_TIMEOUT_MS, ...check })
    if (!step.ok) return err({ ...step.error, field: `expect[${index}].${step.error.field}` })
    expected.push({ text: JSON.stringify(check), step: step.value })
  }
  return ok(expected)
}

async function run(
  request: CompareRequest,
  checks: readonly ExpectedCheck[],
  session: OpenSession | undefined,
  context: ToolContext,
): Promise<Outcome<ComparisonAnswer>> {
  const flow = await planFlow(request.flow, session, context.files)
  if (!flow.ok) return flow
  const user = session && { session, origin: session.server?.info().url ?? session.url }
  const world = user && !flow.value.acts ? await readWorld(user, context) : {}
  const { base, current, server, only = [] } = request
  const sides = { base, current, server, session, state: world.state }
  const attempt = { sides, flow: flow.value, checks, only, viewport: world.viewport }
  let serverCount = countServers(sides)
  if (serverCount < 2) {
    const outcome = await compareOnce({ ...attempt, serverCount }, 'beside', context)
    if (!('collided' in outcome)) return outcome
    serverCount = outcome.collided
  }
  const outcome = await compareOnce({ ...attempt, serverCount }, 'apart', context)
  return 'collided' in outcome ? err({ code: 'CANCELLED' }) : outcome
}

/** The versions cannot run side by side, but one after the other. It is the number of servers that one of them has. */
interface Collision {
  readonly collided: number
}

interface Attempt {
  readonly sides: SidesRequest
  readonly flow: Flow
  readonly checks: readonly ExpectedCheck[]
  readonly only: readonly string[]
  readonly viewport: World['viewport']
  /** How many servers each version has for all that is known. */
  readonly serverCount: number
}

async function compareOnce(
  attempt: Attempt,
  arrangement: Arrangement,
  context: ToolContext,
): Promise<Outcome<ComparisonAnswer> | Collision> {
  const { caller } = context
  caller.progress(arrangement === 'apart' ? 'starting the base' : 'starting both versions')
  const opening = await openSides(attempt.sides, arrangement, context)
  const isRefused = arrangement === 'beside' && !opening.ok && isRefusedStart(opening.error)
  if (isRefused && !caller.signal.aborted) return { collided: attempt.serverCount }
  if (!opening.ok) return opening
  const sides = opening.value
  const outcome = await compareSides(attempt, sides, context).catch(async (error: unknown) => {
    await sides.close()
    throw error
  })
  const closed = await sides.close()
  return 'ok' in outcome && outcome.ok && !closed.ok ? closed : outcome
}

/** The failure of a server that may not have got its port. */
const isRefusedStart = (failure: Failure): boolean =>
  failure.code === 'SERVER_START_FAILED' &&
  !['command_not_found', 'permission_denied', 'invalid_json'].includes(failure.reason)

async function compareSides(
  { sides: { session }, flow, checks, only, viewport, serverCount }: Attempt,
  sides: Sides,
  context: ToolContext,
): Promise<Outcome<ComparisonAnswer> | Collision> {
  const changes = await context.revisions.readChanges(sides.folder, sides.commit)
  if (!changes.ok) return changes
  const changed = changes.value
  const time = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString()
  const areBeside = sides.arrangement === 'beside'
  const countOf = ({ ports }: SideUse) => ports?.own.length ?? 0
  let expectedCount = areBeside ? 0 : serverCount
  const prepare = async (side: Side) => {
    await waitForServers(side, expectedCount)
    return prepareSide(side, time, viewport, context)
  }
  const current = areBeside ? await sides.openCurrent() : undefined
  if (current && !current.ok) return current
  const first = [sides.base, sides.again, ...(current ? [current.value] : [])]
  const failed = (await Promise.all(first.map(prepare))).find((outcome) => !outcome.ok)
  if (failed && !failed.ok) return failed
  const findCollision = (base: SideUse, other: SideUse): Collision | undefined =>
    areBeside && sides.canBeApart && collide(base, other)
      ? { collided: Math.max(countOf(base), countOf(other)) }
      : undefined
  const early = current && findCollision(sides.base.use(), current.value.use())
  if (early) return early
  if (!areBeside) expectedCount = Math.max(serverCount, countOf(sides.base.use()))
  const collected = createCollection({ sides, changed, only, tool: context })
  const verdicts = { base: [] as boolean[], current: [] as boolean[] }
  const walked = await walkFlow(flow, sides, context, {
    prepare,
    onPart: collected.add,
    onEnd: async (side, version) => void (verdicts[version] = await judgeChecks(checks, side)),
  })
  if (!walked.ok) return walked
  const { use, notes, current: last } = walked.value
  const late = findCollision(use.base, use.current)
  if (late) return late
  const steps = orderSteps(collected.steps)
  const shared = [...sides.shared, ...(steps.length > 0 ? sides.missing : [])]
  const unproven = [...shared, ...describeShared(use.base, use.current, !areBeside), ...collected.unproven()]
  const unredacted: Comparison = {
    base: sides.names.base,
    current: sides.names.current,
    steps,
    stepCount: flow.parts.length,
    unexplained: steps.flatMap(({ differences }) => differences).filter(isUnexplained).length,
    masked: collected.masked,
    expect: expectationsOf(checks, verdicts),
    unproven,
    notes: [...unplacedOf(steps), ...flow.notes, ...sides.notes, ...notes, ...(await summariesOf(last))],
  }
  // The files are for a pull request: addresses and expectations may have what the answer hides.
  const comparison = await redactComparison(unredacted, last.session.redactor)
  const owner = session ?? last.session
  const files = await writeComparison({ comparison, changed, pictures: collected.pictures }, owner)
  return map(files, (paths) => answerOf(comparison, paths))
}

/** What its session says of the run; of a version elsewhere it knows nothing. */
const summariesOf = async ({ root, session }: Side): Promise<readonly string[]> =>
  root === undefined ? [] : (await session.summaries()).map(({ name, text }) => `${name}: ${text}`)

const expectationsOf = (
  checks: readonly ExpectedCheck[],
  { base, current }: Readonly<Record<'base' | 'current', readonly boolean[]>>,
): Expectation[] =>
  checks.map(({ text }, index) => ({
    check: text,
    base: base[index] === true,
    current: current[index] === true,
  }))

const SERVERS_TIMEOUT_MS = 15_000
const SERVERS_INTERVAL_MS = 250

/** Waits until all servers of a version listen, for some seconds: the one of the page may be up before the others. */
async function waitForServers(side: Side, count: number): Promise<void> {
  const end = performance.now() + SERVERS_TIMEOUT_MS
  while (performance.now() < end) {
    const { ports } = side.use()
    if (!ports || ports.own.length >= count) return
    await pause(SERVERS_INTERVAL_MS)
  }
}

interface World {
  readonly state?: SessionRequest['storageState']
  readonly viewport?: Size
}

/** What the session of the user has: its logins, and the size of its page. */
async function readWorld(side: Pick<Side, 'session'>, context: ToolContext): Promise<World> {
  const outcome = await runOn(side, 'read the state', context, STATE_TIMEOUT_MS, async (page, deadline) => {
    const [state, layout] = [await readState(page), await readPageLayout(page, deadline)]
    return ok({
      ...(state.ok && { state: state.value }),
      ...(layout.ok && { viewport: { width: layout.value.width, height: layout.value.height } }),
    })
  })
  return outcome.ok ? outcome.value : {}
}

interface CollectionContext {
  readonly sides: Sides
  readonly changed: readonly ChangedFile[]
  readonly only: readonly string[]
  readonly tool: ToolContext
}

function createCollection(options: CollectionContext) {
  const steps: StepDifferences[] = []
  const masked: Masked[] = []
  const endings: EndedStep[] = []
  const unreached: string[] = []
  const pictures = new Map<number, { readonly base?: Image; readonly current?: Image }>()
  const knownKeys = new Set<string>()
  /** Those that no earlier step had on the same page. */
  const omitKnown = (address: string, differences: readonly Difference[]) =>
    differences.filter((difference) => {
      const key = `${address} ${JSON.stringify(difference)}`
      return !knownKeys.has(key) && knownKeys.add(key)
    })
  return {
    steps,
    masked,
    unproven: () => [...describeEndings(endings), ...unreached],
    pictures,
    async add(walked: WalkedPart): Promise<void> {
      const { number, part, base, again, current, pages } = walked
      const { title } = part
      const failure = differenceOfFailure(walked, options)
      if (failure) steps.push({ step: number, title, url: '', differences: [failure] })
      if (!base.ok || !again.ok || !current.ok) {
        const [code] = [base, again, current].flatMap((outcome) =>
          outcome.ok ? [] : [outcome.error.failure.code],
        )
        const what = 'this step and those after it'
        masked.push({
          step: number,
          what,
          why: base.ok === current.ok ? `failed in both: ${code}` : `not reached in both: ${code}`,
        })
        unreached.push(...describeUnreached(walked, title))
        return
      }
      if (walked.isLastPart && base.value.unseenTabs + current.value.unseenTabs > 0)
        unreached.push('A tab was opened in which the flow does nothing. It is not compared.')
      const captures = { base: base.value, again: again.value, current: current.value }
      endings.push(endingOf(walked, captures))
      const result = await findDifferences(number, captures, { pages, ...options })
      masked.push(...result.masked)
      const { address } = current.value.view
      const differences = omitKnown(address, result.differences)
      steps.push({ step: number, title, url: address, differences })
      if (!differences.some(({ kind }) => kind === 'pixels')) return
      const { picture: before } = base.value
      const { picture: after } = current.value
      pictures.set(number, { base: before, current: after })
    },
  }
}

const endingOf = (
  { number, part: { target, isFilled } }: WalkedPart,
  { base, current }: Readonly<Record<'base' | 'current', Capture>>,
): EndedStep => ({
  number,
  isLogin: isFilled,
  target,
  base: { ...base.ending, view: base.view },
  current: { ...current.ending, view: current.view },
})

/** A step that fails in both, and what comes after one that fails, is not compared. */
function describeUnreached(
  { number, base, current, again, isLastPart }: WalkedPart,
  title: string,
): readonly string[] {
  const failed = [base, again, current].flatMap((outcome) => (outcome.ok ? [] : [outcome.error.failure]))
  const [failure] = failed
  if (!failure) return []
  const where =
    !base.ok && !current.ok ? 'both versions' : base.ok && again.ok ? 'the current version' : 'the base'
  const isSkipped = base.ok !== current.ok
  const rest = isLastPart
    ? 'It is not compared.'
    : isSkipped
      ? 'The steps after it are not compared.'
      : 'It and the steps after it are not compared.'
  const check = [base, again, current].flatMap((outcome) =>
    outcome.ok ? [] : (outcome.error.check ?? []),
  )[0]
  const what = check === undefined ? '' : ` worked, and then the ${check}`
  const sentence = `Step ${number} (${title})${what} failed in ${where}: ${failure.code}. ${rest}`
  return failure.code === 'NAVIGATION_FAILED' && !isSkipped ? [sentence, WAY_OUT] : [sentence]
}

async function judgeChecks(checks: readonly ExpectedCheck[], { session }: Side): Promise<boolean[]> {
  const verdicts: boolean[] = []
  for (const { step } of checks) verdicts.push((await step.run(session.record.id, true)).outcome.ok)
  return verdicts
}

function answerOf(comparison: Comparison, files: ComparisonAnswer['files']): ComparisonAnswer {
  const { stepCount: _, notes, steps, masked, expect, unproven = [], ...rest } = limitComparison(comparison)
  return {
    message: [`${rest.base} → ${rest.current}:`, ...unproven, summarize(comparison)].join(' '),
    ...rest,
    unproven: unproven.length,
    steps: steps as never,
    masked: [...masked],
    expect: [...expect],
    files,
    ...(notes.length > 0 && { notes: [...notes] }),
  }
}
