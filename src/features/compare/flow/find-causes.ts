// Finds out which line of the change made each difference, from the pages that still show it.

import { setImmediate } from 'node:timers/promises'
import type { Box } from '../../../core/base/geometry.ts'
import { ok } from '../../../core/base/result.ts'
import type { FilePosition } from '../../../core/sessions/types/sources.ts'
import type { ToolContext } from '../../../core/tool/tool.ts'
import type { AreaWithElements } from '../../baseline/compare-screenshot.ts'
import { type ChangedFile, changedSelectors, countLines } from '../../lib/changes/changed-file.ts'
import { readOrigin } from '../../sources/element-origin.ts'
import { type Difference, type Masked, textOfChange } from '../differences/comparison.ts'
import { isDeclared } from '../differences/declared.ts'
import { explainDifference, type Explanation, type Facts } from '../differences/explain.ts'
import { findLoaded } from '../differences/loaded-files.ts'
import { compareViews, maskNoise, type ViewDifference } from '../differences/page-view.ts'
import { type Capture, comparePicture } from './capture.ts'
import { noiseBoxes, overlap, refsOf } from './noise-boxes.ts'
import { runOn, type Sides } from './sides.ts'
import type { LivePages, WalkedPart } from './walk.ts'

type Captures = Readonly<Record<'base' | 'again' | 'current', Capture>>

interface CauseContext {
  readonly sides: Pick<Sides, 'folder'>
  readonly changed: readonly ChangedFile[]
  /** What is meant to change; everything if it is empty. */
  readonly only: readonly string[]
  readonly pages: LivePages
  /** The paths that earlier steps have loaded. */
  readonly loadedBefore: readonly string[]
  readonly tool: ToolContext
}

/** The differences of one part, each with its cause, and what is noise. All three captures succeeded. */
export async function findDifferences(
  number: number,
  { base, again, current }: Captures,
  context: CauseContext,
): Promise<{ readonly differences: readonly Difference[]; readonly masked: readonly Masked[] }> {
  const { noise, real, masked } = await splitNoise({ base, again, current })
  const refs = refsOf(base.view, again.view)
  const explained: ExplainedView[] = []
  const lineCount = countLines(context.changed)
  const { loaded, elsewhere } = splitLoaded(context, [...base.loaded, ...current.loaded])
  for (const [index, difference] of real.entries()) {
    // Other sessions are served between two differences.
    await setImmediate()
    const { kind, refBefore, refAfter, before, after } = difference
    const side = refAfter === undefined && refBefore !== undefined ? 'base' : 'current'
    const target = side === 'base' ? (refs.get(refBefore ?? '') ?? refBefore) : refAfter
    const place = index < LOOKED_UP_LIMIT ? await findPlace(target, side, context) : NOWHERE
    const known = difference.file === undefined ? undefined : { file: difference.file, ...lineOf(difference) }
    const facts: Facts = {
      ...place,
      ...(known && { source: known }),
      kind,
      side,
      before,
      after,
      loaded,
      elsewhere,
      isQuick: index * lineCount > SEARCHED_LINES_LIMIT,
    }
    const box =
      (refAfter === undefined ? undefined : current.boxes.get(refAfter)) ?? base.boxes.get(refBefore ?? '')
    const isMeant = isDeclared(context.only, [before, after], place.only)
    const explanation = withDeclared(explainDifference(facts, context.changed), isMeant)
    explained.push({ difference, explanation, box })
  }
  const ignored = noiseBoxes({ base, again, current }, noise, masked)
  const areas = await explainAreas(
    { base, again, current },
    explained,
    ignored,
    { loaded, elsewhere },
    context,
  )
  return {
    differences: [
      ...explained.map(({ difference: { kind, change, before, after }, explanation }) => ({
        kind,
        change,
        text: textOfChange(before, after),
        ...explanation,
      })),
      ...areas,
    ],
    masked: [
      ...describeMasked(number, masked, noise),
      ...describeUncompared({ base, again, current }).map((one) => ({ step: number, ...one })),
    ],
  }
}

