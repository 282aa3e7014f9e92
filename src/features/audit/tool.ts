import * as v from 'valibot'
import { ok } from '../../core/base/result.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import { omit } from '../../core/tool/field-texts.ts'
import { timeout } from '../../core/tool/fields.ts'
import { fileFieldsOf } from '../../core/tool/file-fields.ts'
import { blockLines } from '../../core/tool/plain-lines.ts'
import { formatPosition } from '../sources/element-source.ts'
import { formatSource } from '../sources/script-positions.ts'
import type { AuditRecord, Since } from './audit-history.ts'
import { countKinds, describeConditions, fitFindings, sortFindings } from './audit-lines.ts'
import { auditPage } from './audit-page.ts'
import type { Finding, FoundElement, PageAudit } from './finding.ts'
import { findNew } from './new-findings.ts'

export const audit = definePageTool({
  name: 'audit',
  title: 'Audit',
  description:
    'Accessibility (axe-core), web vitals, layout (also at 320 px) and console errors of the page, worst first, with refs and sources. since: only what is new since the first audit of the page, or since the last one before the last edit.',
  effect: 'reads',
  timeoutKind: 'navigation',
  readsPageOutput: true,
  input: { since: v.optional(v.picklist(['baseline', 'edit'])), timeout },
  output: {
    message: v.string(),
    findings: v.array(v.string()),
    total: v.number(),
    path: v.optional(v.string()),
    resource: v.optional(v.string()),
  },
  texts: { findings: (lines: readonly string[]) => lines.flatMap(blockLines), total: omit },
  async run({ since }, page, deadline, { session }) {
    const outcome = await auditPage(page, deadline)
    if (!outcome.ok) return outcome
    const url = page.url()
    const editedAt = since === 'edit' ? await session.lastEditAt() : undefined
    const earlier = since && session.audits.findEarlier(url, since, editedAt)
    const consoleErrors = await readConsoleErrors(session)
    const { findings: pageFindings, ...conditions } = await locateElements(outcome.value, session)
    const audited = { ...conditions, findings: sortFindings([...pageFindings, ...consoleErrors]) }
    const record: AuditRecord = session.redactor.redactData({ ...audited, url, at: Date.now() })
    const isFirst = session.audits.list().length === 0
    session.audits.add(record)
    const findings = earlier ? findNew(record, earlier) : record.findings
    const content = `${JSON.stringify({ ...record, new: earlier && findings }, omitMarks, 1)}\n`
    const file = await session.folder.write('audit.json', content)
    const data = {
      message: [describeAudit(record, findings, since, earlier), ...(isFirst ? [ELSEWHERE] : [])].join(' '),
      findings: [] as string[],
      total: findings.length,
      // A full disk takes the file, not the findings.
      ...(file.ok && fileFieldsOf(file.value)),
    }
    const fits = (lines: readonly string[]) => bytesOf({ ...data, findings: lines }) <= ANSWER_LIMIT_BYTES
    return ok({ data: { ...data, findings: [...fitFindings(findings, fits)] } })
  },
})

const ANSWER_LIMIT_BYTES = 1024
const ELSEWHERE = 'Lighthouse and heap snapshots: chrome-devtools-mcp has them.'
const CONSOLE_ENTRY_LIMIT = 200
const LOCATE_TIMEOUT_MS = 1500
const LOCATED_AT_ONCE = 10

// They are made of texts of the page, and could be guessed.
const omitMarks = (key: string, value: unknown): unknown => (key === 'mark' ? undefined : value)

const bytesOf = (data: object): number => new TextEncoder().encode(JSON.stringify(data)).length

/** One sentence with the counts, one with the conditions, and what was not audited. */
function describeAudit(
  record: AuditRecord,
  findings: readonly Finding[],
  since: Since | undefined,
  earlier: AuditRecord | undefined,
): string {
  const kinds = findings.length === 0 ? '' : `: ${countKinds(findings)}`
  const count = `${findings.length === 0 ? 'No' : findings.length}${earlier ? ' new' : ''} ${findings.length === 1 ? 'finding' : 'findings'}`
  const time = earlier && new Date(earlier.at).toISOString().slice(11, 19)
  const place =
    time === undefined ? '' : ` since the audit of ${time} UTC, which found ${earlier?.findings.length}`
  const missing = since && !earlier ? ' There is no earlier audit of this page: all are shown.' : ''
  return [`${count}${place}${kinds}.${missing}`, describeConditions(record), ...record.notes].join(' ')
}

async function locateElements(
  { findings, ...conditions }: PageAudit,
  { sources, url }: OpenSession,
): Promise<PageAudit> {
  const all = findings.flatMap(({ elements }) => elements)
  const elementsWithSource = new Map<FoundElement, FoundElement>()
  const locate = async (element: FoundElement): Promise<void> => {
    const { origin, ...rest } = element
    const source = origin && (await sources.locateElement(origin, url))
    const position = source?.position ?? source?.components.find((component) => component.position)?.position
    elementsWithSource.set(element, { ...rest, ...(position && { source: formatPosition(position) }) })
  }
  for (let from = 0; from < all.length; from += LOCATED_AT_ONCE)
    await Promise.all(all.slice(from, from + LOCATED_AT_ONCE).map(locate))
  return {
    ...conditions,
    findings: findings.map((finding) => ({
      ...finding,
      elements: finding.elements.map((element) => elementsWithSource.get(element) ?? element),
    })),
  }
}

/** The console errors since the page was loaded, each text once. */
async function readConsoleErrors({ journal, network, sources }: OpenSession): Promise<readonly Finding[]> {
  const since = (network.sincePageLoad()[0]?.seq ?? 1) - 1
  const accept = ({ level }: JournalEntry) => level === 'error'
  const { entries } = journal.read({ kinds: ['console'], since, limit: CONSOLE_ENTRY_LIMIT, accept })
  const byText = new Map<string, JournalEntry[]>()
  for (const entry of await sources.locateEntries(entries, LOCATE_TIMEOUT_MS)) {
    const words = entry.message ?? entry.text
    byText.set(words, [...(byText.get(words) ?? []), entry])
  }
  return [...byText].map(([words, same]) => {
    const source = same.map(sources.firstSourceOf).find((one) => one !== undefined)
    return {
      kind: 'console',
      rule: 'error',
      severity: 'serious',
      words,
      text: source && formatSource(source),
      elements: [],
      count: same.length,
    }
  })
}
