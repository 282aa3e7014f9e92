// A comparison from its input to its files.

import { findDifferences, differenceOfFailure } from './find-causes.ts'
import { planFlow } from './flow.ts'
import { openSides, runOn, type Side, type Sides } from './sides.ts'
import { prepareSide, walkFlow, type WalkedPart } from './walk.ts'
import { writeComparison } from './write-comparison.ts'
import type { RawInput, Step, ToolContext } from '../define/tool.ts'
import type { ChangedFile } from '../../core/comparison/changed-file.ts'
import {
  limitComparison,
  orderSteps,
  type Comparison,
  type Difference,
  type Expectation,
  type Masked,
  type StepDifferences,
} from '../../core/comparison/comparison.ts'
import type { ServerRequest } from '../../core/dev-server.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { OpenSession, SessionRequest } from '../../runtime/ports/open-session.ts'
import type { Image } from '../../runtime/ports/page-values.ts'
import type { ToolCall, ToolOutcome } from '../../runtime/ports/tool-call.ts'

export interface CompareRequest {
  readonly base?: string | undefined
  readonly current?: string | undefined
  readonly flow?: readonly string[] | undefined
  readonly expect?: readonly RawInput[] | undefined
  readonly server: ServerRequest | undefined
}

/** The result as the answer has it. */
export interface ComparisonAnswer extends Omit<
  Comparison,
  'stepCount' | 'notes' | 'steps' | 'masked' | 'expect'
> {
  readonly message: string
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
  const { caller, revisions } = context
  const flow = await planFlow(request.flow, session, context.files)
  if (!flow.ok) return flow
  const user = session && { session, origin: session.server?.info().url ?? session.url }
  const world = user && !flow.value.acts ? await readWorld(user, context) : {}
  const { base, current, server } = request
  caller.progress('starting both versions')
  const openResult = await openSides({ base, current, server, session, state: world.state }, context)
  if (!openResult.ok) return openResult
  const sides = openResult.value
  try {
    const changed = await revisions.readChanges(sides.folder, sides.commit)
    const time = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString()
    const prepared = await Promise.all(
      [sides.base, sides.again, sides.current].map((side) =>
        prepareSide(side, time, world.viewport, context),
      ),
    )
    const failed = prepared.find((outcome) => !outcome.ok)
    if (failed && !failed.ok) return failed
    const collected = createCollection(sides, changed, context)
    const walked = await walkFlow(flow.value, sides, context, collected.add)
    if (!walked.ok) return walked
    const expect = await judgeChecks(checks, sides)
    const steps = orderSteps(collected.steps)
    const comparison: Comparison = {
      base: sides.names.base,
      current: sides.names.current,
      steps,
      stepCount: flow.value.parts.length,
      unexplained: steps.flatMap(({ differences }) => differences).filter(({ inDiff }) => !inDiff).length,
      masked: collected.masked,
      expect,
      notes: [...flow.value.notes, ...sides.notes, ...walked.value],
    }
    const owner = session ?? sides.current.session
    const files = await writeComparison({ comparison, changed, pictures: collected.pictures }, owner)
    return map(files, (paths) => answerOf(comparison, paths))
  } finally {
    await sides.close()
  }
}

interface World {
  readonly state?: SessionRequest['storageState']
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** What the session of the user has: its logins, and the size of its page. */
async function readWorld(side: Side, context: ToolContext): Promise<World> {
  const outcome = await runOn(side, 'read the state', context, STATE_TIMEOUT_MS, async (page, deadline) => {
    const [state, layout] = [await page.storageState(), await page.layout(deadline)]
    return ok({
      ...(state.ok && { state: state.value }),
      ...(layout.ok && { viewport: { width: layout.value.width, height: layout.value.height } }),
    })
  })
  return outcome.ok ? outcome.value : {}
}

function createCollection(sides: Sides, changed: readonly ChangedFile[], tool: ToolContext) {
  const steps: StepDifferences[] = []
  const masked: Masked[] = []
  const pictures = new Map<number, { readonly base?: Image; readonly current?: Image }>()
  const redact = sides.current.session.redactor
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
    pictures,
    async add(walked: WalkedPart): Promise<void> {
      const { number, part, base, again, current } = walked
      const title = redact.redactText(part.title)
      const failure = differenceOfFailure(walked, changed)
      if (failure) steps.push({ step: number, title, url: '', differences: [redact.redactData(failure)] })
      if (!base.ok || !again.ok || !current.ok) {
        const [code] = [base, again, current].flatMap((outcome) => (outcome.ok ? [] : [outcome.error.code]))
        const what = 'this step and those after it'
        masked.push({ step: number, what, why: failure ? `not reached in both` : `failed in both: ${code}` })
        return
      }
      const captures = { base: base.value, again: again.value, current: current.value }
      const result = await findDifferences(number, captures, { sides, changed, tool })
      masked.push(...redact.redactData(result.masked))
      const { address } = current.value.view
      const differences = omitKnown(address, redact.redactData(result.differences))
      steps.push({ step: number, title, url: address, differences })
      if (!differences.some(({ kind }) => kind === 'pixels')) return
      const { picture: before } = base.value
      const { picture: after } = current.value
      pictures.set(number, { ...(before && { base: before }), ...(after && { current: after }) })
    },
  }
}

async function judgeChecks(
  checks: readonly ExpectedCheck[],
  { again, current }: Sides,
): Promise<Expectation[]> {
  const judge = async ({ step }: ExpectedCheck, { session }: Side) =>
    (await step.run(session.record.id)).outcome.ok
  const results: Expectation[] = []
  for (const check of checks) {
    const [inBase, inCurrent] = await Promise.all([judge(check, again), judge(check, current)])
    results.push({ check: check.text, base: inBase, current: inCurrent })
  }
  return results
}

function answerOf(comparison: Comparison, files: ComparisonAnswer['files']): ComparisonAnswer {
  const { stepCount, notes, steps, masked, expect, ...rest } = limitComparison(comparison)
  const count = comparison.steps.reduce((sum, { differences }) => sum + differences.length, 0)
  const outcome =
    count === 0
      ? `Nothing differs for a user in ${stepCount} ${stepCount === 1 ? 'step' : 'steps'}.`
      : `${count} ${count === 1 ? 'difference' : 'differences'} in ${comparison.steps.length} of ${stepCount} steps; ${rest.unexplained === 0 ? 'all are in the diff' : `${rest.unexplained} NOT in the diff`}.`
  return {
    message: `${rest.base} → ${rest.current}: ${outcome}`,
    ...rest,
    steps: steps as never,
    masked: [...masked],
    expect: [...expect],
    files,
    ...(notes.length > 0 && { notes: [...notes] }),
  }
}
