// The steps of a session side by side, each with its picture, and above them a bar of time. A picture is in the page once: where it is shown
// again, it is used from there.

import { clip } from '../../../core/base/text/clip.ts'
import { type Html, markup } from './print-html.ts'
import { addressOf, type Report, type ReportEntry, type ReportPicture, timeOf } from './report.ts'

/** A step of the strip, with what was verified after it. */
export interface StripStep {
  readonly entry: ReportEntry
  readonly verified: readonly ReportEntry[]
  /** What the page looked like after it; undefined if there is no picture, or no room for it. */
  readonly picture?: ReportPicture
  /** Of the first step with this picture. */
  readonly pictureSeq?: number
}

const WORDS_LIMIT_CHARS = 160
const CARD_CHECK_LIMIT = 3

export const STRIP_STYLE = `
.bar{display:block;width:100%;height:1.6rem;background:var(--panel);border:1px solid var(--line);border-radius:4px}
.bar .action{fill:var(--did)}.bar .check{fill:var(--held)}.bar .error{fill:var(--error)}.bar .console,.bar .request,.bar .server{fill:var(--warning)}
.ends{display:flex;justify-content:space-between;flex-wrap:wrap;gap:0 1rem;color:var(--muted);font-size:.85rem;margin:.1rem 0 .5rem}
.key::before{content:"";display:inline-block;width:.7rem;height:.7rem;border-radius:2px;margin-right:.3rem;background:var(--did)}.key.check::before{background:var(--held)}.key.error::before{background:var(--error)}.key.request::before{background:var(--warning)}
.strip{display:flex;gap:.6rem;overflow-x:auto;list-style:none;margin:0;padding:.2rem .2rem .7rem;scroll-snap-type:x proximity}
.step{flex:0 0 11rem;border:1px solid var(--line);border-top:4px solid var(--did);border-radius:6px;background:var(--panel);scroll-snap-align:start;font-size:.85rem;line-height:1.35}
.step.error{border-color:var(--error)}.step.warning{border-color:var(--warning)}.step.verified{border-top-color:var(--held)}.step.error .words{color:var(--error)}
.step>a{display:block;padding:.4rem .5rem;color:inherit;text-decoration:none}.step>a:hover .words{text-decoration:underline}
.step .number{color:var(--muted);display:flex;justify-content:space-between}.step .words{font-weight:600;overflow-wrap:anywhere;display:block}
.held{color:var(--held);margin:.2rem 0 0;display:block;overflow-wrap:anywhere}.held::before{content:"\\2713  "}
.shot{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:4px;margin:.3rem 0}
.none{display:grid;place-items:center;aspect-ratio:16/10;color:var(--muted);border:1px dashed var(--line);border-radius:4px;margin:.3rem 0}
.pair{display:grid;grid-template-columns:repeat(2,minmax(0,25rem));gap:.6rem;margin:.3rem 0}.pair figure{margin:0}.pair figcaption{color:var(--muted);font-size:.85rem}
@media print{.strip{flex-wrap:wrap;overflow:visible}.step{break-inside:avoid;flex-basis:9rem}.bar,.step{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`

export const isStep = ({ kind, isSilent }: ReportEntry): boolean => kind === 'action' && !isSilent

/** The steps, each with the checks that held after it and before the next one. */
export function collectSteps(
  entries: readonly ReportEntry[],
  pictured: ReadonlySet<unknown>,
): readonly StripStep[] {
  const steps: (StripStep & { verified: ReportEntry[] })[] = []
  const seqs = new Map<string, number>()
  for (const entry of entries) {
    const picture = pictured.has(entry) ? entry.picture : undefined
    const pictureSeq = picture && (seqs.get(picture.base64) ?? entry.seq)
    if (picture && pictureSeq !== undefined) seqs.set(picture.base64, pictureSeq)
    if (isStep(entry)) steps.push({ entry, verified: [], ...(picture && { picture, pictureSeq }) })
    else if (entry.kind === 'check') steps.at(-1)?.verified.push(entry)
  }
  return steps
}

