// A report as one HTML file: the verdict and the steps with their pictures, then what failed, and the rest folded.

import { clip } from '../../../core/base/text/clip.ts'
import { findErrors, hasPosition, limitOutput } from '../../../core/base/text/error-lines.ts'
import type { EntryKind } from '../../../core/sessions/journal/journal.ts'
import { PAGE_STYLE, REPORT_SCRIPT } from './page-code.ts'
import { bytesOf, type Content, type HashOf, type Html, markup, printDocument } from './print-html.ts'
import {
  addressOf,
  countsOf,
  displayText,
  type Report,
  type ReportEntry,
  type ReportFailure,
  type ReportPicture,
  summarizeReport,
  timeOf,
} from './report.ts'
import { collectSteps, isStep, renderPair, renderStrip, STRIP_STYLE } from './step-strip.ts'

/** Below 3 MB with everything around it. Pictures go first, then what is oldest. */
const FAILURES_LIMIT_BYTES = 600_000
const ENTRIES_LIMIT_BYTES = 1_600_000
const REPORT_LIMIT_BYTES = 2_900_000
/** Of the texts of the strip, and of what was verified. */
const STRIP_LIMIT_BYTES = 600_000
const STRIP_STEP_LIMIT = 100
const VERIFIED_LIMIT = 100
const ENTRY_LIMIT_CHARS = 4000
const FAILURE_LIMIT_CHARS = 20_000
const LABEL_LIMIT_CHARS = 300
const LISTED_ERROR_LIMIT = 10
const LISTED_ERROR_LIMIT_CHARS = 2500

export function renderReport(report: Report, hashOf: HashOf): string {
  const failures = takeNewest(report.failures, FAILURES_LIMIT_BYTES, (failure) =>
    failureText(failure, report),
  )
  const entries = takeNewest(report.entries, ENTRIES_LIMIT_BYTES, (entry) => entryText(entry, report))
  const texts = [...failures, ...entries]
  // Those of failures are worth more than those of actions.
  const visible = entries.map(([entry]) => entry)
  const inStrip = visible.filter(isStep).slice(-STRIP_STEP_LIMIT)
  const pictured = choosePictures(
    [...failures.map(([failure]) => failure).toReversed(), ...inStrip.toReversed()],
    texts.reduce((sum, [, piece]) => sum + bytesOfPiece(piece), STRIP_LIMIT_BYTES),
  )
  const steps = collectSteps(visible, pictured).slice(-STRIP_STEP_LIMIT)
  const pairs = new Map(steps.map((step, index) => [step.entry, renderPair(step, steps[index - 1])]))
  const omitted = {
    entries: report.dropped + report.entries.length - entries.length,
    failures: report.failures.length - failures.length,
    pictures: [...failures.map(([failure]) => failure), ...visible.filter(isStep)].filter(
      (item) => item.picture && !pictured.has(item),
    ).length,
  }
  const failureHtml = failures.map(([failure, { start, end }]) => {
    const { picture, call, targetBox } = failure
    const alt = `The page when ${clip(call, LABEL_LIMIT_CHARS)} failed`
    const image = picture && pictured.has(failure) ? markedPicture(picture, alt, targetBox) : ''
    return markup`<article class="failure" id="failure-${report.failures.indexOf(failure) + 1}">${start}${image}${end}</article>\n`
  })
  const sections = {
    failures: failureHtml.length > 0 ? failureHtml : renderErrors(visible, report),
    strip: renderStrip(steps, report),
    verified: renderVerified(visible, report),
    entries: entries.map(
      ([entry, { start, end }]) =>
        markup`<li class="entry ${entry.kind} ${entry.level}${entry.isSilent ? ' silent' : ''}" id="entry-${entry.seq}">${start}${pairs.get(entry)}${end}</li>\n`,
    ),
  }
  return pageOf(report, sections, omitted, hashOf)
}

/** How the summary stands in the head of a report. */
export const SUMMARY_PATTERN = /<meta name="footlight-report" content="([^"<>]{0,4000})">/

/** HTML around the picture of an item. */
interface Piece {
  readonly start: Html
  readonly end: Html | undefined
}

