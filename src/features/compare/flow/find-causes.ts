// The differences of a part, and the evidence of their causes from the pages that still show them.

import { setImmediate } from 'node:timers/promises'
import type { Box } from '../../../core/base/geometry.ts'
import { ok } from '../../../core/base/result.ts'
import type { ToolContext } from '../../../core/tool/tool.ts'
import type { AreaWithElements } from '../../baseline/compare-screenshot.ts'
import { type ChangedFile, changedSelectors } from '../../lib/changes/changed-file.ts'
import { readOrigin } from '../../sources/element-origin.ts'
import { type Difference, type Masked, textOfChange } from '../differences/comparison.ts'
import { isDeclared } from '../differences/declared.ts'
import { type Cause, type Evidence, judgeCause } from '../differences/judge-cause.ts'
import {
  compareViews,
  type DifferenceKind,
  maskNoise,
  type ViewDifference,
} from '../differences/page-view.ts'
import { type Capture, comparePicture } from './capture.ts'
import { noiseBoxes, overlap, refsOf } from './noise-boxes.ts'
import { runOn } from './sides.ts'
import type { LivePages, WalkedPart } from './walk.ts'

type Captures = Readonly<Record<'base' | 'again' | 'current', Capture>>

interface CauseContext {
  readonly changed: readonly ChangedFile[]
  /** What is meant to change; everything if it is empty. */
  readonly only: readonly string[]
  readonly pages: LivePages
  readonly tool: ToolContext
}

/** The differences of one part, each with what is known of its cause, and what is noise. All three captures succeeded. */
export async function findDifferences(
  number: number,
  { base, again, current }: Captures,
  context: CauseContext,
): Promise<{ readonly differences: readonly Difference[]; readonly masked: readonly Masked[] }> {
  const { noise, real, masked } = await splitNoise({ base, again, current })
  const refs = refsOf(base.view, again.view)
  const judged: JudgedView[] = []
  for (const [index, difference] of real.entries()) {
    // Other sessions are served between two differences.
    await setImmediate()
    const { kind, change, refBefore, refAfter, before, after, file, line } = difference
    const side = refAfter === undefined && refBefore !== undefined ? 'base' : 'current'
    const target = side === 'base' ? (refs.get(refBefore ?? '') ?? refBefore) : refAfter
    const place = index < LOOKED_UP_LIMIT ? await findPlace(target, side, context) : NOWHERE
    const evidence = {
      side: target === undefined && change === 'removed' ? 'base' : side,
      source: file === undefined ? place.source : { file, line },
      ...(LOOKS.includes(kind) && { selectors: place.selectors }),
    } as const
    const box =
      (refAfter === undefined ? undefined : current.boxes.get(refAfter)) ?? base.boxes.get(refBefore ?? '')
    const isMeant = isDeclared(context.only, [before, after], place.only)
    judged.push({ difference, isMeant, cause: judgeCause(evidence, context.changed), box })
  }
  const ignored = noiseBoxes({ base, again, current }, noise, masked)
  const areas = await judgeAreas({ base, again, current }, judged, ignored, context)
  return {
    differences: [
      ...judged.map(({ difference: { kind, change, before, after }, cause, isMeant }) => ({
        kind,
        change,
        text: textOfChange(before, after),
        ...withDeclared(cause, isMeant),
      })),
      ...areas,
    ],
    masked: [
      ...describeMasked(number, masked, noise),
      ...describeUncompared({ base, again, current }).map((one) => ({ step: number, ...one })),
    ],
  }
}

/** The difference that a part is which fails in one version only. A time-out is none: it tells of the machine as well. */
export function differenceOfFailure(
  { part, base, current }: WalkedPart,
  { only }: Pick<CauseContext, 'only'>,
): Difference | undefined {
  const failed = base.ok ? (current.ok ? undefined : current.error) : current.ok ? base.error : undefined
  if (!failed || failed.failure.code === 'TIMEOUT') return undefined
  const outcome = base.ok ? 'fails now' : 'failed in the base'
  return {
    kind: 'tree',
    change: base.ok ? 'removed' : 'added',
    text: `The step "${part.title}" ${outcome}: ${failed.failure.code}`,
    ...withDeclared({}, isDeclared(only, [part.title, failed.check], [])),
  }
}

// --- internal ---

/** For how many differences of a part the page is asked. */
const LOOKED_UP_LIMIT = 30
const LOOK_UP_TIMEOUT_MS = 5000
const PICTURE_TIMEOUT_MS = 15_000
const NOISE = 'differs between two runs of the base too'

/** Two searches for the lines that differ, with a turn of others between them. */
async function splitNoise({ base, again, current }: Captures) {
  const noise = compareViews(base.view, again.view)
  await setImmediate()
  return { noise, ...maskNoise(compareViews(base.view, current.view), noise) }
}

interface JudgedView {
  readonly difference: ViewDifference
  readonly cause: Cause
  readonly isMeant: boolean
  readonly box: Box | undefined
}

interface FoundPlace extends Pick<Evidence, 'source'> {
  readonly selectors: readonly string[]
  /** The declared selectors of elements that it is in. */
  readonly only: readonly string[]
}

