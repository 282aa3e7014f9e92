// Findings of what axe-core, web-vitals and the layout of a page have reported, which a page may have made up.

import { relativeUrlOf } from '../../core/base/network/page-url.ts'
import { clip } from '../../core/base/text/clip.ts'
import { isRecord } from '../../core/base/text/json.ts'
import { type Finding, type FoundElement, severities, type Severity } from './finding.ts'
import type { AxeNode, AxeViolation, LayoutIssue, Vital, VitalReport } from './in-page/page-reports.ts'

type ElementAt = (index: number) => FoundElement | undefined

/** `elements` are those of the nodes, as far as they were looked for. */
export function accessibilityFinding(
  { id, impact, help, helpUrl, nodes }: AxeViolation,
  count: number,
  elements: readonly (FoundElement | undefined)[],
): Finding {
  return {
    kind: 'accessibility',
    rule: id,
    severity: severities.find((severity) => severity === impact) ?? 'moderate',
    text: help,
    help: helpUrl,
    count,
    elements: elements.flatMap((element, index) => {
      const node = nodes[index]
      const detail = node && contrastOf(node)
      return element ? [{ ...element, ...(detail && { detail }) }] : []
    }),
  }
}

/** The findings of the metrics that are not good. */
export const vitalFindings = (
  reports: readonly VitalReport[],
  elementAt: ElementAt,
  pageUrl: string,
): readonly Finding[] =>
  reports.filter(({ rating }) => rating !== 'good').map((report) => vitalFinding(report, elementAt, pageUrl))

const layoutSeverities: Readonly<Record<LayoutIssue['rule'], Severity>> = {
  overflow: 'serious',
  cut: 'serious',
  overlap: 'serious',
  target: 'moderate',
}

/** One finding for each rule. */
export function layoutFindings(
  issues: readonly LayoutIssue[],
  elementAt: ElementAt,
  isNarrow: boolean,
): readonly Finding[] {
  return (Object.keys(layoutSeverities) as LayoutIssue['rule'][]).flatMap((rule) => {
    const elements = issues.flatMap((issue) => {
      const element = issue.rule === rule ? elementAt(issue.element) : undefined
      const other = issue.other === undefined ? undefined : elementAt(issue.other)
      const detail = other ? `over ${nameElement(other)}` : issue.detail
      return element ? [{ ...element, detail }] : []
    })
    const severity = layoutSeverities[rule]
    const finding: Finding = { kind: 'layout', rule, severity, elements, count: elements.length }
    return elements.length === 0 ? [] : [isNarrow ? { ...finding, isNarrow } : finding]
  })
}

/** The findings of the narrow window that the window in its own size does not have. */
export const onlyNarrow = (narrow: readonly Finding[], wide: readonly Finding[]): readonly Finding[] =>
  narrow.flatMap((finding) => {
    const same = wide.find(({ rule }) => rule === finding.rule)?.elements ?? []
    const selectors = new Set(same.map(({ selector }) => selector))
    const elements = finding.elements.filter(({ selector }) => !selectors.has(selector))
    return elements.length === 0 ? [] : [{ ...finding, elements, count: elements.length }]
  })

/** `LCP 3.1 s`, `CLS 0.24`. */
export const formatVital = ({ name, value }: Vital): string => {
  if (name === 'CLS') return `${name} ${Number(value.toFixed(3))}`
  return value < 1000 ? `${name} ${Math.round(value)} ms` : `${name} ${(value / 1000).toFixed(1)} s`
}

/** How an element is named in a line: by its ref, or else by its tag. */
export function nameElement({ ref, isExactRef = false, name }: FoundElement): string {
  if (ref === undefined) return name
  return isExactRef ? `[${ref}]` : `${name} in [${ref}]`
}

// --- internal ---

function vitalFinding(report: VitalReport, elementAt: ElementAt, pageUrl: string): Finding {
  const { name, rating } = report
  const [element, mover] = [elementAt(report.element ?? -1), elementAt(report.cause ?? -1)]
  const elements = mover ? [{ ...mover, ...(element && { detail: `moves ${nameElement(element)}` }) }] : []
  const words = wordsOf(report, pageUrl)
  return {
    kind: 'vitals',
    rule: name,
    severity: rating === 'poor' ? 'serious' : 'moderate',
    text: [formatVital(report), describeTime(report)].filter(Boolean).join(', '),
    ...(words && { words }),
    elements: [...elements, ...(element ? [element] : [])],
    count: 1,
  }
}

function contrastOf({ any }: AxeNode): string | undefined {
  const data = any[0]?.data
  if (!isRecord(data)) return undefined
  const { contrastRatio, expectedContrastRatio } = data as Record<string, unknown>
  return typeof contrastRatio === 'number' && typeof expectedContrastRatio === 'string'
    ? `${contrastRatio}:1, needs ${clip(expectedContrastRatio, 10)}`
    : undefined
}

const timeNames: Readonly<Record<string, string>> = {
  server: 'the server takes',
  delay: 'it begins after',
  load: 'its request takes',
  work: 'its handlers take',
  render: 'it is drawn after',
}

// What took the longest.
function describeTime({ facts }: VitalReport): string {
  const [longest] = Object.entries(facts)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[0] in timeNames)
    .toSorted(([, a], [, b]) => b - a)
  return longest && longest[1] > 0 ? `${timeNames[longest[0]]} ${longest[1]} ms` : ''
}

const wordsOf = ({ facts: { url, script } }: VitalReport, pageUrl: string): string =>
  [url, script]
    .flatMap((fact) => (typeof fact === 'string' && fact !== '' ? [relativeUrlOf(fact, pageUrl)] : []))
    .join(' ')
