// Finds out which line of the change made each difference, from the pages that still show it.

import { comparePicture, type Capture } from './capture.ts'
import { runOn, type Sides } from './sides.ts'
import type { WalkedPart } from './walk.ts'
import type { ToolContext } from '../define/tool.ts'
import { changedSelectors, type ChangedFile } from '../../core/comparison/changed-file.ts'
import { textOfChange, type Difference, type Masked } from '../../core/comparison/comparison.ts'
import { explainDifference, isBeside, type Explanation, type Facts } from '../../core/comparison/explain.ts'
import {
  compareViews,
  maskNoise,
  type PageView,
  type ViewDifference,
} from '../../core/comparison/page-view.ts'
import type { FilePosition } from '../../core/source/element-source.ts'
import type { Box } from '../../core/snapshot/snapshot-lines.ts'
import type { AreaWithElements } from '../../runtime/ports/page-values.ts'
import { ok } from '../../core/result.ts'

type Captures = Readonly<Record<'base' | 'again' | 'current', Capture>>

interface CauseContext {
  readonly sides: Sides
  readonly changed: readonly ChangedFile[]
  readonly tool: ToolContext
}

/** The differences of one part, each with its cause, and what is noise. All three captures succeeded. */
export async function findDifferences(
  number: number,
  { base, again, current }: Captures,
  context: CauseContext,
): Promise<{ readonly differences: readonly Difference[]; readonly masked: readonly Masked[] }> {
  const noise = compareViews(base.view, again.view)
  const { real, masked } = maskNoise(compareViews(base.view, current.view), noise)
  const refs = refsOf(base.view, again.view)
  const explained: (readonly [ViewDifference, Explanation, Box | undefined])[] = []
  const loaded = loadedFiles(context)
  for (const [index, difference] of real.entries()) {
    const { refBefore, refAfter } = difference
    const side = refAfter === undefined && refBefore !== undefined ? 'base' : 'current'
    const target = side === 'base' ? (refs.get(refBefore ?? '') ?? refBefore) : refAfter
    const place = index < LOOKED_UP_LIMIT ? await findPlace(target, side, context) : NOWHERE
    const known = difference.file === undefined ? undefined : { file: difference.file, ...lineOf(difference) }
    const facts: Facts = {
      ...place,
      ...(known && { source: known }),
      side,
      ...(difference.before !== undefined && { before: difference.before }),
      ...(difference.after !== undefined && { after: difference.after }),
      loaded,
    }
    const box =
      (refAfter === undefined ? undefined : current.boxes.get(refAfter)) ?? base.boxes.get(refBefore ?? '')
    explained.push([difference, explainDifference(facts, context.changed), box])
  }
  const areas = await explainAreas({ base, again, current }, explained, loaded, context)
  const isAudited = [base, again, current].every(({ view }) => view.violations)
  const pictureProblem = base.pictureProblem ?? again.pictureProblem ?? current.pictureProblem
  return {
    differences: [
      ...explained.map(([{ kind, change, before, after }, explanation]) => ({
        kind,
        change,
        text: textOfChange(before, after),
        ...explanation,
      })),
      ...areas.differences,
    ],
    masked: [
      ...describeMasked(number, masked, noise),
      ...(areas.maskedCount > 0
        ? [{ step: number, what: `areas of pixels: ${areas.maskedCount}`, why: NOISE }]
        : []),
      ...(pictureProblem === undefined
        ? []
        : [{ step: number, what: 'pixels', why: `no picture of the page at rest (${pictureProblem})` }]),
      ...(isAudited ? [] : [{ step: number, what: 'accessibility', why: 'axe-core did not answer' }]),
    ],
  }
}