const NOWHERE: FoundPlace = { selectors: [], only: [] }
/** What a style can make. */
const LOOKS: readonly DifferenceKind[] = ['layout', 'accessibility']

const withDeclared = (cause: Cause, isMeant: boolean): Pick<Difference, keyof Cause | 'isOutside'> =>
  isMeant ? cause : { ...cause, isOutside: true }

/** Of `selectors` those that match the element; of `only` those that match it or one around it. */
const MATCHING_SELECTORS = `(element, { selectors, only }) => {
  const isFound = (find) => { try { return find() } catch { return false } }
  return {
    selectors: selectors.filter((selector) => isFound(() => element.matches(selector))),
    only: only.filter((selector) => isFound(() => element.closest(selector))),
  }
}`

async function findPlace(
  target: string | undefined,
  version: 'base' | 'current',
  { changed, only, pages, tool }: CauseContext,
): Promise<FoundPlace> {
  const side = version === 'base' ? pages.again : pages.current
  if (target === undefined || !side) return NOWHERE
  const element = /^(f\d+)?e\d+$/.test(target) ? { ref: target } : { selector: target }
  const selectors = changed.flatMap((file) => changedSelectors(file).map(({ selector }) => selector))
  const isAsked = selectors.length > 0 || only.length > 0
  const reading = await runOn(side, 'find the source', tool, LOOK_UP_TIMEOUT_MS, async (page, deadline) => {
    const origin = await readOrigin(page, element, deadline)
    const source = origin.ok ? await side.session.sources.locateElement(origin.value, page.url()) : undefined
    const matching = isAsked
      ? await page.evaluate(MATCHING_SELECTORS, { selectors, only }, element, deadline)
      : undefined
    const matched = matching?.ok ? (matching.value.result as Omit<FoundPlace, 'source'>) : NOWHERE
    return ok({ ...matched, source: source?.position })
  })
  return reading.ok ? reading.value : NOWHERE
}

/** What the picture and the audit do not tell. */
function describeUncompared({ base, again, current }: Captures): readonly Omit<Masked, 'step'>[] {
  const isAudited = [base, again, current].every(({ view }) => view.violations)
  const problem = base.pictureProblem ?? again.pictureProblem ?? current.pictureProblem
  return [
    ...(again.areas.length > 0 ? [{ what: `areas of pixels: ${again.areas.length}`, why: NOISE }] : []),
    ...(problem === undefined
      ? []
      : [{ what: 'pixels', why: `no picture of the page at rest (${problem})` }]),
    ...current.scrollers.map((name) => ({
      what: `pixels of ${name} below and beside what it shows`,
      why: 'it scrolls by itself',
    })),
    ...(isAudited ? [] : [{ what: 'accessibility', why: 'axe-core did not answer' }]),
  ]
}

function describeMasked(
  step: number,
  masked: readonly ViewDifference[],
  noise: readonly ViewDifference[],
): readonly Masked[] {
  const listed = masked.length > 0 ? masked : noise
  const texts = [...new Set(listed.map(({ kind, before, after }) => `${kind} ${before ?? after ?? ''}`))]
  return texts.slice(0, 5).map((what) => ({ step, what, why: NOISE }))
}

/** Where the current version differs, without what differs between two runs of the base: a change beside that would be one area with it. */
async function areasWithoutNoise(
  { base, current }: Captures,
  ignored: readonly Box[],
  { pages, tool }: CauseContext,
): Promise<readonly AreaWithElements[]> {
  if (!current.areas.some(({ box }) => ignored.some((other) => overlap(box, other)))) return current.areas
  const outcome = await runOn(
    pages.current,
    'compare the picture',
    tool,
    PICTURE_TIMEOUT_MS,
    (page, deadline) => comparePicture(page, base.picture, ignored, deadline),
  )
  return outcome.ok ? (outcome.value.result?.areas ?? []) : current.areas
}

async function judgeAreas(
  captures: Captures,
  judged: readonly JudgedView[],
  ignored: readonly Box[],
  context: CauseContext,
): Promise<readonly Difference[]> {
  const differences: Difference[] = []
  for (const { box, elements } of await areasWithoutNoise(captures, ignored, context)) {
    await setImmediate()
    const places: FoundPlace[] = []
    for (const { ref } of elements) places.push(await findPlace(ref, 'current', context))
    // An area of an element that shows something else is part of that difference; in others a rule may have changed.
    const change = judged.find((one) => one.difference.kind === 'tree' && one.box && overlap(box, one.box))
    const selectors = places.flatMap((place) => place.selectors)
    const cause = change?.cause ?? judgeCause({ side: 'current', selectors }, context.changed)
    const names = elements.map(({ role, name }) => (name ? `${role} ${JSON.stringify(name)}` : role))
    const isMeant = isDeclared(context.only, names, commonOf(places.map(({ only }) => only)))
    differences.push({
      kind: 'pixels',
      change: 'changed',
      box: [box.x, box.y, box.width, box.height],
      elements: names,
      ...withDeclared(cause, isMeant),
    })
  }
  return differences
}

const commonOf = ([first = [], ...rest]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((one) => rest.every((list) => list.includes(one)))
