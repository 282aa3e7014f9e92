// An audit as lines: one for each rule, the worst first. A caller gets as many as fit.

import { clip, normalizeSpace } from '../../core/base/text/clip.ts'
import { showPageText } from '../../core/base/text/invisible-characters.ts'
import {
  type Finding,
  findingKinds,
  type FoundElement,
  NARROW_WIDTH_PX,
  type PageAudit,
  severities,
} from './finding.ts'
import { findNew } from './new-findings.ts'
import { formatVital, nameElement } from './page-findings.ts'

/** The worst first, and those of accessibility before others of the same severity. */
export const sortFindings = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => rankOf(a) - rankOf(b))

/** One line for each finding, with at most so many of its elements. */
const linesOfFindings = (findings: readonly Finding[], elementLimit: number): readonly string[] =>
  findings.map((finding) => lineOfFinding(finding, elementLimit))

/** As many lines as fit, in their order: of each kind the worst ones. The last line counts what is left out. */
export function fitFindings(
  findings: readonly Finding[],
  fits: (lines: readonly string[]) => boolean,
): readonly string[] {
  for (const elementLimit of ELEMENT_LIMITS) {
    const lines = linesOfFindings(findings, elementLimit)
    if (fits(lines)) return lines
  }
  const lines = linesOfFindings(findings, 1)
  const linesWith = (chosen: ReadonlySet<number>): readonly string[] => {
    const omitted = lines.length - chosen.size
    const listed = lines.filter((_, index) => chosen.has(index))
    return omitted === 0 ? listed : [...listed, `… ${omitted} more in the file`]
  }
  const chosen = new Set<number>()
  for (const index of orderInRounds(findings))
    if (fits(linesWith(new Set([...chosen, index])))) chosen.add(index)
  return linesWith(chosen)
}

type AuditOfPage = PageAudit & { readonly url: string }

/** All of it, apart from what a later audit has found on the same page too. */
export function describeWholeAudit(audit: AuditOfPage, later: readonly AuditOfPage[] = []): string {
  const again = later.filter(({ url }) => url === audit.url)
  const findings = again.reduce<readonly Finding[]>(
    (rest, one) => findNew({ ...audit, findings: rest }, one),
    audit.findings,
  )
  const unrepeated = again.length > 0 ? `, ${findings.length} of them not found again` : ''
  return [
    `${audit.url}: ${audit.findings.length} findings${unrepeated}. ${describeConditions(audit)}`,
    ...audit.notes,
    ...linesOfFindings(findings, WHOLE_ELEMENT_LIMIT),
  ].join('\n')
}

/** `LCP 0.3 s, CLS 0 at 1280x720`. */
export const describeConditions = ({ vitals, viewport }: PageAudit): string => {
  const { width, height } = viewport
  const metrics = vitals.map(formatVital).join(', ')
  return `${metrics === '' ? 'No metrics' : metrics} at ${width}x${height}.`
}

/** `2 accessibility, 1 layout`. */
export const countKinds = (findings: readonly Finding[]): string =>
  findingKinds
    .map((kind) => [kind, findings.filter((finding) => finding.kind === kind).length] as const)
    .flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []))
    .join(', ')

// --- internal ---

/** Of a report, which is read by people. */
const WHOLE_ELEMENT_LIMIT = 8

const ELEMENT_LIMITS = [3, 2, 1]
const WORDS_LIMIT_CHARS = 120
const SOURCE_LIMIT_CHARS = 100
const LINE_LIMIT_CHARS = 300

const rankOf = ({ severity, kind }: Finding): number =>
  severities.indexOf(severity) * findingKinds.length + findingKinds.indexOf(kind)

/** The worst of each kind, then the second of each. */
function orderInRounds(findings: readonly Finding[]): readonly number[] {
  const counts = new Map<string, number>()
  const rounds = findings.map(({ kind }) => {
    const round = counts.get(kind) ?? 0
    counts.set(kind, round + 1)
    return round
  })
  return [...findings.keys()].toSorted((a, b) => (rounds[a] ?? 0) - (rounds[b] ?? 0) || a - b)
}

function lineOfFinding(finding: Finding, elementLimit: number): string {
  const { elements, count, words, kind, text } = finding
  const quoted =
    words === undefined ? [] : [showPageText(clip(normalizeSpace(words), WORDS_LIMIT_CHARS), 'quoted')]
  const source = kind === 'console' && text !== undefined ? [clip(text, SOURCE_LIMIT_CHARS)] : []
  const listed = elements.slice(0, elementLimit).map(elementText)
  const parts = [...quoted, ...source, ...listed].join(', ')
  const more = kind === 'console' ? 0 : count - listed.length
  const line = showPageText(
    normalizeSpace(`${headOf(finding)}${parts === '' ? '' : `: ${parts}`}`),
    'continued',
  )
  return more > 0 && listed.length > 0
    ? `${clip(line, LINE_LIMIT_CHARS)}, +${more}`
    : clip(line, LINE_LIMIT_CHARS)
}

function headOf({ kind, rule, severity, text, isNarrow = false, count }: Finding): string {
  if (kind === 'vitals') return text ?? rule
  if (kind === 'console') return count > 1 ? `console error, ${count} times` : 'console error'
  const place = isNarrow ? ` at ${NARROW_WIDTH_PX} px` : ''
  return kind === 'accessibility' ? `${severity} ${rule}` : `${rule}${place}`
}

const elementText = (element: FoundElement): string => {
  const { source = '', detail = '' } = element
  return [nameElement(element), clip(source, SOURCE_LIMIT_CHARS), detail].filter(Boolean).join(' ')
}
