// An index of the reports below a folder. Their summaries are not trusted: anybody may have written a file there.

import { clip } from '../../core/base/text/clip.ts'
import { PAGE_STYLE } from '../lib/html/page-code.ts'
import { type HashOf, markup, printDocument, unescapeHtml } from '../lib/html/print-html.ts'
import { SUMMARY_PATTERN } from '../lib/html/render-html.ts'
import { countNames, countsOf, parseSummary, type ReportSummary } from '../lib/html/report.ts'

export interface IndexedReport extends ReportSummary {
  /** Its path below the folder, with `/`. */
  readonly path: string
}

const CELL_LIMIT_CHARS = 200

const TITLE = 'Reports – Footlight'

/** The summary of a report from the beginning of its file; undefined if it is none. */
export function readSummary(start: string): ReportSummary | undefined {
  const [, content] = SUMMARY_PATTERN.exec(start) ?? []
  return content === undefined ? undefined : parseSummary(unescapeHtml(content))
}

export function renderIndex(reports: readonly IndexedReport[], hashOf: HashOf): string {
  const failed = reports.filter(({ failures }) => failures > 0).length
  const rows = reports.map((report) => {
    const [name, date, path] = [report.session, report.date, report.path].map((text) =>
      clip(text, CELL_LIMIT_CHARS),
    )
    const counts = countsOf(report).map(([, count]) => markup`<td>${count}</td>`)
    return markup`<tr><td><a href="${addressOf(report.path)}">${name || 'a session'}</a></td><td>${date}</td>${counts}<td>${path}</td></tr>\n`
  })
  const names = ['session', 'written', ...Object.values(countNames), 'file']
  const body = markup`<main><h1>Reports</h1>
<p>${reports.length} sessions, ${failed} with failures.</p>
<table><thead><tr>${names.map((name) => markup`<th>${name}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></main>`
  return printDocument({ title: TITLE, body, style: PAGE_STYLE }, hashOf)
}

/** Whether a file that begins so is such an index. */
export const isOwnIndex = (start: string): boolean =>
  start.startsWith('<!doctype html>') && start.includes(`<title>${TITLE}</title>`)

// --- internal ---

// A name such as `javascript:` is a file here.
const addressOf = (path: string): string =>
  `./${path.toWellFormed().split('/').map(encodeURIComponent).join('/')}`
