// A comparison as one HTML file that loads nothing and has no script: the steps that differ side by side, and of each the pictures of both
// versions beside and over each other, and the lines of the change that made each difference.

import type { ChangedFile, Hunk } from '../../lib/changes/changed-file.ts'
import { documentOf, escapeHtml, type HashOf } from '../../lib/html/html-document.ts'
import { displayText, type ReportPicture } from '../../lib/html/report.ts'
import { STRIP_STYLE } from '../../lib/html/step-strip.ts'
import {
  type Comparison,
  describeDifference,
  type Difference,
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
const HUNKS_LIMIT_CHARS = 2_000_000

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
  const { base, current, steps, stepCount, unexplained, masked, expect, unproven = [], notes } = comparison
  let bytes = 0
  const files = filesByPath(page.changed)
  let hunkChars = 0
  const rendered = new Map<Hunk, string>()
  const showHunk = (difference: Difference) => {
    const hunk = hunkChars < HUNKS_LIMIT_CHARS ? findHunk(difference, files) : undefined
    if (!hunk) return undefined
    const text = rendered.get(hunk) ?? renderHunk(hunk)
    rendered.set(hunk, text)
    hunkChars += text.length
    return text
  }
  const sections = steps.map((step) => {
    const pictures = page.pictures.get(step.step) ?? {}
    bytes += sizeOf(pictures.base) + sizeOf(pictures.current)
    const included = bytes > PICTURES_LIMIT_BYTES ? {} : pictures
    return { card: cardOf(step, included), section: sectionOf(step, included, showHunk) }
  })
  const strip = sections.map(({ card }) => card).join('\n')
  const count = steps.reduce((sum, { differences }) => sum + differences.length, 0)
  const body = `<header><h1>${show(base)} → ${show(current)}</h1>
<ul class="counts"><li><strong>${count}</strong> ${count === 1 ? 'difference' : 'differences'}</li><li><strong>${unexplained}</strong> not in the diff</li><li><strong>${steps.length}</strong> of ${stepCount} steps differ</li></ul>
${listOf('Less than a proof', unproven)}
${listOf(
  'Expected',
  expect.map(
    ({ check, base: before, current: now }) =>
      `${check}: ${now ? 'holds' : 'does not hold'} now, ${before ? 'holds' : 'does not hold'} in the base`,
  ),
)}
</header>
<main>
${steps.length > 1 ? `<section aria-labelledby="steps"><h2 id="steps">Steps that differ</h2>\n<ol class="strip">\n${strip}\n</ol></section>` : ''}
${sections.map(({ section }) => section).join('\n') || `<p>${summarize(comparison)}</p>`}
${listOf(
  'Masked',
  masked.map(({ step, what, why }) => `step ${step}: ${what}: ${why}`),
)}
${listOf('Notes', notes)}</main>`
  const style = STRIP_STYLE + COMPARISON_STYLE
  return documentOf({ title: `${base} → ${current} – Footlight`, body, style }, hashOf)
}

// --- internal ---

const COMPARISON_STYLE = `
.compared{border-top:1px solid var(--line);padding:.5rem 0 1rem;scroll-margin-top:1rem}.compared:target{outline:2px solid var(--link)}
.step .shot{max-height:7rem}.both{display:grid;grid-template-columns:1fr 1fr;gap:.3rem}
.added>.text{color:var(--held)}.removed>.text{color:var(--error)}.changed>.text{color:var(--did)}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:.8rem}figure{margin:0}figcaption{color:var(--muted)}
svg{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:4px}rect{fill:none;stroke:#d1242f;stroke-width:2;vector-effect:non-scaling-stroke}
.slider{position:relative;overflow:auto;max-width:100%}.slider img{margin:0;border:0;max-width:none;height:auto}
.slider>div{position:absolute;inset:0 auto 0 0;width:50%;min-width:1rem;overflow:hidden;resize:horizontal;border-right:3px solid #d1242f}
.difference{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:.3rem 1rem;padding:.4rem 0;border-bottom:1px solid var(--line)}
.unexplained>.text{color:var(--error);font-weight:600}.hunk{border-left:3px solid var(--line);padding-left:.6rem;max-height:20rem;overflow:auto}
ins{text-decoration:none;background:#1a7f3733}del{text-decoration:none;background:#d1242f33}
`

const show = (text: string, limit = SHOWN_LIMIT_CHARS): string => escapeHtml(displayText(text, limit))

const sizeOf = (picture: ReportPicture | undefined): number => picture?.base64.length ?? 0

const listOf = (title: string, items: readonly string[]): string =>
  items.length === 0
    ? ''
    : `<h2>${title}</h2><ul>${items.map((item) => `<li>${show(item)}</li>`).join('')}</ul>`

type ShowHunk = (difference: Difference) => string | undefined

