// A report as Markdown for a pull request. What a page said stands in code only, so nothing of it is a link, a picture or a mention.

import { countsOf, displayText, type Report, type ReportFailure, summarizeReport, timeOf } from './report.ts'

const LINE_LIMIT = 60
const SHOWN_FAILURE_LIMIT = 3
const FAILURE_LINE_LIMIT = 8
const AUDIT_LINE_LIMIT = 15
const CHECK_LIMIT = 12
const LINE_LIMIT_CHARS = 240

export function renderMarkdown(report: Report): string {
  const { session, environment, date, failures, entries } = report
  const counts = countsOf(summarizeReport(report)).map(([name, count]) => `${count} ${name}`)
  const listed = failures.slice(-SHOWN_FAILURE_LIMIT)
  const lines = [
    `## Session ${codeOf(session)}`,
    '',
    `${counts.join(' · ')}`,
    '',
    [...new Set([...Object.values(environment), date])].map(codeOf).join(' · '),
    '',
    ...listed.flatMap((failure) => linesOfFailure(failure, report)),
  ]
  const omitted = failures.length - listed.length
  if (omitted > 0) lines.push(`${omitted} earlier failures are in the HTML report.`, '')
  lines.push(...linesOfAudit(report))
  lines.push(...linesOfChecks(report))
  const actions = entries.filter(({ kind, isSilent }) => kind === 'action' && !isSilent)
  const rest = actions.slice(-Math.max(0, LINE_LIMIT - lines.length - 2))
  if (rest.length > 0)
    lines.push(rest.length < actions.length ? `**Done**, the last of ${actions.length}:` : '**Done**:', '')
  lines.push(...rest.map((entry) => `- ${timeOf(entry, report)} ${codeOf(entry.text)}`))
  return `${lines.join('\n').trimEnd()}\n`
}

/** A text as code, which nothing in it can leave. */
export function codeOf(text: string): string {
  const line = oneLine(text).trim()
  const fence = fenceOf(line, 1)
  const space = /^`|`$/.test(line) ? ' ' : ''
  return line === '' ? '' : `${fence}${space}${line}${space}${fence}`
}

// --- internal ---

function linesOfFailure({ call, text, at }: ReportFailure, report: Report): readonly string[] {
  const lines = text.split('\n').slice(0, FAILURE_LINE_LIMIT).map(oneLine)
  const fence = fenceOf(lines.join('\n'), 3)
  return [`**Failed** at ${timeOf({ at }, report)}: ${codeOf(call)}`, '', `${fence}text`, ...lines, fence, '']
}

/** What was waited for and held, the last ones. */
function linesOfChecks(report: Report): readonly string[] {
  const checks = report.entries.filter(({ kind }) => kind === 'check')
  if (checks.length === 0) return []
  const lines = checks.slice(-CHECK_LIMIT).map((check) => `- ${timeOf(check, report)} ${codeOf(check.text)}`)
  const title = checks.length > CHECK_LIMIT ? `**Verified**, the last of ${checks.length}:` : '**Verified**:'
  return [title, '', ...lines, '']
}

/** The last audit, in code like all words of a page. */
function linesOfAudit(report: Report): readonly string[] {
  const audit = report.audits?.at(-1)
  if (!audit) return []
  const lines = audit.text.split('\n').slice(0, AUDIT_LINE_LIMIT).map(oneLine)
  const fence = fenceOf(lines.join('\n'), 3)
  return [`**Audit** at ${timeOf(audit, report)}:`, '', `${fence}text`, ...lines, fence, '']
}

const oneLine = (text: string): string =>
  displayText(text.replace(/[\s\p{Cc}]+/gu, ' ').trimEnd(), LINE_LIMIT_CHARS)

/** More backticks in a row than the text has. */
const fenceOf = (text: string, minimum: number): string =>
  '`'.repeat(Math.max(minimum, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