/** The newest items with their HTML, oldest first, that fit into these bytes together. */
function takeNewest<T>(
  items: readonly T[],
  limitBytes: number,
  render: (item: T) => Piece,
): (readonly [T, Piece])[] {
  const taken: (readonly [T, Piece])[] = []
  let bytes = 0
  for (const item of items.toReversed()) {
    const piece = render(item)
    bytes += bytesOfPiece(piece)
    if (bytes > limitBytes) break
    taken.push([item, piece])
  }
  return taken.toReversed()
}

/** The items whose pictures fit beside `textBytes` of text, from the first one on. */
function choosePictures<T extends { readonly picture?: ReportPicture }>(
  items: readonly T[],
  textBytes: number,
): ReadonlySet<T> {
  const chosen = new Set<T>()
  let bytes = textBytes
  for (const item of items) {
    const pictureBytes = item.picture ? item.picture.base64.length + PICTURE_MARKUP_BYTES : 0
    if (pictureBytes === 0 || bytes + pictureBytes > REPORT_LIMIT_BYTES) continue
    bytes += pictureBytes
    chosen.add(item)
  }
  return chosen
}

const bytesOfPiece = ({ start, end }: Piece): number =>
  bytesOf(start) + (end ? bytesOf(end) : 0) + ITEM_MARKUP_BYTES

/** More than the element of an item has besides its content. */
const ITEM_MARKUP_BYTES = 120

/** More than the element of a picture has besides its data. */
const PICTURE_MARKUP_BYTES = 2500

/** With a frame around the element of the call. */
function markedPicture(picture: ReportPicture, alt: string, box: ReportFailure['targetBox']): Html {
  const { width, height } = picture
  const image = markup`<img loading="lazy" width="${width}" height="${height}" alt="${alt}" src="${addressOf(picture)}">`
  if (!box) return image
  const [x = '', y = '', w = '', h = ''] = [box.x, box.y, box.width, box.height].map((part) =>
    (100 * part).toFixed(2),
  )
  return markup`<div class="marked">${image}<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><rect x="${x}" y="${y}" width="${w}" height="${h}"/></svg></div>`
}

/** The cause stands first: who reads no further has read that. */
function failureText(failure: ReportFailure, report: Report): Piece {
  const { seq, call, text, before = [] } = failure
  const number = report.failures.indexOf(failure) + 1
  const words = report.entries.find((entry) => entry.kind === 'action' && entry.seq === seq)?.text ?? call
  const [cause = '', ...evidence] = clip(text, FAILURE_LIMIT_CHARS).split('\n')
  const earlier = before.map((part) => clip(part, LABEL_LIMIT_CHARS)).join(' · ')
  const beforeLine = earlier === '' ? '' : markup`<p class="before">Before it: ${earlier}</p>`
  const link = seq === undefined ? '' : markup`<p><a href="#entry-${seq}">In the timeline</a></p>`
  return {
    start: markup`<h3>${number}. ${clip(words, LABEL_LIMIT_CHARS)} at ${timeOf(failure, report)}</h3><div class="sides"><div><p class="cause">${cause}</p>${beforeLine}<pre>${evidence.join('\n')}</pre></div>`,
    end: markup`</div>${link}`,
  }
}

/** A part that is closed at first. */
const fold = (id: string, title: string, content: Content, count?: number): Html =>
  markup`<details class="part"><summary><h2 id="${id}">${title}</h2> <span class="muted">${count}</span></summary>\n${content}\n</details>\n`

/** What was waited for and held: a report that shows none says that nothing was. */
function renderVerified(entries: readonly ReportEntry[], report: Report): Html {
  const checks = entries.filter(({ kind }) => kind === 'check')
  if (checks.length === 0) return markup`<p>No check was made that held.</p>`
  const newest = checks.slice(-VERIFIED_LIMIT)
  const rest =
    checks.length > newest.length
      ? markup`<p>The last ${newest.length} of ${checks.length}; all are in the timeline.</p>`
      : ''
  const items = newest.map(
    (entry) =>
      markup`<li><a href="#entry-${entry.seq}">${timeOf(entry, report)}</a> <span class="held">${clip(entry.text, LABEL_LIMIT_CHARS)}</span></li>\n`,
  )
  return fold('verified', 'Verified', [rest, markup`<ul>${items}</ul>`], checks.length)
}