/** A step in the strip: what differs first, and both pictures, which stand in its section. */
function cardOf({ step, title, differences }: StepDifferences, { base, current }: StepPictures): string {
  const isUnexplained = differences.some(({ inDiff }) => !inDiff)
  const [first] = differences
  const small = (picture: ReportPicture, side: string) =>
    `<svg class="shot" viewBox="0 0 ${picture.width} ${picture.height}" aria-hidden="true"><use href="#${side}-${step}"/></svg>`
  const both =
    base && current ? `<span class="both">${small(base, 'base')}${small(current, 'current')}</span>` : ''
  const text = first === undefined ? '' : `<span>${show(describeDifference(first), CARD_LIMIT_CHARS)}</span>`
  const count = `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`
  return `<li class="step${isUnexplained ? ' error' : ''}"><a href="#compared-${step}"><span class="number"><span>${step}</span><span>${count}</span></span>${both}<span class="words">${show(title, CARD_LIMIT_CHARS)}</span>${text}</a></li>`
}

function sectionOf(step: StepDifferences, pictures: StepPictures, showHunk: ShowHunk): string {
  const boxes = step.differences.flatMap(({ box }) => (box ? [box] : []))
  const visibleHunks = new Set<string>()
  const showNewHunk = (difference: Difference) => {
    const hunk = showHunk(difference)
    const isNew = hunk !== undefined && !visibleHunks.has(hunk)
    return isNew ? (visibleHunks.add(hunk), hunk) : undefined
  }
  const differences = step.differences.map((difference) => differenceText(difference, showNewHunk))
  return `<section class="compared" id="compared-${step.step}" aria-labelledby="step-${step.step}"><h2 id="step-${step.step}">${step.step}. ${show(step.title)}</h2>
${step.title.endsWith(` ${step.url}`) ? '' : `<p>${show(step.url)}</p>`}
${differences.join('\n')}
${picturesOf(pictures, boxes, step.step)}</section>`
}

function differenceText(difference: Difference, showHunk: ShowHunk): string {
  const hunk = showHunk(difference)
  const text = `<div class="text">${show(describeDifference(difference))}</div>`
  return `<div class="difference ${difference.change}${difference.inDiff ? '' : ' unexplained'}">${text}${hunk === undefined ? '' : `<pre class="hunk" tabindex="0">${hunk}</pre>`}</div>`
}

type FilesByPath = ReadonlyMap<string | undefined, ChangedFile>

const filesByPath = (changed: readonly ChangedFile[]): FilesByPath =>
  new Map(changed.map((file) => [file.path, file]))

function findHunk({ file, line = 0, inDiff }: Difference, files: FilesByPath): Hunk | undefined {
  const hunks = (inDiff && files.get(file)?.hunks) || []
  return hunks.find(({ start, end }) => line >= start && line < Math.max(end, start + 1)) ?? hunks[0]
}

function renderHunk(hunk: Hunk): string {
  const lines = displayText(hunk.text, HUNK_LIMIT_CHARS)
    .split('\n')
    .map((text) => {
      const tag = text.startsWith('+') ? 'ins' : text.startsWith('-') ? 'del' : undefined
      return tag ? `<${tag}>${escapeHtml(text)}</${tag}>` : escapeHtml(text)
    })
  return lines.join('\n')
}

function picturesOf(
  { base, current }: StepPictures,
  boxes: readonly (readonly number[])[],
  step: number,
): string {
  if (!base || !current) return ''
  const figures = [
    [base, 'Base'],
    [current, 'Current'],
  ] as const
  const sides = figures.map(
    ([picture, name]) =>
      `<figure><figcaption>${name}</figcaption>${markedPicture(picture, boxes, { name, step })}</figure>`,
  )
  const image = (picture: ReportPicture, name: string) =>
    `<img loading="lazy" alt="${name}" width="${picture.width}" height="${picture.height}" src="${addressOf(picture)}">`
  return `<div class="sides">${sides.join('')}</div>
<details><summary>One over the other: drag the corner of the left one</summary><div class="slider">${image(current, 'Current')}<div>${image(base, 'Base')}</div></div></details>`
}

const addressOf = ({ mimeType, base64 }: ReportPicture): string => `data:${mimeType};base64,${base64}`

function markedPicture(
  picture: ReportPicture,
  boxes: readonly (readonly number[])[],
  { name, step }: { readonly name: string; readonly step: number },
): string {
  const marks = boxes.map(
    ([x = 0, y = 0, width = 0, height = 0]) =>
      `<rect x="${x - MARK_GAP}" y="${y - MARK_GAP}" width="${width + 2 * MARK_GAP}" height="${height + 2 * MARK_GAP}"/>`,
  )
  return `<svg viewBox="${viewOf(picture, boxes)}" role="img" aria-label="The page in ${name}"><image id="${name.toLowerCase()}-${step}" width="${picture.width}" height="${picture.height}" href="${addressOf(picture)}"/>${marks.join('')}</svg>`
}

/** Around a box, so that the frame does not cover what is small. */
const MARK_GAP = 4
const VIEW_MARGIN = 60
const VIEW_MINIMUM = 480

/** The part of the picture that is shown: what differs, in a size that can be read, or all of it. */
function viewOf({ width, height }: ReportPicture, boxes: readonly (readonly number[])[]): string {
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