/** The difference that a part is which fails in one version only. */
export function differenceOfFailure(
  { part, base, current }: WalkedPart,
  changed: readonly ChangedFile[],
): Difference | undefined {
  if (base.ok === current.ok) return undefined
  const code = base.ok ? (current.ok ? '' : current.error.code) : base.error.code
  const before = base.ok ? part.title : undefined
  const after = base.ok ? undefined : part.title
  const facts: Facts = {
    ...NOWHERE,
    side: 'current',
    loaded: [],
    ...(before && { before }),
    ...(after && { after }),
  }
  return {
    kind: 'tree',
    change: base.ok ? 'removed' : 'added',
    text: `${part.title} ${base.ok ? 'fails now' : 'failed in the base'}: ${code}`,
    ...explainDifference(facts, changed),
  }
}

// --- internal ---

/** For how many differences of a part the page is asked. */
const LOOKED_UP_LIMIT = 30
const LOOK_UP_TIMEOUT_MS = 5000
const PICTURE_TIMEOUT_MS = 15_000
/** A number that counts may become wider. */
const NOISE_MARGIN_PIXELS = 12
const NOISE = 'differs between two runs of the base too'

type FoundPlace = Pick<Facts, 'source' | 'uses' | 'selectors' | 'imported'>

const NOWHERE: FoundPlace = { uses: [], selectors: [], imported: [] }

const lineOf = ({ line }: ViewDifference) => (line === undefined ? {} : { line })

/** The refs of the second run by those of the first: of lines with the same text the ones at the same place. */
function refsOf(base: PageView, again: PageView): ReadonlyMap<string, string> {
  const refsByText = new Map<string, string>()
  const counts = new Map<string, number>()
  const key = (text: string) => {
    const count = counts.get(text) ?? 0
    counts.set(text, count + 1)
    return `${count} ${text}`
  }
  for (const { text, ref } of again.lines) if (ref !== undefined) refsByText.set(key(text), ref)
  counts.clear()
  return new Map(
    base.lines.flatMap(({ text, ref }) => {
      const other = ref === undefined ? undefined : refsByText.get(key(text))
      return ref === undefined || other === undefined ? [] : [[ref, other] as const]
    }),
  )
}

const MATCHING_SELECTORS = `(element, selectors) => selectors.filter((selector) => {
  const matches = (text) => {
    try { return element.closest(text) || element.querySelector(text) } catch { return false }
  }
  const base = selector.replace(/::?[\\w-]+(\\([^)]*\\))?/g, '')
  return matches(selector) || matches(base) || matches(base.replace(/\\.([\\w-]+)/g, '[class*="$1"]'))
})`

async function findPlace(
  target: string | undefined,
  version: 'base' | 'current',
  { sides, changed, tool }: CauseContext,
): Promise<FoundPlace> {
  if (target === undefined) return NOWHERE
  const side = version === 'base' ? sides.again : sides.current
  const element = /^(f\d+)?e\d+$/.test(target) ? { ref: target } : { selector: target }
  const selectors = changed.flatMap((file) => changedSelectors(file).map(({ selector }) => selector))
  const reading = await runOn(side, 'find the source', tool, LOOK_UP_TIMEOUT_MS, async (page, deadline) => {
    const origin = await page.origin(element, deadline)
    const source = origin.ok ? await side.session.sources.locateElement(origin.value, page.url()) : undefined
    const matching =
      selectors.length > 0 ? await page.evaluate(MATCHING_SELECTORS, selectors, element, deadline) : undefined
    return ok({ source, selectors: matching?.ok ? (matching.value.result as string[]) : [] })
  })
  if (!reading.ok) return NOWHERE
  const { source } = reading.value
  const uses = (source?.components ?? []).flatMap(({ position }) => position ?? [])
  const own = source?.position
  return {
    ...(own && { source: own }),
    uses,
    selectors: reading.value.selectors,
    imported: await findImported(own, uses, { sides, changed, tool }),
  }
}

const COMPONENT_FILE = /\.([jt]sx|vue|svelte|astro)$/

