// Goes through a flow in both versions: first the base alone, then the base again and the current version, side by side if they can be.

import type { Failure, Outcome } from '../../../core/base/failure.ts'
import type { Size } from '../../../core/base/geometry.ts'
import { err, ok, type Result } from '../../../core/base/result.ts'
import type { PageBody } from '../../../core/sessions/types/session-manager.ts'
import type { CallContext } from '../../../core/tool/tool.ts'
import { describeAction } from '../../lib/replay/prepare-steps.ts'
import { callOf, performStep } from '../../lib/replay/replay-step.ts'
import { resolveAction } from '../../lib/replay/resolve-elements.ts'
import { describeBackend, readBackend, replayBackend, startRecording } from './backend.ts'
import { type Capture, type CaptureOptions, capturePage } from './capture.ts'
import { type Flow, type FlowPart, stepFor } from './flow.ts'
import type { SideUse } from './shared-ports.ts'
import { runOn, type Side, type Sides } from './sides.ts'

/** One part of the flow as the three sessions show it. A failure is that of the part in that version. */
export interface WalkedPart {
  readonly number: number
  readonly part: FlowPart
  readonly base: Result<Capture, PartFailure>
  readonly again: Result<Capture, PartFailure>
  readonly current: Result<Capture, PartFailure>
  /** The pages that still show it; where the versions ran one after the other there is none of the base. */
  readonly pages: LivePages
  /** Whether no part follows. */
  readonly isLastPart: boolean
}

export interface LivePages {
  readonly again?: Side
  readonly current: Side
}

/** Why a part has no view in a version. */
interface PartFailure {
  readonly failure: Failure
  /** The check that did not hold, though its action worked. */
  readonly check?: string
}

interface WalkHooks {
  /** Called before the first part of a version. */
  prepare(side: Side): Promise<Outcome<void>>
  onPart(part: WalkedPart): Promise<void>
  /** Called when a version has been gone through, while its page is still there. */
  onEnd(side: Side, version: 'base' | 'current'): Promise<void>
}

interface Walk {
  readonly current: Side
  readonly notes: readonly string[]
  /** What each version used on this machine, at the end of its walk. */
  readonly use: { readonly base: SideUse; readonly current: SideUse }
}

const PART_TIMEOUT_MS = 60_000
const WARM_UP_TIMEOUT_MS = 60_000

/** Gives both versions the same time and the same random numbers. */
export async function prepareSide(
  side: Side,
  time: string,
  viewport: Size | undefined,
  context: CallContext,
): Promise<Outcome<void>> {
  return runOn(side, 'prepare', context, WARM_UP_TIMEOUT_MS, async (page, deadline) => {
    // A server that compiles at the first request may load the page twice.
    await page.perform({ kind: 'navigate', url: side.origin, waitUntil: 'networkidle' }, deadline)
    await startRecording(page)
    const settings = [
      await page.perform({ kind: 'clock', time }, deadline),
      await page.perform({ kind: 'seed', seed: SEED }, deadline),
      viewport ? await page.perform({ kind: 'emulate', change: { viewport } }, deadline) : ok(undefined),
    ]
    return settings.find((outcome) => !outcome.ok) ?? ok(undefined)
  }) as Promise<Outcome<void>>
}

