// Whether lines of a snapshot are there: in their order, each below the lines that it is indented below. Other lines may lie between them.

import type { ExpectedLine } from '../base/action.ts'
import { clip } from '../base/text/clip.ts'
import { computeEditDistance } from '../base/text/closest-name.ts'
import { unescapeInvisible } from '../base/text/invisible-characters.ts'
import type { SnapshotLine } from '../sessions/types/snapshot.ts'
import { compactLines, SIBLING_ROLES } from './compact-lines.ts'

type LineSearch =
  | { readonly isFound: true }
  /** `missing` is the first line that is nowhere, or undefined if only their order or nesting differs. */
  | { readonly isFound: false; readonly missing?: string }

/** The lines of a text, without refs, list markers and what a snapshot says about omitted lines. */
export function parseExpectedLines(text: string): readonly ExpectedLine[] {
  return text.split('\n').flatMap((line) => {
    const content = normalizeLine(unescapeInvisible(line).replace(/^\s*(?:- )?/, ''))
    if (content === '' || content.startsWith('…')) return []
    return [{ depth: /^\s*/.exec(line.replaceAll('\t', '  '))?.[0].length ?? 0, text: content }]
  })
}

/** Searches the expected lines. Texts are compared without refs; a URL is compared only where the expected line has one. */
export function findLines(expected: readonly ExpectedLine[], lines: readonly SnapshotLine[]): LineSearch {
  const ends = subtreeEndsOf(lines)
  const positions = indexTexts(lines)
  const positionsOf = ({ text }: ExpectedLine) => positions.get(text) ?? []
  const missing = expected.find((line) => positionsOf(line).length === 0)
  if (missing) return { isFound: false, missing: missing.text }
  const children = childrenOf(expected)
  const matches = new Map<number, Matches>()
  // Bottom up: at which positions the line matches together with all lines below it.
  for (let index = expected.length - 1; index >= 0; index -= 1) {
    const below = (children.get(index) ?? []).map((child) => matches.get(child) ?? NO_MATCHES)
    matches.set(index, matchesOf(positionsOf(expected[index] as ExpectedLine), below, ends))
  }
  const top = (children.get(ROOT) ?? []).map((child) => matches.get(child) ?? NO_MATCHES)
  return placeInOrder(top, 0, lines.length) === undefined ? { isFound: false } : { isFound: true }
}

/** What is wrong with the result of a search, in a sentence without its end. */
export function describeSearch(search: LineSearch, lines: readonly SnapshotLine[], not: boolean): string {
  if (search.isFound) return not ? 'aria: the lines are still there' : 'aria: the lines are there'
  if (search.missing === undefined) return 'aria: all lines are there, but not in this order and nesting'
  const closest = findClosestLine(search.missing, lines)
  const line = (text: string) => clip(text, LINE_LIMIT_CHARS)
  return `aria: no line ${line(search.missing)}${closest === undefined ? '' : `; closest: ${line(closest)}`}`
}

/** A line of a snapshot for comparison. */
const normalizeLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(refAndPlace, '$1')
    .replace(joinedLine, (line) => line.replace(unquotedRef, '$1'))
    .replace(/ in row "(?:[^"\\]|\\.)*"$/, '')

// --- internal ---

/** The ref of a line, with what a snapshot says of its block and of the focus. */
const refAndPlace =
  /^(\S+(?: "(?:[^"\\]|\\.)*")?) \[(?:ref=)?(?:f\d+)?e\d+\](?: in (?:row )?"(?:[^"\\]|\\.)*")?(?: focused)?(?= |:|$)/

/** A line that may have several elements, each with its ref. */
const joinedLine = new RegExp(`^(?:row|${SIBLING_ROLES})\\b.*[|,;].*$`)
const unquotedRef = /("(?:[^"\\]|\\.)*")| \[(?:ref=)?(?:f\d+)?e\d+\](?: focused)?/g

const LINE_LIMIT_CHARS = 120
/** The maximum number of lines that are compared letter by letter. */
const COMPARISON_LIMIT_LINES = 300

// Only lines with the same role are compared.
function findClosestLine(expected: string, lines: readonly SnapshotLine[]): string | undefined {
  const [role] = /^[\w-]+/.exec(expected) ?? []
  const scored = [...compactLines(lines).filter(({ isJoined }) => isJoined), ...lines]
    .filter((line) => line.role === role)
    .slice(0, COMPARISON_LIMIT_LINES)
    .map(({ text }) => {
      const line = normalizeLine(text)
      return {
        line,
        distance: computeEditDistance(clip(expected, LINE_LIMIT_CHARS), clip(line, LINE_LIMIT_CHARS)),
      }
    })
  return scored.toSorted((a, b) => a.distance - b.distance)[0]?.line
}

const ROOT = -1

/** Positions in ascending order, and of each the position of the last line that the match needs. */
interface Matches {
  readonly at: readonly number[]
  readonly lastOf: ReadonlyMap<number, number>
}

const NO_MATCHES: Matches = { at: [], lastOf: new Map() }

// A joined line stands where the first of its lines does.
function indexTexts(lines: readonly SnapshotLine[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>()
  const add = (text: string, index: number) => {
    const known = positions.get(text)
    if (known) known.push(index)
    else positions.set(text, [index])
  }
  const joinedLines = compactLines(lines).filter(({ isJoined }) => isJoined)
  const joinedTexts = new Map(joinedLines.map(({ key, text }) => [key, normalizeLine(text)]))
  for (const [index, line] of lines.entries()) {
    const text = normalizeLine(line.text)
    const joinedText = joinedTexts.get(line.key)
    add(text, index)
    if (joinedText !== undefined && joinedText !== text) add(joinedText, index)
    const urlAt = text.lastIndexOf(' → ')
    if (urlAt > 0) add(text.slice(0, urlAt), index)
  }
  return positions
}

// For each line the index after its last descendant.
function subtreeEndsOf(lines: readonly { readonly depth: number }[]): readonly number[] {
  const ends = lines.map(() => lines.length)
  const open: number[] = []
  for (const [index, { depth }] of lines.entries()) {
    while (open.length > 0 && (lines[open.at(-1) as number]?.depth ?? 0) >= depth)
      ends[open.pop() as number] = index
    open.push(index)
  }
  return ends
}

function childrenOf(expected: readonly ExpectedLine[]): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>()
  const open: number[] = []
  for (const [index, { depth }] of expected.entries()) {
    while (open.length > 0 && (expected[open.at(-1) as number]?.depth ?? 0) >= depth) open.pop()
    const parent = open.at(-1) ?? ROOT
    children.set(parent, [...(children.get(parent) ?? []), index])
    open.push(index)
  }
  return children
}

function matchesOf(
  positions: readonly number[],
  below: readonly Matches[],
  ends: readonly number[],
): Matches {
  const lastOf = new Map<number, number>()
  for (const position of positions) {
    const last = placeInOrder(below, position + 1, ends[position] ?? 0)
    if (last !== undefined) lastOf.set(position, Math.max(position, last))
  }
  return { at: [...lastOf.keys()], lastOf }
}

// Places each of the parts after the lines of the one before, and before `end`; the earliest place also ends earliest. The position of the
// last line that is needed, or undefined if they do not fit.
function placeInOrder(parts: readonly Matches[], from: number, end: number): number | undefined {
  let last = from - 1
  for (const { at, lastOf } of parts) {
    const position = at[firstIndexAbove(at, last)]
    if (position === undefined || position >= end) return undefined
    last = lastOf.get(position) ?? position
  }
  return last
}

function firstIndexAbove(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}