// What a component gets from those around it may come from any module that they import, but not from a component beside it.
async function findImported(
  own: FilePosition | undefined,
  uses: readonly FilePosition[],
  { sides, changed, tool }: CauseContext,
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

/** The changed files that the current version has loaded: styles, scripts and documents by their paths. */
function loadedFiles({ sides, changed }: CauseContext): readonly string[] {
  const { network } = sides.current.session
  const requests = network.read({ limit: 5000 }).entries
  const paths = requests.flatMap(({ url }) => (URL.canParse(url) ? new URL(url).pathname : []))
  const isLoaded = (path: string) =>
    paths.some(
      (one) => one === `/${path}` || (one.length > 1 && path.endsWith(one)) || one.endsWith(`/${path}`),
    ) ||
    (/(^|\/)index\.html$/.test(path) && paths.some((one) => one.endsWith('/')))
  const rank = (path: string) => (/\.[cm]?[jt]sx?$/.test(path) ? 0 : /\.html?$/.test(path) ? 1 : 2)
  return changed
    .map(({ path }) => path)
    .filter((path) => !isBeside(path) && isLoaded(path))
    .toSorted((a, b) => rank(a) - rank(b))
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

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Where the current version differs, without what differs between two runs of the base: a change beside that would be one area with it. */
async function areasWithoutNoise(
  { base, again, current }: Captures,
  { sides, tool }: CauseContext,
): Promise<readonly AreaWithElements[]> {
  const ignored = again.areas.map(({ box }) => ({
    x: box.x - NOISE_MARGIN_PIXELS,
    y: box.y - NOISE_MARGIN_PIXELS,
    width: box.width + 2 * NOISE_MARGIN_PIXELS,
    height: box.height + 2 * NOISE_MARGIN_PIXELS,
  }))
  if (!current.areas.some(({ box }) => ignored.some((other) => overlaps(box, other)))) return current.areas
  const outcome = await runOn(
    sides.current,
    'compare the picture',
    tool,
    PICTURE_TIMEOUT_MS,
    (page, deadline) => comparePicture(page, base.picture, ignored, deadline),
  )
  return outcome.ok ? (outcome.value.result?.areas ?? []) : current.areas
}

async function explainAreas(
  captures: Captures,
  explained: readonly (readonly [ViewDifference, Explanation, Box | undefined])[],
  loaded: readonly string[],
  context: CauseContext,
): Promise<{ readonly differences: readonly Difference[]; readonly maskedCount: number }> {
  const areas = await areasWithoutNoise(captures, context)
  const causes = explained.filter(([{ kind }, { inDiff }]) => inDiff && kind === 'tree')
  const differences: Difference[] = []
  const styles = loaded.toSorted((a, b) => Number(!STYLE_FILE.test(a)) - Number(!STYLE_FILE.test(b)))
  for (const { box, elements } of areas) {
    const explain = (place: FoundPlace, files: readonly string[]) =>
      explainDifference({ ...place, side: 'current', loaded: files }, context.changed)
    const places: FoundPlace[] = []
    for (const { ref } of elements) places.push(await findPlace(ref, 'current', context))
    places.sort((a, b) => Number(b.selectors.length > 0) - Number(a.selectors.length > 0))
    const own = places.map((place) => explain(place, [])).find(({ inDiff }) => inDiff)
    // What a changed element has moved is part of its change.
    const cause =
      causes.find(([, , other]) => other && overlaps(box, other)) ??
      causes.find(([, , other]) => other && other.y <= box.y + box.height) ??
      causes[0]
    differences.push({
      kind: 'pixels',
      change: 'changed',
      box: [box.x, box.y, box.width, box.height],
      elements: elements.map(({ role, name }) => (name ? `${role} ${JSON.stringify(name)}` : role)),
      ...(own ?? cause?.[1] ?? explain(places[0] ?? NOWHERE, styles)),
    })
  }
  return { differences, maskedCount: captures.again.areas.length }
}

const STYLE_FILE = /\.(css|scss|sass|less|styl)$/