/** The bar and the strip. Empty without a step. */
export function renderStrip(steps: readonly StripStep[], report: Report): Html | undefined {
  if (steps.length === 0) return undefined
  const hasPictures = steps.some(({ picture }) => picture)
  const cards = steps.map((step, index) => cardOf(step, index, hasPictures, report))
  return markup`<section aria-labelledby="steps"><h2 id="steps">Steps</h2>
${renderBar(report)}
<ol class="strip">
${cards}</ol></section>
`
}

/** The page before and after a step, where it looks different. */
export function renderPair(step: StripStep, before: StripStep | undefined): Html | undefined {
  if (!step.picture || step.pictureSeq === before?.pictureSeq) return undefined
  const figures = [...(before?.picture ? [figureOf('Before', before)] : []), figureOf('After', step)]
  return markup`<div class="more pair">${figures}</div>`
}

// --- internal ---

const show = (text: string): string => clip(text, WORDS_LIMIT_CHARS)

function cardOf(step: StripStep, index: number, hasPictures: boolean, report: Report): Html {
  const { entry, verified, picture } = step
  const kind = entry.level === 'error' ? ' error' : verified.length > 0 ? ' verified' : ''
  const checks = verified
    .slice(-CARD_CHECK_LIMIT)
    .map(({ text }) => markup`<span class="held">${show(text)}</span>`)
  const none = hasPictures && markup`<span class="none">no picture</span>`
  return markup`<li class="step${kind}"><a href="#entry-${entry.seq}"><span class="number"><span>${index + 1}</span><span>${timeOf(entry, report)}</span></span>${picture ? drawPicture(picture, step) : none}<span class="words">${show(entry.text)}</span>${checks}</a></li>\n`
}

function drawPicture(picture: ReportPicture, { entry, pictureSeq }: StripStep): Html {
  const { width, height } = picture
  const content =
    pictureSeq === entry.seq
      ? markup`<image id="picture-${pictureSeq}" width="${width}" height="${height}" href="${addressOf(picture)}"/>`
      : markup`<use href="#picture-${pictureSeq}"/>`
  return markup`<svg class="shot" viewBox="0 0 ${width} ${height}" aria-hidden="true">${content}</svg>`
}

function figureOf(name: string, { entry, picture, pictureSeq }: StripStep): Html {
  const { width = 0, height = 0 } = picture ?? {}
  return markup`<figure><figcaption>${name}</figcaption><svg class="shot" viewBox="0 0 ${width} ${height}" role="img" aria-label="The page after ${show(entry.text)}"><use href="#picture-${pictureSeq}"/></svg></figure>`
}

const BAR_WIDTH = 1000
const MARK_WIDTH = 4

/** When what happened, at its place between the first and the last entry. */
function renderBar(report: Report): Html | undefined {
  const marked = report.entries.filter(
    ({ kind, level, isSilent }) =>
      !isSilent && (kind === 'action' || kind === 'check' || level === 'error' || level === 'warning'),
  )
  const [first, last] = [marked[0], marked.at(-1)]
  if (!first || !last || last.at <= first.at) return undefined
  const marks = new Map(
    marked.map((entry) => {
      const share = (entry.at - first.at) / (last.at - first.at)
      // Many that come together are one mark.
      const x = MARK_WIDTH * Math.round((share * (BAR_WIDTH - MARK_WIDTH)) / MARK_WIDTH)
      const [y, height] = isStep(entry) || entry.kind === 'check' ? [0, 16] : [16, 8]
      const kind = entry.level === 'error' ? 'error' : entry.kind
      const mark = markup`<rect class="${kind}" x="${x}" y="${y}" width="${MARK_WIDTH}" height="${height}"/>`
      return [`${kind} ${x} ${y}`, mark]
    }),
  )
  const keys = [
    ['action', 'done'],
    ['check', 'verified'],
    ['error', 'failed'],
    ['request', 'warnings'],
  ].map(([kind, name]) => markup`<span class="key ${kind}">${name}</span>`)
  return markup`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} 24" preserveAspectRatio="none" aria-hidden="true">${[...marks.values()]}</svg>
<p class="ends"><span>${timeOf(first, report)}</span>${keys}<span>${timeOf(last, report)}</span></p>`
}
