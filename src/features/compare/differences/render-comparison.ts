// A comparison as one HTML file that loads nothing and has no script: the steps that differ side by side, and of each the pictures of both
// versions, beside them in words what differs, and the lines of the change that made it.

import { clip } from '../../../core/base/text/clip.ts'
import type { ChangedFile, Hunk } from '../../lib/changes/changed-file.ts'
import { PAGE_STYLE } from '../../lib/html/page-code.ts'
import {
  bytesOf,
  type Content,
  type HashOf,
  type Html,
  markup,
  printDocument,
} from '../../lib/html/print-html.ts'
import { addressOf, type ReportPicture } from '../../lib/html/report.ts'
import { STRIP_STYLE } from '../../lib/html/step-strip.ts'
import {
  causeOf,
  type Comparison,
  countCauses,
  describeDifference,
  type Difference,
  isUnexplained,
  placeOf,
  type StepDifferences,
  summarize,
} from './comparison.ts'

interface StepPictures {
  readonly base?: ReportPicture
  readonly current?: ReportPicture
}

export interface ComparisonPage {
  readonly comparison: Comparison
  readonly pictures: ReadonlyMap<number, StepPictures>
  readonly changed: readonly ChangedFile[]
}

const PICTURES_LIMIT_BYTES = 12_000_000
const SHOWN_LIMIT_CHARS = 2000
const CARD_LIMIT_CHARS = 120
const HUNK_LIMIT_CHARS = 6000
/** Of all that are shown; one is shown with the first difference that it made in a step. */
const HUNKS_LIMIT_BYTES = 2_000_000

/** The change without what the page does not show. */
export function pickShown(
  { steps }: Pick<Comparison, 'steps'>,
  changed: readonly ChangedFile[],
): readonly ChangedFile[] {
  const files = filesByPath(changed)
  const referenced = new Set(
    steps.flatMap(({ differences }) => differences.map((difference) => findHunk(difference, files))),
  )
  return changed.flatMap(({ path, hunks }) => {
    const own = hunks.filter((hunk) => referenced.has(hunk)).map((hunk) => ({ ...hunk, changes: [] }))
    return own.length > 0 ? [{ path, hunks: own }] : []
  })
}

export function renderComparison(page: ComparisonPage, hashOf: HashOf): string {
  const { comparison } = page
  const { base, current, steps, stepCount, masked, expect, unproven = [], notes } = comparison
  let bytes = 0
  const files = filesByPath(page.changed)
  let hunkBytes = 0
  const rendered = new Map<Hunk, Html>()
  const showHunk = (difference: Difference) => {
    const hunk = hunkBytes < HUNKS_LIMIT_BYTES ? findHunk(difference, files) : undefined
    if (!hunk) return undefined
    const lines = rendered.get(hunk) ?? renderHunk(hunk)
    rendered.set(hunk, lines)
    hunkBytes += bytesOf(lines)
    return lines
  }
  const sections = steps.map((step) => {
    const pictures = page.pictures.get(step.step) ?? {}
    bytes += sizeOf(pictures.base) + sizeOf(pictures.current)
    const included = bytes > PICTURES_LIMIT_BYTES ? {} : pictures
    return { card: cardOf(step, included), section: sectionOf(step, included, showHunk) }
  })
  const count = steps.reduce((sum, { differences }) => sum + differences.length, 0)
  const strip = markup`<section aria-labelledby="steps"><h2 id="steps">Steps that differ</h2>\n<ol class="strip">\n${sections.map(({ card }) => card)}</ol></section>`
  const expectations = expect.map(
    ({ check, base: before, current: now }) =>
      `${check}: ${now ? 'holds' : 'does not hold'} now, ${before ? 'holds' : 'does not hold'} in the base`,
  )
  const body = markup`<header><h1>${show(base)} → ${show(current)}</h1>
<ul class="counts"><li><strong>${count}</strong> ${count === 1 ? 'difference' : 'differences'}</li>${steps.length > 0 && markup`<li>${countCauses(comparison)}</li>`}<li><strong>${steps.length}</strong> of ${stepCount} steps differ</li></ul>
${listOf('Less than a proof', unproven)}${listOf('Expected', expectations)}</header>
<main>
${steps.length > 1 && strip}${sections.map(({ section }) => section)}${steps.length === 0 && markup`<p>${summarize(comparison)}</p>`}${listOf(
    'Masked',
    masked.map(({ step, what, why }) => `step ${step}: ${what}: ${why}`),
  )}${listOf('Notes', notes)}</main>`
  const style = PAGE_STYLE + STRIP_STYLE + COMPARISON_STYLE
  return printDocument({ title: `${base} → ${current} – Footlight`, body, style }, hashOf)
}