/** The difference that a part is which fails in one version only. */
export function differenceOfFailure(
  { part, base, current }: WalkedPart,
  { changed, only }: Pick<CauseContext, 'changed' | 'only'>,
): Difference | undefined {
  if (base.ok === current.ok) return undefined
  const failed = base.ok ? (current.ok ? undefined : current.error) : base.error
  const loaded = [
    ...(base.ok ? base.value.loaded : base.error.loaded),
    ...(current.ok ? current.value.loaded : current.error.loaded),
  ]
  const facts: Facts = {
    ...NOWHERE,
    side: 'current',
    loaded: findLoaded(changed, loaded),
    ...(base.ok ? { before: part.title } : { after: part.title }),
  }
  const outcome = base.ok ? 'fails now' : 'failed in the base'
  const step = `The step "${part.title}"`
  const what = failed?.check === undefined ? step : `${step} worked, and then the ${failed.check}`
  return {
    kind: 'tree',
    change: base.ok ? 'removed' : 'added',
    text: `${what} ${outcome}: ${failed?.failure.code}`,
    ...withDeclared(explainDifference(facts, changed), isDeclared(only, [part.title, failed?.check], [])),
  }
}

// --- internal ---

/** How many lines of the change are searched for the texts of a part. */
const SEARCHED_LINES_LIMIT = 3_000_000
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

interface ExplainedView {
  readonly difference: ViewDifference
  readonly explanation: Explanation
  readonly box: Box | undefined
}

interface FoundPlace extends Pick<Facts, 'source' | 'uses' | 'selectors' | 'isMatched' | 'imported'> {
  /** The declared selectors of elements that it is in. */
  readonly only: readonly string[]
}

const NOWHERE: FoundPlace = { uses: [], selectors: [], imported: [], only: [] }

/** What is outside of what was declared is explained by nothing. */
const withDeclared = (explanation: Explanation, isMeant: boolean): Explanation =>
  isMeant ? explanation : { ...explanation, inDiff: false }

/** The changed files that a step has loaded, and those that only other steps have. */
function splitLoaded({ changed, loadedBefore }: CauseContext, paths: readonly string[]) {
  const loaded = findLoaded(changed, paths)
  const elsewhere = findLoaded(changed, loadedBefore).filter((path) => !loaded.includes(path))
  return { loaded, elsewhere }
}

const lineOf = ({ line }: ViewDifference) => (line === undefined ? {} : { line })

/** Of `selectors` those that match the element, one around it or one in it; of `only` those that match it or one around it. */
const MATCHING_SELECTORS = `(element, { selectors, only }) => {
  const isFound = (find) => { try { return find() } catch { return false } }
  const matches = (text) => isFound(() => element.closest(text) || element.querySelector(text))
  return {
    selectors: selectors.filter((selector) => {
      const base = selector.replace(/::?[\\w-]+(\\([^)]*\\))?/g, '')
      return matches(selector) || matches(base) || matches(base.replace(/\\.([\\w-]+)/g, '[class*="$1"]'))
    }),
    only: only.filter((selector) => isFound(() => element.closest(selector))),
  }
}`

async function findPlace(
  target: string | undefined,
  version: 'base' | 'current',
  { sides, changed, only, pages, tool }: CauseContext,
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
    const matched = matching?.ok
      ? (matching.value.result as Pick<FoundPlace, 'selectors' | 'only'>)
      : undefined
    return ok({ source, matched })
  })
  if (!reading.ok) return NOWHERE
  const { source, matched } = reading.value
  const uses = (source?.components ?? []).flatMap(({ position }) => position ?? [])
  const own = source?.position
  return {
    source: own,
    uses,
    selectors: matched?.selectors ?? [],
    isMatched: matched !== undefined,
    only: matched?.only ?? [],
    imported: await findImported(own, uses, { sides, changed, tool }),
  }
}

const COMPONENT_FILE = /\.([jt]sx|vue|svelte|astro)$/

