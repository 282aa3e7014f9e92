// A report as Markdown for a pull request.

import { clip } from '../../../core/base/text/clip.ts'
import {
  type Block,
  code,
  codeBlock,
  heading,
  inline,
  join,
  list,
  paragraph,
  printMarkdown,
} from '../markdown/print-markdown.ts'
import {
  countsOf,
  type Report,
  type ReportEntry,
  type ReportFailure,
  summarizeReport,
  timeOf,
} from './report.ts'

const LINE_LIMIT = 60
const SHOWN_FAILURE_LIMIT = 3
const FAILURE_LINE_LIMIT = 8
const AUDIT_LINE_LIMIT = 15
const CHECK_LIMIT = 12
const CLAIM_LIMIT = 8
const LINE_LIMIT_CHARS = 240

export function renderMarkdown(report: Report): string {
  const { session, environment, date, failures, entries } = report
  const listed = failures.slice(-SHOWN_FAILURE_LIMIT)
  const omitted = failures.length - listed.length
  const blocks = [
    heading(2, inline`Session ${line(session)}`),
    paragraph(
      join(
        countsOf(summarizeReport(report)).map(([name, count]) => `${count} ${name}`),
        ' · ',
      ),
    ),
    paragraph(join([...new Set([...Object.values(environment), date])].map(line), ' · ')),
    ...blocksOfVerdict(report),
    ...listed.flatMap((failure) => blocksOfFailure(failure, report)),
    ...(omitted > 0 ? [paragraph(`${omitted} earlier failures are in the HTML report.`)] : []),
    ...blocksOfAudit(report),
    ...blocksOfEntries(
      'Verified',
      report,
      entries.filter(({ kind }) => kind === 'check'),
      CHECK_LIMIT,
    ),
  ]
  const actions = entries.filter(({ kind, isSilent }) => kind === 'action' && !isSilent)
  const limit = Math.max(0, LINE_LIMIT - printMarkdown(blocks).split('\n').length - TITLE_LINES)
  return printMarkdown([...blocks, ...blocksOfEntries('Done', report, actions, limit)])
}

// --- internal ---

/** And the empty lines around it. */
const TITLE_LINES = 3

const line = (text: string) => code(clip(text, LINE_LIMIT_CHARS))

const lines = (text: string, limit: number): Block =>
  codeBlock(
    text
      .split('\n', limit)
      .map((one) => clip(one.trimEnd(), LINE_LIMIT_CHARS))
      .join('\n'),
  )

/** What `verify` said last, with its claims. */
function blocksOfVerdict({ verdict }: Report): readonly Block[] {
  if (!verdict) return []
  const claims = verdict.claims
    .slice(-CLAIM_LIMIT)
    .map(({ say, verdict: word, detail }) =>
      detail ? inline`${word} ${line(say)}: ${line(detail)}` : inline`${word} ${line(say)}`,
    )
  return [paragraph(inline`**verify: ${verdict.verdict}** ${verdict.message}`), list(claims)]
}

const blocksOfFailure = ({ call, text, at }: ReportFailure, report: Report): readonly Block[] => [
  paragraph(inline`**Failed** at ${timeOf({ at }, report)}: ${line(call)}`),
  lines(text, FAILURE_LINE_LIMIT),
]

/** The last audit. */
function blocksOfAudit(report: Report): readonly Block[] {
  const audit = report.audits?.at(-1)
  return audit
    ? [paragraph(inline`**Audit** at ${timeOf(audit, report)}:`), lines(audit.text, AUDIT_LINE_LIMIT)]
    : []
}

/** The last entries. */
function blocksOfEntries(
  title: string,
  report: Report,
  entries: readonly ReportEntry[],
  limit: number,
): readonly Block[] {
  const newest = entries.slice(Math.max(0, entries.length - limit))
  if (newest.length === 0) return []
  const rest = newest.length < entries.length ? inline`, the last of ${entries.length}` : ''
  return [
    paragraph(inline`**${title}**${rest}:`),
    list(newest.map((entry) => inline`${timeOf(entry, report)} ${line(entry.text)}`)),
  ]
}
