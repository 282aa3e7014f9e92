// A report as one HTML file: what failed first, then the steps with their pictures, what was verified, and everything in its order.

import { findErrors, hasPosition, limitOutput } from '../../../core/base/text/error-lines.ts'
import type { EntryKind } from '../../../core/sessions/journal/journal.ts'
import { documentOf, escapeHtml, type HashOf } from './html-document.ts'
import { REPORT_SCRIPT } from './page-code.ts'
import {
  countsOf,
  displayText,
  type Report,
  type ReportEntry,
  type ReportFailure,
  type ReportPicture,
  type ReportSummary,
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
    const alt = `The page when ${displayText(call, LABEL_LIMIT_CHARS)} failed`
    return start + (picture && pictured.has(failure) ? markedPicture(picture, alt, targetBox) : '') + end
  })
  const sections = {
    failures: failureHtml.join('\n') || renderErrors(visible, report),
    strip: renderStrip(steps, report),
    verified: renderVerified(visible, report),
    entries: entries.map(([entry, { start, end }]) => start + (pairs.get(entry) ?? '') + end).join('\n'),
  }
  return pageOf(report, sections, omitted, hashOf)
}

/** How the summary stands in the head of a report. */
export const SUMMARY_PATTERN = /<meta name="footlight-report" content="([^"<>]{0,4000})">/

const summaryTag = (summary: ReportSummary): string =>
  `\n<meta name="footlight-report" content="${escapeHtml(JSON.stringify(summary))}">`

