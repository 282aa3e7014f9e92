// What an audit finds that an earlier one of the same page did not. Elements move, and their texts change: they are matched by what is
// most alike first.

import type { Finding, FoundElement, PageAudit } from './finding.ts'
import type { Vital } from './in-page/page-reports.ts'

type Findings = Pick<PageAudit, 'findings' | 'vitals'>

/** The findings without the elements that an earlier audit has found too. */
export const findNew = (now: Findings, before: Findings): readonly Finding[] =>
  now.findings.flatMap((finding) => {
    if (finding.kind === 'vitals') return isWorse(finding.rule, now.vitals, before.vitals) ? [finding] : []
    const earlier = before.findings.filter((other) => keyOf(other) === keyOf(finding))
    if (finding.elements.length === 0) return earlier.length === 0 ? [finding] : []
    const known = earlier.flatMap(({ elements }) => elements)
    const elements = withoutKnown(finding.elements, known)
    return elements.length === 0 ? [] : [{ ...finding, elements, count: elements.length }]
  })

// --- internal ---

/** What varies between two loads of the same page. */
const VARIATION_SHARE = 0.2
const VARIATION_MS = 100
const VARIATION_SCORE = 0.02

const keyOf = ({ kind, rule, isNarrow = false, words = '' }: Finding): string =>
  [kind, rule, isNarrow, kind === 'console' ? words.replace(/\d+/g, '#') : ''].join(' ')

function isWorse(name: string, now: readonly Vital[], before: readonly Vital[]): boolean {
  const valueIn = (vitals: readonly Vital[]) => vitals.find((vital) => vital.name === name)?.value
  const earlier = valueIn(before)
  if (earlier === undefined) return true
  const variation = name === 'CLS' ? VARIATION_SCORE : VARIATION_MS
  return (valueIn(now) ?? 0) > earlier * (1 + VARIATION_SHARE) + variation
}

/** Two elements of the same rule are the same one if they agree in one of these, the surest first. */
const likenesses: readonly ((element: FoundElement) => string)[] = [
  ({ mark, selector }) => `${mark} ${selector}`,
  ({ mark, name }) => `${mark} ${name}`,
  ({ selector, name }) => `${selector} ${/^<[^#.>]*/.exec(name)?.[0]}`,
  // A tag alone says nothing.
  ({ name, selector }) => (/[#.]/.test(name) ? name.replace(/\d+/g, '#') : selector),
]

function withoutKnown(
  elements: readonly FoundElement[],
  known: readonly FoundElement[],
): readonly FoundElement[] {
  let [rest, pool] = [elements, known]
  for (const likeness of likenesses) {
    const counts = new Map<string, FoundElement[]>()
    for (const element of pool)
      counts.set(likeness(element), [...(counts.get(likeness(element)) ?? []), element])
    const matched = new Set<FoundElement>()
    rest = rest.filter((element) => {
      const match = counts.get(likeness(element))?.shift()
      if (match) matched.add(match)
      return !match
    })
    pool = pool.filter((element) => !matched.has(element))
  }
  return rest
}
