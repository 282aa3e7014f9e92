// What a user can see of a page after one step of a flow, and how two such views differ.

import type { Finding } from '../../audit/finding.ts'
import { findNew } from '../../audit/new-findings.ts'
import { diffLines, type LineChange } from './diff-lines.ts'

export type DifferenceKind =
  'tree' | 'pixels' | 'console' | 'request' | 'address' | 'title' | 'accessibility' | 'layout'

export type ChangeKind = 'added' | 'removed' | 'changed'

export interface ViewLine {
  /** Without its ref. */
  readonly text: string
  readonly ref?: string
}

/** A console message, a request, or an element that is wider than the page. */
export interface ViewEntry {
  readonly text: string
  /** What makes two of them the same, whatever their numbers and ports are. */
  readonly key: string
  readonly file?: string
  readonly line?: number
  readonly ref?: string
}

export interface PageView {
  /** Path, query and fragment. */
  readonly address: string
  readonly title: string
  readonly lines: readonly ViewLine[]
  readonly console: readonly ViewEntry[]
  readonly requests: readonly ViewEntry[]
  readonly overflow: readonly ViewEntry[]
  /** What axe-core finds; absent if it did not answer in every document. */
  readonly violations?: readonly Finding[]
}

export interface ViewDifference {
  readonly kind: DifferenceKind
  readonly change: ChangeKind
  /** What the base has, and what the current version has. */
  readonly before?: string
  readonly after?: string
  /** The elements, each in the version that has it. */
  readonly refBefore?: string
  readonly refAfter?: string
  /** A position that is known without the page. */
  readonly file?: string
  readonly line?: number
  /** The lines of the base that it is about, from `from` to before `to`. */
  readonly from?: number
  readonly to?: number
  readonly key?: string
}

export function compareViews(base: PageView, other: PageView): readonly ViewDifference[] {
  return [
    ...compareTexts('address', base.address, other.address),
    ...compareTexts('title', base.title, other.title),
    ...diffLines(base.lines, other.lines).map(differenceOfLine),
    ...compareEntries('console', base.console, other.console),
    ...compareEntries('request', base.requests, other.requests),
    ...compareEntries('layout', base.overflow, other.overflow),
    ...compareViolations(base.violations, other.violations),
  ]
}

/** Separates what differs between two runs of the base too. */
export function maskNoise(
  differences: readonly ViewDifference[],
  noise: readonly ViewDifference[],
): { readonly real: readonly ViewDifference[]; readonly masked: readonly ViewDifference[] } {
  const isInside = { lines: createRanges(noise, false), additions: createRanges(noise, true) }
  const others = noise.filter(({ kind }) => kind !== 'tree')
  const isNoise = (difference: ViewDifference) =>
    difference.kind === 'tree'
      ? isInside[difference.change === 'added' ? 'additions' : 'lines'](difference)
      : others.some((other) => isSame(difference, other))
  const noisy = new Set(differences.filter(isNoise))
  return {
    real: differences.filter((difference) => !noisy.has(difference)),
    masked: [...noisy],
  }
}

// --- internal ---

function compareTexts(kind: 'address' | 'title', before: string, after: string): readonly ViewDifference[] {
  return before === after ? [] : [{ kind, change: 'changed', before, after }]
}

function differenceOfLine({ before, after, from, to }: LineChange<ViewLine>): ViewDifference {
  const change = before ? (after ? 'changed' : 'removed') : 'added'
  return {
    kind: 'tree',
    change,
    from,
    to,
    before: before?.text,
    refBefore: before?.ref,
    after: after?.text,
    refAfter: after?.ref,
  }
}