// What a component gets from those around it may come from any module that they import, but not from a component beside it.
async function findImported(
  own: FilePosition | undefined,
  uses: readonly FilePosition[],
  { sides, changed, tool }: Pick<CauseContext, 'sides' | 'changed' | 'tool'>,
): Promise<readonly string[]> {
  const paths = changed.map(({ path }) => path)
  const modules = paths.filter((path) => !COMPONENT_FILE.test(path))
  const find = (position: FilePosition, targets: readonly string[]) =>
    tool.revisions.findImported(sides.folder, position.file, targets)
  const lists = [
    ...(own ? [await find(own, paths)] : []),
    ...(await Promise.all(uses.slice(0, 4).map((use) => find(use, modules)))),
  ]
  return [...new Set(lists.flat())]
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

async function explainAreas(
  captures: Captures,
  explained: readonly ExplainedView[],
  ignored: readonly Box[],
  files: Pick<Facts, 'loaded' | 'elsewhere'>,
  context: CauseContext,
): Promise<readonly Difference[]> {
  const areas = await areasWithoutNoise(captures, ignored, context)
  const causes = explained.filter(
    ({ difference: { kind }, explanation }) => explanation.inDiff && kind === 'tree',
  )
  const differences: Difference[] = []
  const styles = files.loaded.toSorted((a, b) => Number(!STYLE_FILE.test(a)) - Number(!STYLE_FILE.test(b)))
  const facts = { kind: 'pixels', side: 'current', elsewhere: files.elsewhere ?? [] } as const
  for (const { box, elements } of areas) {
    await setImmediate()
    const explain = (place: FoundPlace, loaded: readonly string[]) =>
      explainDifference({ ...facts, ...place, loaded }, context.changed)
    const places: FoundPlace[] = []
    for (const { ref } of elements) places.push(await findPlace(ref, 'current', context))
    places.sort((a, b) => Number(b.selectors.length > 0) - Number(a.selectors.length > 0))
    const isMoved = elements.length === 0 || elements.some(({ ref }) => hasMoved(ref, captures))
    // What a changed element or rule has moved is part of its change.
    const mover = isMoved ? await findMover(box, captures, context) : undefined
    const own = places.map((place) => explain(place, [])).find(({ inDiff }) => inDiff)
    const overlapping = causes.find((cause) => cause.box && overlap(box, cause.box))
    const above = causes.find((cause) => cause.box && cause.box.y <= box.y + box.height)
    const byRule = places.some(({ selectors }) => selectors.length > 0) ? own : undefined
    const explanation =
      byRule ??
      overlapping?.explanation ??
      (mover && { ...mover, inDiff: true }) ??
      own ??
      (isMoved ? (above ?? causes[0])?.explanation : undefined) ??
      explain(places[0] ?? NOWHERE, styles)
    const names = elements.map(({ role, name }) => (name ? `${role} ${JSON.stringify(name)}` : role))
    const isMeant = isDeclared(context.only, names, commonOf(places.map(({ only }) => only)))
    differences.push({
      kind: 'pixels',
      change: 'changed',
      box: [box.x, box.y, box.width, box.height],
      elements: names,
      ...withDeclared(explanation, isMeant),
    })
  }
  return differences
}

const commonOf = ([first = [], ...rest]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((one) => rest.every((list) => list.includes(one)))

/** Whether an element of the current version is elsewhere than in the base, or has another size. */
function hasMoved(ref: string, { base, current }: Captures): boolean {
  const before = base.boxes.get(refsOf(current.view, base.view).get(ref) ?? '')
  const now = current.boxes.get(ref)
  if (!before || !now) return true
  return (['x', 'y', 'width', 'height'] as const).some((side) => Math.abs(before[side] - now[side]) > 0.5)
}

const SELECTORS_ABOVE = `({ selectors, bottom }) => selectors.filter((selector) => {
  try {
    return [...document.querySelectorAll(selector)].some((element) => {
      const { top, width, height } = element.getBoundingClientRect()
      return width + height > 0 && top + scrollY <= bottom
    })
  } catch { return false }
})`

/** The changed rule of an element that begins above the lower edge of an area. */
async function findMover(
  box: Box,
  { base, current }: Captures,
  { changed, pages, tool }: CauseContext,
): Promise<{ readonly file: string; readonly line: number } | undefined> {
  const rules = changed.flatMap((file) =>
    changedSelectors(file).map(({ selector, line }) => ({ selector, file: file.path, line })),
  )
  if (rules.length === 0 || base.boxes.size === 0 || current.boxes.size === 0) return undefined
  const arg = { selectors: rules.map(({ selector }) => selector), bottom: box.y + box.height }
  const reading = await runOn(pages.current, 'find a rule', tool, LOOK_UP_TIMEOUT_MS, (page, deadline) =>
    page.evaluate(SELECTORS_ABOVE, arg, undefined, deadline),
  )
  const matching = reading.ok ? ((reading.value.result ?? []) as readonly string[]) : []
  const rule = rules.find(({ selector }) => matching.includes(selector))
  return rule && { file: rule.file, line: rule.line }
}

const STYLE_FILE = /\.(css|scss|sass|less|styl)$/
