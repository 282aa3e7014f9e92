// An index of the reports below a folder. Their summaries are not trusted: anybody may have written a file there.

import { documentOf, escapeHtml, type HashOf, unescapeHtml } from '../lib/html/html-document.ts'
import { SUMMARY_PATTERN } from '../lib/html/render-html.ts'
import { countNames, countsOf, displayText, parseSummary, type ReportSummary } from '../lib/html/report.ts'

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
  const cells = (tag: string, texts: readonly (string | number)[]) =>
    texts.map((text) => `<${tag}>${text}</${tag}>`).join('')
  const rows = reports.map((report) => {
    const name = escapeHtml(displayText(report.session, CELL_LIMIT_CHARS))
    const link = `<a href="${escapeHtml(addressOf(report.path))}">${name || 'a session'}</a>`
    const path = escapeHtml(displayText(report.path, CELL_LIMIT_CHARS))
    const date = escapeHtml(displayText(report.date, CELL_LIMIT_CHARS))
    return `<tr>${cells('td', [link, date, ...countsOf(report).map(([, count]) => count), path])}</tr>`
  })
  const body = `<main><h1>Reports</h1>
<p>${reports.length} sessions, ${failed} with failures.</p>
<table><thead><tr>${cells('th', ['session', 'written', ...Object.values(countNames), 'file'])}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></main>`
  return documentOf({ title: TITLE, body }, hashOf)
}

/** Whether a file that begins so is such an index. */
export const isOwnIndex = (start: string): boolean =>
  start.startsWith('<!doctype html>') && start.includes(`<title>${TITLE}</title>`)

// --- internal ---

// A name such as `javascript:` is a file here.
const addressOf = (path: string): string =>
  `./${path.toWellFormed().split('/').map(encodeURIComponent).join('/')}`