// The same request with another outcome, or the same element with another width, is a change.
function compareEntries(
  kind: 'console' | 'request' | 'layout',
  base: readonly ViewEntry[],
  other: readonly ViewEntry[],
): readonly ViewDifference[] {
  const takeOut = (entries: readonly ViewEntry[], others: readonly ViewEntry[]) => {
    const keys = new Set(others.map(({ key }) => key))
    const own = entries.filter(({ key }) => !keys.has(key))
    return own.filter((entry, index) => own.findIndex(({ key }) => key === entry.key) === index)
  }
  const removed = takeOut(base, other)
  const added = takeOut(other, base)
  const pairs = new Map(
    added.flatMap((entry) => {
      const partner = removed.find((one) => nameOf(one) === nameOf(entry))
      return partner ? [[entry, partner] as const] : []
    }),
  )
  const place = ({ file, line, ref }: ViewEntry, side: 'refBefore' | 'refAfter') => ({
    file,
    line,
    ...(ref !== undefined && { [side]: ref }),
  })
  return [
    ...added.map((entry): ViewDifference => {
      const partner = pairs.get(entry)
      const texts = { after: entry.text, before: partner?.text }
      const change = partner ? 'changed' : 'added'
      return { kind, change, ...texts, key: entry.key, ...place(entry, 'refAfter') }
    }),
    ...removed
      .filter((entry) => ![...pairs.values()].includes(entry))
      .map((entry): ViewDifference => ({
        kind,
        change: 'removed',
        before: entry.text,
        key: entry.key,
        ...place(entry, 'refBefore'),
      })),
  ]
}

// An element that has moved, or whose text is another one, breaks the same rule as before.
function compareViolations(
  base: readonly Finding[] | undefined,
  other: readonly Finding[] | undefined,
): readonly ViewDifference[] {
  if (!base || !other) return []
  const differencesOf = (
    findings: readonly Finding[],
    others: readonly Finding[],
    [change, text, ref]:
      readonly ['added', 'after', 'refAfter'] | readonly ['removed', 'before', 'refBefore'],
  ) =>
    findNew({ findings, vitals: [] }, { findings: others, vitals: [] }).flatMap(
      ({ rule, severity, elements }) =>
        elements.map(({ name, detail, selector }): ViewDifference => ({
          kind: 'accessibility',
          change,
          [text]: [severity, rule, name, detail].filter(Boolean).join(' '),
          [ref]: selector,
          key: `${rule} ${name}`,
        })),
    )
  return [
    ...differencesOf(other, base, ['added', 'after', 'refAfter']),
    ...differencesOf(base, other, ['removed', 'before', 'refBefore']),
  ]
}

/** A request with its outcome: what is in the query may be of one run. */
const withoutQuery = ({ key = '' }: ViewDifference): string => key.replace(/\?\S*/, '')

/** Of a request the method and the address, of an element all but its size. */
const nameOf = ({ key }: ViewEntry): string => key.replace(/ → .*$/s, '')

function isSame(difference: ViewDifference, noise: ViewDifference): boolean {
  if (difference.kind !== noise.kind) return false
  if (difference.kind === 'address' || difference.kind === 'title') return true
  if (difference.kind === 'request') return withoutQuery(difference) === withoutQuery(noise)
  return difference.key === noise.key
}

/** Whether lines are among those of one difference of the noise. An addition has its place before a line of the base. */
function createRanges(noise: readonly ViewDifference[], areAdditions: boolean) {
  const ranges = noise
    .filter(({ kind, change }) => kind === 'tree' && (change === 'added') === areAdditions)
    .map(({ from = 0, to = 0 }) => ({ from, to }))
    .toSorted((a, b) => a.from - b.from)
  // The end of the longest that begins there or before.
  let end = -1
  const ends = ranges.map(({ to }) => (end = Math.max(end, to)))
  return ({ from = 0, to = 0 }: ViewDifference): boolean => {
    let [low, high] = [0, ranges.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ranges[middle]?.from ?? 0) <= from) low = middle + 1
      else high = middle
    }
    return (ends[low - 1] ?? -1) >= (areAdditions ? from : to)
  }
}