/** HTML around the picture of an item. */
interface Piece {
  readonly start: string
  readonly end: string
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

const bytesOfPiece = ({ start, end }: Piece): number => bytesOf(start) + bytesOf(end)

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** More than the element of a picture has besides its data. */
const PICTURE_MARKUP_BYTES = 2500

const pictureOf = ({ mimeType, base64, width, height }: ReportPicture, alt: string): string =>
  `<img loading="lazy" width="${width}" height="${height}" alt="${escapeHtml(alt)}" src="data:${mimeType};base64,${base64}">`

/** With a frame around the element of the call. */
function markedPicture(picture: ReportPicture, alt: string, box: ReportFailure['targetBox']): string {
  const image = pictureOf(picture, alt)
  if (!box) return image
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((part) => (100 * part).toFixed(2))
  return `<div class="marked">${image}<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><rect x="${x}" y="${y}" width="${width}" height="${height}"/></svg></div>`
}

/** The cause stands first: who reads no further has read that. */
function failureText(failure: ReportFailure, report: Report): Piece {
  const { seq, call, text, before = [] } = failure
  const number = report.failures.indexOf(failure) + 1
  const words = report.entries.find((entry) => entry.kind === 'action' && entry.seq === seq)?.text ?? call
  const [cause = '', ...evidence] = displayText(text, FAILURE_LIMIT_CHARS).split('\n')
  const earlier = before.map((part) => escapeHtml(displayText(part, LABEL_LIMIT_CHARS))).join(' · ')
  const beforeLine = before.length === 0 ? '' : `<p class="before">Before it: ${earlier}</p>`
  const link = seq === undefined ? '' : `<p><a href="#entry-${seq}">In the timeline</a></p>`
  return {
    start: `<article class="failure" id="failure-${number}"><h3>${number}. ${escapeHtml(displayText(words, LABEL_LIMIT_CHARS))} at ${timeOf(failure, report)}</h3><div class="sides"><div><p class="cause">${escapeHtml(cause)}</p>${beforeLine}<pre>${escapeHtml(evidence.join('\n'))}</pre></div>`,
    end: `</div>${link}</article>`,
  }
}

/** What was waited for and held: a report that shows none says that nothing was. */
function renderVerified(entries: readonly ReportEntry[], report: Report): string {
  const checks = entries.filter(({ kind }) => kind === 'check')
  const items = checks
    .slice(-VERIFIED_LIMIT)
    .map(
      (entry) =>
        `<li><a href="#entry-${entry.seq}">${timeOf(entry, report)}</a> <span class="held">${escapeHtml(displayText(entry.text, LABEL_LIMIT_CHARS))}</span></li>`,
    )
  const rest =
    checks.length > items.length
      ? `<p>The last ${items.length} of ${checks.length}; all are in the timeline.</p>`
      : ''
  const list =
    items.length === 0 ? '<p>No check was made that held.</p>' : `${rest}<ul>${items.join('\n')}</ul>`
  return `\n<section aria-labelledby="verified"><h2 id="verified">Verified</h2>\n${list}\n</section>`
}

function auditsText(report: Report): string {
  const { audits = [] } = report
  const texts = audits.map(
    (audit) =>
      `<h3>At ${timeOf(audit, report)}</h3><pre>${escapeHtml(displayText(audit.text, FAILURE_LIMIT_CHARS))}</pre>`,
  )
  if (texts.length === 0) return ''
  return `\n<section aria-labelledby="audits"><h2 id="audits">Audits</h2>\n${texts.join('\n')}\n</section>`
}

/** Where no call failed: the first errors of the timeline, which may have gone unnoticed. Those that name their source come first. */
function renderErrors(entries: readonly ReportEntry[], report: Report): string {
  const errors = entries.filter((entry) => entry.level === 'error' || isServerError(entry))
  if (errors.length === 0) return '<p>No call failed.</p>'
  const texts = new Set<string>()
  const distinct = errors.filter(({ text }) => !texts.has(text) && texts.add(text))
  const isPlaced = (entry: ReportEntry) => entry.codeFrame !== undefined || isServerError(entry)
  const sorted = [...distinct.filter(isPlaced), ...distinct.filter((entry) => !isPlaced(entry))]
  const lines = sorted.slice(0, LISTED_ERROR_LIMIT).map((entry) => {
    const texts = [errorText(entry), warningAfter(entry, entries)].filter(Boolean)
    const text = escapeHtml(displayText(texts.join('\n'), LISTED_ERROR_LIMIT_CHARS))
    const frame =
      entry.codeFrame === undefined
        ? ''
        : `<pre class="frame">${escapeHtml(displayText(entry.codeFrame, LISTED_ERROR_LIMIT_CHARS))}</pre>`
    return `<li><a href="#entry-${entry.seq}">${timeOf(entry, report)} ${kindText(entry)}</a> <span class="text">${text}</span>${frame}</li>`
  })
  return `<p>No call failed, but there were errors:</p>\n<ul class="errors">${lines.join('\n')}</ul>`
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
  const { seq, kind, level, text, changes, isSilent } = entry
  const failure = kind === 'action' ? report.failures.findIndex((one) => one.seq === seq) + 1 : 0
  const evidence = failure > 0 ? ` <a href="#failure-${failure}">evidence of failure ${failure}</a>` : ''
  const change =
    changes === undefined
      ? ''
      : `<pre class="more changes">${escapeHtml(displayText(changes, ENTRY_LIMIT_CHARS))}</pre>`
  const displayed = displayText(text, ENTRY_LIMIT_CHARS)
  return {
    start: `<li class="entry ${kind} ${level}${isSilent ? ' silent' : ''}" id="entry-${seq}"><span class="time">${timeOf(entry, report)}</span><span class="kind">${kindText(entry)}</span><span class="text">${escapeHtml(displayed)}${evidence}</span>${change}`,
    end: '</li>',
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
export const TIMELINE_FILTERS = [
  '<label><input type="checkbox" id="show-check" checked> Verified</label>',
  ...Object.entries(filterNames).map(
    ([kind, name]) => `<label><input type="checkbox" id="show-${kind}" checked> ${name}</label>`,
  ),
  '<label><input type="checkbox" id="problems"> Only errors and warnings</label>',
  '<span hidden><label>Search <input type="search" id="search"></label> <output id="shown" for="search"></output></span>',
].join('\n')

const sentenceOf = (counts: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
  return parts.length === 0 ? '' : `<p>Left out, the oldest first: ${parts.join(', ')}.</p>`
}

function pageOf(
  report: Report,
  { failures, strip, verified, entries }: Record<'failures' | 'strip' | 'verified' | 'entries', string>,
  omitted: Readonly<Record<string, number>>,
  hashOf: HashOf,
): string {
  const summary = summarizeReport(report)
  const session = displayText(report.session, LABEL_LIMIT_CHARS)
  const counts = countsOf(summary).map(([name, count]) => `<li><strong>${count}</strong> ${name}</li>`)
  const environment = Object.entries({ ...report.environment, written: report.date }).map(
    ([name, value]) =>
      `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(displayText(value, LABEL_LIMIT_CHARS))}</dd>`,
  )
  const { page = '', revision = '' } = report.environment
  const subtitle = [page, revision, report.date]
    .filter(Boolean)
    .map((text) => escapeHtml(displayText(text, LABEL_LIMIT_CHARS)))
  const body = `<header><h1>Session ${escapeHtml(session)}</h1>
<p class="subtitle">${subtitle.join(' · ')}</p>
<ul class="counts">${counts.join('')}</ul>${sentenceOf(omitted)}</header>
<main>
<section aria-labelledby="failures"><h2 id="failures">Failures</h2>
${failures}
</section>
${strip}${verified}${auditsText(report)}
<section aria-labelledby="environment"><h2 id="environment">Environment</h2>
<dl>${environment.join('')}</dl></section>
<section aria-labelledby="entries"><h2 id="entries">Timeline</h2>
<div class="filters" role="group" aria-label="Filter of the timeline">
${TIMELINE_FILTERS}
</div>
<ol id="timeline">
${entries}
</ol>
</section>
</main>`
  return documentOf(
    {
      title: `Session ${session} – Footlight`,
      head: summaryTag({ ...summary, session }),
      body,
      script: REPORT_SCRIPT,
      style: STRIP_STYLE,
    },
    hashOf,
  )
}