function renderAudits(report: Report): Html | undefined {
  const { audits = [] } = report
  if (audits.length === 0) return undefined
  const texts = audits.map(
    (audit) =>
      markup`<h3>At ${timeOf(audit, report)}</h3><pre>${clip(audit.text, FAILURE_LIMIT_CHARS)}</pre>\n`,
  )
  return fold('audits', 'Audits', texts, audits.length)
}

/** Where no call failed: the first errors of the timeline, which may have gone unnoticed. Those that name their source come first. */
function renderErrors(entries: readonly ReportEntry[], report: Report): Html {
  const errors = entries.filter((entry) => entry.level === 'error' || isServerError(entry))
  if (errors.length === 0) return markup`<p>No call failed.</p>`
  const texts = new Set<string>()
  const distinct = errors.filter(({ text }) => !texts.has(text) && texts.add(text))
  const isPlaced = (entry: ReportEntry) => entry.codeFrame !== undefined || isServerError(entry)
  const sorted = [...distinct.filter(isPlaced), ...distinct.filter((entry) => !isPlaced(entry))]
  const lines = sorted.slice(0, LISTED_ERROR_LIMIT).map((entry) => {
    const text = [errorText(entry), warningAfter(entry, entries)].filter(Boolean).join('\n')
    const { codeFrame } = entry
    const frame = codeFrame && markup`<pre class="frame">${clip(codeFrame, LISTED_ERROR_LIMIT_CHARS)}</pre>`
    return markup`<li><a href="#entry-${entry.seq}">${timeOf(entry, report)} ${kindText(entry)}</a> <span class="text">${clip(text, LISTED_ERROR_LIMIT_CHARS)}</span>${frame}</li>\n`
  })
  return markup`<p>No call failed, but there were errors:</p>\n<ul class="errors">${lines}</ul>`
}

const SERVER_ERROR_LIMIT = { most: 20, characters: 2000, more: '…' } as const

/** Of what a dev server printed, without the frames of libraries. */
function errorText({ kind, text }: ReportEntry): string {
  if (kind !== 'server') return text.trim()
  return limitOutput(
    text.split('\n').map((line) => ({ text: line, age: '' })),
    SERVER_ERROR_LIMIT,
  ).join('\n')
}

const WARNING_LIMIT_MS = 200

/** Frameworks name the component of an error without a source in a warning right after it. */
function warningAfter(error: ReportEntry, entries: readonly ReportEntry[]): string | undefined {
  if (error.codeFrame !== undefined) return undefined
  const next = entries.slice(entries.indexOf(error) + 1).find(({ kind }) => kind === 'console')
  const isNear = next?.level === 'warning' && next.at - error.at < WARNING_LIMIT_MS
  return isNear ? next.text.split('\n', 1)[0] : undefined
}

/** Whether a dev server has printed an error with a line of a source file. */
const isServerError = ({ kind, text }: ReportEntry): boolean =>
  kind === 'server' &&
  findErrors(text.split('\n')).some(({ line, position }) => position !== undefined || hasPosition(line))

function entryText(entry: ReportEntry, report: Report): Piece {
  const { seq, kind, text, changes } = entry
  const failure = kind === 'action' ? report.failures.findIndex((one) => one.seq === seq) + 1 : 0
  const evidence =
    failure > 0 ? markup` <a href="#failure-${failure}">evidence of failure ${failure}</a>` : ''
  const change = changes && markup`<pre class="more changes">${clip(changes, ENTRY_LIMIT_CHARS)}</pre>`
  return {
    start: markup`<span class="time">${timeOf(entry, report)}</span><span class="kind">${kindText(entry)}</span><span class="text">${clip(text, ENTRY_LIMIT_CHARS)}${evidence}</span>${change}`,
    end: undefined,
  }
}