/** Calls `onPart` with each part. It ends with the first part that fails in a version. */
export async function walkFlow(
  flow: Flow,
  sides: Sides,
  context: CallContext,
  hooks: WalkHooks,
): Promise<Outcome<Walk>> {
  const { parts, acts } = flow
  const { caller } = context
  const isApart = sides.arrangement === 'apart'
  const walkAlone = (side: Side, name: string, earlier: readonly Result<Capture, PartFailure>[] = []) =>
    walkParts(flow, createWalker(side, context), name, context, earlier)
  const base = await walkAlone(sides.base, 'base')
  const backend = await readBackend(sides.base, context)
  const replayed = await replayBackend(backend, sides.again, context)
  if (!replayed.ok) return replayed
  const { server } = sides.base.session
  if (acts && server?.info().isOwned) {
    const restart = await server.restart(caller.signal, caller.progress)
    if (!restart.ok) return restart
  }
  const again = isApart ? await walkAlone(sides.again, 'base again', base) : []
  if (isApart) await hooks.onEnd(sides.again, 'base')
  const baseUse = sides.base.use()
  const opening = await sides.openCurrent()
  if (!opening.ok) return opening
  const current = opening.value
  const prepared = isApart ? await hooks.prepare(current) : ok(undefined)
  if (!prepared.ok) return prepared
  const replay = await replayBackend(backend, current, context)
  if (!replay.ok) return replay
  const walkAgain = createWalker(sides.again, context)
  const walkCurrent = createWalker(current, context)
  const pages = isApart ? { current } : { again: sides.again, current }
  for (const [index, part] of parts.entries()) {
    if (caller.signal.aborted) return err({ code: 'CANCELLED' })
    const before = base[index]
    if (!before) break
    caller.progress(`current ${index + 1}/${parts.length} ${part.title}`)
    const options = before.ok ? { base: before.value } : {}
    const [second, now] = await Promise.all([
      isApart ? (again[index] ?? before) : before.ok ? walkAgain(part, options) : before,
      walkCurrent(part, options),
    ])
    const views = { base: before, again: second, current: now }
    await hooks.onPart({ number: index + 1, part, ...views, pages, isLastPart: index === parts.length - 1 })
    if (!before.ok || !second.ok || !now.ok) break
  }
  if (!isApart) await hooks.onEnd(sides.again, 'base')
  await hooks.onEnd(current, 'current')
  const use = { base: isApart ? baseUse : sides.base.use(), current: current.use() }
  return ok({ current, notes: describeBackend(backend), use })
}

// --- internal ---

const SEED = 1

type Walker = (
  part: FlowPart,
  options?: Pick<CaptureOptions, 'base'>,
) => Promise<Result<Capture, PartFailure>>

/** The views of one version, up to the first part that fails. */
async function walkParts(
  { parts }: Flow,
  walk: Walker,
  name: string,
  context: CallContext,
  earlier: readonly Result<Capture, PartFailure>[],
): Promise<readonly Result<Capture, PartFailure>[]> {
  const captures: Result<Capture, PartFailure>[] = []
  for (const [index, part] of parts.entries()) {
    context.caller.progress(`${name} ${index + 1}/${parts.length} ${part.title}`)
    const before = earlier[index]
    const capture = await walk(part, before?.ok ? { base: before.value } : {})
    captures.push(capture)
    if (!capture.ok) break
  }
  return captures
}

function createWalker(side: Side, context: CallContext): Walker {
  const { session, origin } = side
  const tabs = new Map<string, string>()
  const usedTabs = new Set<string>()
  return async ({ steps, isLast, title }, options = {}) => {
    const since = session.journal.lastSeq()
    const fail = (failure: Failure, check?: string) => err({ failure, check })
    for (const recorded of steps) {
      const step = stepFor(recorded, origin)
      if (tabs.size === 0) tabs.set(step.tab, 't1')
      const call = { ...callOf(step, session.record.id, context) }
      const outcome = await context.sessions.runOnPage(call, async (page, deadline) => {
        const replay = { page, deadline, tabs }
        const action = await resolveAction(step.action, page, deadline)
        const result = await performStep(step, action, replay)
        const tab = tabs.get(step.tab)
        if (tab !== undefined) usedTabs.add(tab)
        return result
      })
      if (outcome.ok) continue
      const { action } = step
      return fail(outcome.error as Failure, action.kind === 'check' ? describeAction(action) : undefined)
    }
    const capture: PageBody<Capture> = (page, deadline) =>
      capturePage(page, side, { since, isLast, usedTabs, ...options }, deadline)
    const view = await runOn(side, `view ${title}`, context, PART_TIMEOUT_MS, capture)
    return view.ok ? view : fail(view.error as Failure)
  }
}
