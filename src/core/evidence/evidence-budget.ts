// Evidence is paid for with every failing call, so it is cut to a number of tokens: of each list first the best line, then the second
// best, until nothing more fits. What was left out is said, with the tool that reads it.

import { isErrorLine } from './error-lines.ts'
import { clip } from '../text/clip.ts'
import { estimateTokens } from './token-estimate.ts'

interface EvidenceList {
  readonly name: string
  /** What stands in place of lines that are left out. */
  readonly more?: string
  /** The indexes of the lines, the best first. */
  readonly order: (lines: readonly unknown[]) => readonly number[]
}

const MORE_PREFIX = '… more: '
const LINE_MINIMUM_TOKENS = 15

// In the order in which they are served. The timeline repeats much of the others, so it gets what they leave.
const rounds: readonly (readonly EvidenceList[])[] = [
  [
    { name: 'candidates', order: (lines) => [...lines.keys()] },
    { name: 'console', more: `${MORE_PREFIX}console_messages`, order: newestFirst },
    { name: 'stderr', more: `${MORE_PREFIX}read_server_logs`, order: causesFirst },
    { name: 'requests', more: `${MORE_PREFIX}network_requests`, order: newestFirst },
    { name: 'stdout', more: `${MORE_PREFIX}read_server_logs with logType stdout`, order: causesFirst },
  ],
  [{ name: 'timeline', more: `${MORE_PREFIX}timeline`, order: newestFirst }],
]

/** The evidence with its lists cut, so that all of it needs at most about `tokens`; the rest of it stays as it is. */
export function fitEvidence<T extends object>(evidence: T, tokens: number): T {
  if (tokenCostOf(evidence) <= tokens) return evidence
  const given = new Map(Object.entries(evidence))
  const lists = rounds.map((round) => round.flatMap((list) => createCursors(list, given.get(list.name))))
  const others = Object.entries(evidence).filter(([name]) => !lists.flat().some((list) => list.name === name))
  const reserved = lists.flat().reduce((sum, { name, more = '' }) => sum + tokenCostOf({ [name]: [more] }), 0)
  let left = tokens - tokenCostOf(Object.fromEntries(others)) - reserved
  for (const round of lists) left = fillRound(round, left)
  const kept = new Map<string, unknown>(lists.flat().map((cursor) => [cursor.name, selectedLines(cursor)]))
  const entries = [...given].map(([name, part]) => [name, kept.get(name) ?? part] as const)
  return Object.fromEntries(entries.filter(([, part]) => !Array.isArray(part) || part.length > 0)) as T
}

// --- internal ---

interface ListCursor extends EvidenceList {
  readonly lines: readonly unknown[]
  /** Whether it was cut before, which it says in the same words. */
  readonly wasCut: boolean
  readonly remaining: number[]
  readonly selected: Map<number, unknown>
}

function createCursors(list: EvidenceList, part: unknown): ListCursor[] {
  if (!Array.isArray(part) || part.length === 0) return []
  const wasCut = list.more !== undefined && part.at(-1) === list.more
  const lines = wasCut ? part.slice(0, -1) : part
  return [{ ...list, lines, wasCut, remaining: [...list.order(lines)], selected: new Map() }]
}

/** Takes one line of each list in turn; answers how many tokens are left. */
function fillRound(round: readonly ListCursor[], tokens: number): number {
  let left = tokens
  let open = round
  while (open.length > 0) {
    const costs = open.map(({ lines, remaining: [index] }) =>
      index === undefined ? 0 : tokenCostOf(lines[index]),
    )
    const isEnough = costs.reduce((sum, cost) => sum + cost, 0) <= left
    open = open.filter(({ lines, remaining, selected }, place) => {
      const index = remaining.shift()
      if (index === undefined) return false
      // Where not all of the best lines fit, none takes the room of the others.
      const line = fitLine(lines[index], isEnough ? left : left / (open.length - place))
      if (line === undefined) return false
      selected.set(index, line)
      left -= tokenCostOf(line)
      return line === lines[index]
    })
  }
  return left
}

// A text is cut where at least its beginning fits. It may be dearer than the rest of it.
function fitLine(line: unknown, tokens: number): unknown {
  const cost = tokenCostOf(line)
  if (cost <= tokens) return line
  if (typeof line !== 'string' || tokens < LINE_MINIMUM_TOKENS) return undefined
  const length = (line.length * tokens) / cost
  const cuts = [0.95, 0.8, 0.6].map((part) => clip(line, Math.floor(length * part)))
  return cuts.find((cut) => tokenCostOf(cut) <= tokens)
}

function selectedLines({ lines, selected, more, wasCut }: ListCursor): readonly unknown[] {
  const chosen = lines.flatMap((_, index) => (selected.has(index) ? [selected.get(index)] : []))
  const isWhole = !wasCut && lines.every((line, index) => selected.get(index) === line)
  return more === undefined || isWhole ? chosen : [...chosen, more]
}

const tokenCostOf = (part: unknown): number => estimateTokens(JSON.stringify(part)) + 1

function newestFirst(lines: readonly unknown[]): readonly number[] {
  return [...lines.keys()].toReversed()
}

function causesFirst(lines: readonly unknown[]): readonly number[] {
  const isNamed = (index: number) => isErrorLine(String(lines[index]).replace(/^-?[\d.]+ s /, ''))
  const newest = newestFirst(lines)
  return [...newest.filter(isNamed), ...newest.filter((index) => !isNamed(index))]
}
