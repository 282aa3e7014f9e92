// Goes through a flow in both versions: first the base alone, then the base again and the current version side by side.

import { capturePage, type Capture, type CaptureOptions } from './capture.ts'
import { describeBackend, readBackend, replayBackend, startRecording } from './backend.ts'
import { stepFor, type Flow, type FlowPart } from './flow.ts'
import { runOn, type Side, type Sides } from './sides.ts'
import { callOf, performStep } from '../saved-test/replay-step.ts'
import { resolveAction } from '../saved-test/resolve-elements.ts'
import type { CallContext } from '../define/tool.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { PageBody } from '../../runtime/ports/tool-call.ts'

/** One part of the flow as the three sessions show it. A failure is that of the part in that version. */
export interface WalkedPart {
  readonly number: number
  readonly part: FlowPart
  readonly base: Outcome<Capture>
  readonly again: Outcome<Capture>
  readonly current: Outcome<Capture>
}

const PART_TIMEOUT_MS = 60_000
const WARM_UP_TIMEOUT_MS = 60_000

/** Gives both versions the same time and the same random numbers. */
export async function prepareSide(
  side: Side,
  time: string,
  viewport: { readonly width: number; readonly height: number } | undefined,
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

/** Calls `onPart` with each part, while the pages of `again` and `current` still show it. It ends with the first part that fails in a version.
 * Returns notes. */
export async function walkFlow(
  { parts, acts }: Flow,
  sides: Sides,
  context: CallContext,
  onPart: (part: WalkedPart) => Promise<void>,
): Promise<Outcome<readonly string[]>> {
  const { caller } = context
  const baseCaptures: Outcome<Capture>[] = []
  const walkers = {
    base: createWalker(sides.base, context),
    again: createWalker(sides.again, context),
    current: createWalker(sides.current, context),
  }
  for (const [index, part] of parts.entries()) {
    caller.progress(`base ${index + 1}/${parts.length} ${part.title}`)
    const capture = await walkers.base(part)
    baseCaptures.push(capture)
    if (!capture.ok) break
  }
  const backend = await readBackend(sides.base, context)
  for (const side of [sides.again, sides.current]) {
    const replay = await replayBackend(backend, side, context)
    if (!replay.ok) return replay
  }
  const { server } = sides.base.session
  if (acts && server?.info().isOwned) {
    const restart = await server.restart(caller.signal, caller.progress)
    if (!restart.ok) return restart
  }
  for (const [index, part] of parts.entries()) {
    if (caller.signal.aborted) return err({ code: 'CANCELLED' })
    const base = baseCaptures[index]
    if (!base) break
    caller.progress(`current ${index + 1}/${parts.length} ${part.title}`)
    const options = base.ok ? { base: base.value } : {}
    const [again, current] = await Promise.all([
      base.ok ? walkers.again(part, options) : Promise.resolve(base),
      walkers.current(part, options),
    ])
    await onPart({ number: index + 1, part, base, again, current })
    if (!base.ok || !again.ok || !current.ok) break
  }
  return ok(describeBackend(backend))
}

// --- internal ---

const SEED = 1

type Walker = (part: FlowPart, options?: Pick<CaptureOptions, 'base'>) => Promise<Outcome<Capture>>

function createWalker(side: Side, context: CallContext): Walker {
  const { session, origin } = side
  const tabs = new Map<string, string>()
  return async ({ steps, isLast, title }, options = {}) => {
    const since = session.journal.lastSeq()
    for (const recorded of steps) {
      const step = stepFor(recorded, origin)
      if (tabs.size === 0) tabs.set(step.tab, 't1')
      const call = { ...callOf(step, session.record.id, context) }
      const outcome = await context.sessions.runOnPage(call, async (page, deadline) => {
        const replay = { page, deadline, tabs }
        const action = await resolveAction(step.action, page, deadline)
        return performStep(step, action, replay)
      })
      if (!outcome.ok) return err(outcome.error as Failure)
    }
    const capture: PageBody<Capture> = (page, deadline) =>
      capturePage(page, side, { since, isLast, ...options }, deadline)
    return runOn(side, `view ${title}`, context, PART_TIMEOUT_MS, capture)
  }
}