// --- internal ---

const COMPARISON_STYLE = `
.compared{border-top:1px solid var(--line);padding:.5rem 0 1rem;scroll-margin-top:1rem}.compared:target{outline:2px solid var(--link)}.compared h2{overflow-wrap:anywhere}
.step .shot{max-height:7rem}.both{display:grid;grid-template-columns:1fr 1fr;gap:.3rem}
.beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr));gap:.8rem 1.2rem;align-items:start}figure{margin:0}figcaption{color:var(--muted)}
figure svg{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:4px}rect{fill:none;stroke:#d1242f;stroke-width:2;vector-effect:non-scaling-stroke}
.slider{position:relative;overflow:auto;max-width:100%}.slider img{margin:0;border:0;max-width:none;height:auto}
.slider>div{position:absolute;inset:0 auto 0 0;width:50%;min-width:1rem;overflow:hidden;resize:horizontal;border-right:3px solid #d1242f}
.differences{list-style:none;margin:0;padding:0}.differences li{padding:.4rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}.differences li:first-child{padding-top:0}
.label{font-size:.85rem;border:1px solid currentcolor;border-radius:4px;padding:0 .3rem}.added .label{color:var(--held)}.removed .label{color:var(--error)}.changed .label{color:var(--did)}.place{color:var(--muted);display:block}.unexplained{color:var(--warning)}
.hunk{border-left:3px solid var(--line);padding-left:.6rem;max-height:20rem;overflow:auto;margin:.3rem 0 0}
ins{text-decoration:none;background:#1a7f3733}del{text-decoration:none;background:#d1242f33}
`

const show = (text: string, limit = SHOWN_LIMIT_CHARS): string => clip(text, limit)

const sizeOf = (picture: ReportPicture | undefined): number => picture?.base64.length ?? 0

const listOf = (title: string, items: readonly string[]): Content =>
  items.length > 0 &&
  markup`<h2>${title}</h2><ul>${items.map((item) => markup`<li>${show(item)}</li>`)}</ul>\n`

type ShowHunk = (difference: Difference) => Html | undefined

/** A step in the strip: what differs first, and both pictures, which stand in its section. */
function cardOf({ step, title, differences }: StepDifferences, { base, current }: StepPictures): Html {
  const isWarned = differences.some(isUnexplained)
  const [first] = differences
  const small = ({ width, height }: ReportPicture, side: string) =>
    markup`<svg class="shot" viewBox="0 0 ${width} ${height}" aria-hidden="true"><use href="#${side}-${step}"/></svg>`
  const both =
    base && current && markup`<span class="both">${small(base, 'base')}${small(current, 'current')}</span>`
  const text = first && markup`<span>${show(describeDifference(first), CARD_LIMIT_CHARS)}</span>`
  const count = `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`
  return markup`<li class="step${isWarned ? ' warning' : ''}"><a href="#compared-${step}"><span class="number"><span>${step}</span><span>${count}</span></span>${both}<span class="words">${show(title, CARD_LIMIT_CHARS)}</span>${text}</a></li>\n`
}

function sectionOf(step: StepDifferences, pictures: StepPictures, showHunk: ShowHunk): Html {
  const boxes = step.differences.flatMap(({ box }) => (box ? [box] : []))
  const visibleHunks = new Set<Html>()
  const showNewHunk = (difference: Difference) => {
    const hunk = showHunk(difference)
    const isNew = hunk !== undefined && !visibleHunks.has(hunk)
    return isNew ? (visibleHunks.add(hunk), hunk) : undefined
  }
  const differences = step.differences.map((difference) => differenceText(difference, showNewHunk))
  const { base, current } = pictures
  const sides = base && current ? { base, current } : undefined
  return markup`<section class="compared" id="compared-${step.step}" aria-labelledby="step-${step.step}"><h2 id="step-${step.step}">${step.step}. ${show(step.title)}</h2>
${!step.title.endsWith(` ${step.url}`) && markup`<p class="subtitle">${show(step.url)}</p>`}
<div class="beside">${sides && renderFigures(sides, boxes, step.step)}<ul class="differences">
${differences}</ul></div>
${sides && renderSlider(sides)}</section>\n`
}