function kindText({ kind, level }: ReportEntry): string {
  if (kind === 'check') return 'verified'
  if (kind === 'server' && level === 'warning') return 'server stderr'
  return level === 'error' || level === 'warning' ? `${kind} ${level}` : kind
}

const filterNames: Readonly<Record<EntryKind, string>> = {
  action: 'Actions',
  page: 'Page events',
  console: 'Console',
  request: 'Requests',
  server: 'Server',
}

/** For a timeline below it whose entries have the classes `entry` and their kind and level. The search needs a script. */
export const TIMELINE_FILTERS = markup`<label><input type="checkbox" id="show-check" checked> Verified</label>
${Object.entries(filterNames).map(
  ([kind, name]) => markup`<label><input type="checkbox" id="show-${kind}" checked> ${name}</label>\n`,
)}<label><input type="checkbox" id="problems"> Only errors and warnings</label>
<span hidden><label>Search <input type="search" id="search"></label> <output id="shown" for="search"></output></span>`

const sentenceOf = (counts: Readonly<Record<string, number>>): Content => {
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
  return parts.length > 0 && markup`<p>Left out, the oldest first: ${parts.join(', ')}.</p>`
}

const VERDICT_CLASSES = { PASS: 'pass', FAIL: 'error', UNVERIFIED: 'warning' }

/** What `verify` said last, with its claims. */
function renderVerdict(report: Report): Content {
  const { verdict } = report
  if (!verdict) return undefined
  const claims = verdict.claims.map(
    ({ say, verdict: word, detail }) =>
      markup`<li class="${VERDICT_CLASSES[word]}"><strong>${word}</strong> ${clip(say, LABEL_LIMIT_CHARS)}${detail && markup`<span class="muted">: ${clip(detail, LABEL_LIMIT_CHARS)}</span>`}</li>\n`,
  )
  return markup`<div class="verdict ${VERDICT_CLASSES[verdict.verdict]}"><p><strong>verify: ${verdict.verdict}</strong> ${verdict.message} <span class="muted">at ${timeOf(verdict, report)}</span></p>
${claims.length > 0 && markup`<ul>${claims}</ul>`}</div>`
}

function pageOf(
  report: Report,
  { failures, strip, verified, entries }: Record<'failures' | 'strip' | 'verified' | 'entries', Content>,
  omitted: Readonly<Record<string, number>>,
  hashOf: HashOf,
): string {
  const session = displayText(report.session, LABEL_LIMIT_CHARS)
  const summary = { ...summarizeReport(report), session }
  const counts = countsOf(summary).map(([name, count]) => markup`<li><strong>${count}</strong> ${name}</li>`)
  const environment = Object.entries({ ...report.environment, written: report.date }).map(
    ([name, value]) => markup`<dt>${name}</dt><dd>${clip(value, LABEL_LIMIT_CHARS)}</dd>`,
  )
  const { page = '', revision = '' } = report.environment
  const subtitle = [page, revision, report.date].filter(Boolean).map((text) => clip(text, LABEL_LIMIT_CHARS))
  const body = markup`<header><h1>Session ${session}</h1>
<p class="subtitle">${subtitle.join(' · ')}</p>
${renderVerdict(report)}<ul class="counts">${counts}</ul>${sentenceOf(omitted)}</header>
<main>
${strip}<section aria-labelledby="failures"><h2 id="failures">Failures</h2>
${failures}
</section>
${verified}${renderAudits(report)}
${fold('environment', 'Environment', markup`<dl>${environment}</dl>`)}${fold(
    'entries',
    'Timeline',
    markup`<div class="filters" role="group" aria-label="Filter of the timeline">
${TIMELINE_FILTERS}
</div>
<ol id="timeline">
${entries}</ol>`,
  )}</main>`
  return printDocument(
    {
      title: `Session ${session} – Footlight`,
      head: markup`\n<meta name="footlight-report" content="${JSON.stringify(summary)}">`,
      body,
      script: REPORT_SCRIPT,
      style: PAGE_STYLE + STRIP_STYLE,
    },
    hashOf,
  )
}