/** What differs in words, where it comes from, and the lines of the change. */
function differenceText(difference: Difference, showHunk: ShowHunk): Html {
  const { kind, change, text, box, elements = [] } = difference
  const hunk = showHunk(difference)
  const size = box && `${box[2]} × ${box[3]} pixels at ${box[0]},${box[1]}`
  const inside = elements.length > 0 && `in ${elements.join(', ')}`
  const words = [text, size, inside].filter(Boolean).join(' ')
  const place = placeOf(difference)
  const cause = causeOf(difference)
  return markup`<li class="${change}"><span class="label">${kind === 'tree' ? change : `${kind} ${change}`}</span> <span class="words">${show(words)}</span>
<span class="place">${place}${place !== '' && cause !== '' && ', '}${cause !== '' && markup`<span class="unexplained">${cause}</span>`}</span>${hunk && markup`<pre class="hunk" tabindex="0">${hunk}</pre>`}</li>\n`
}

type FilesByPath = ReadonlyMap<string | undefined, ChangedFile>

const filesByPath = (changed: readonly ChangedFile[]): FilesByPath =>
  new Map(changed.map((file) => [file.path, file]))

function findHunk({ file, line = 0, inDiff }: Difference, files: FilesByPath): Hunk | undefined {
  const hunks = (inDiff && files.get(file)?.hunks) || []
  return hunks.find(({ start, end }) => line >= start && line < Math.max(end, start + 1)) ?? hunks[0]
}

function renderHunk(hunk: Hunk): Html {
  const lines = clip(hunk.text, HUNK_LIMIT_CHARS)
    .split('\n')
    .map((text, index) => {
      const line = text.startsWith('+')
        ? markup`<ins>${text}</ins>`
        : text.startsWith('-')
          ? markup`<del>${text}</del>`
          : text
      return [index > 0 && '\n', line]
    })
  return markup`${lines}`
}

const renderFigures = (sides: Required<StepPictures>, boxes: Boxes, step: number): readonly Html[] =>
  (
    [
      ['base', 'Before'],
      ['current', 'After'],
    ] as const
  ).map(
    ([side, name]) =>
      markup`<figure><figcaption>${name}</figcaption>${markedPicture(sides[side], boxes, { id: `${side}-${step}`, name })}</figure>`,
  )

function renderSlider({ base, current }: Required<StepPictures>): Html {
  const image = (picture: ReportPicture, name: string) =>
    markup`<img loading="lazy" alt="${name}" width="${picture.width}" height="${picture.height}" src="${addressOf(picture)}">`
  return markup`<details><summary>One over the other: drag the corner of the left one</summary><div class="slider">${image(current, 'After')}<div>${image(base, 'Before')}</div></div></details>`
}

type Boxes = readonly (readonly number[])[]

function markedPicture(
  picture: ReportPicture,
  boxes: Boxes,
  { id, name }: { readonly id: string; readonly name: string },
): Html {
  const { width, height } = picture
  const marks = boxes.map(
    ([x = 0, y = 0, boxWidth = 0, boxHeight = 0]) =>
      markup`<rect x="${x - MARK_GAP}" y="${y - MARK_GAP}" width="${boxWidth + 2 * MARK_GAP}" height="${boxHeight + 2 * MARK_GAP}"/>`,
  )
  return markup`<svg viewBox="${viewOf(picture, boxes)}" role="img" aria-label="The page ${name.toLowerCase()}"><image id="${id}" width="${width}" height="${height}" href="${addressOf(picture)}"/>${marks}</svg>`
}

/** Around a box, so that the frame does not cover what is small. */
const MARK_GAP = 4
const VIEW_MARGIN = 60
const VIEW_MINIMUM = 480

/** The part of the picture that is shown: what differs, in a size that can be read, or all of it. */
function viewOf({ width, height }: ReportPicture, boxes: Boxes): string {
  const spread = (at: 0 | 1, whole: number, minimum: number): readonly [start: number, length: number] => {
    const starts = boxes.map((box) => box[at] ?? 0)
    const ends = boxes.map((box) => (box[at] ?? 0) + (box[at + 2] ?? 0))
    const [from, to] = [Math.min(...starts) - VIEW_MARGIN, Math.max(...ends) + VIEW_MARGIN]
    const length = Math.min(whole, Math.max(minimum, to - from))
    return [Math.min(Math.max(0, (from + to - length) / 2), whole - length), length]
  }
  if (boxes.length === 0) return `0 0 ${width} ${height}`
  const [x, shownWidth] = spread(0, width, VIEW_MINIMUM)
  const [y, shownHeight] = spread(1, height, shownWidth / 2)
  return [x, y, shownWidth, shownHeight].map(Math.round).join(' ')
}
