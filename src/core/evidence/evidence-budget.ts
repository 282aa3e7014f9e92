// Evidence is paid for with every failing call, so it is cut to a number of tokens: of each list first the best line, then the second
// best, until nothing more fits. Omitted lines are reported, with the tool that reads them.

import { isErrorLine } from './error-lines.ts'
import { clip } from '../text/clip.ts'
import { estimateTokens } from './token-estimate.ts'

interface EvidenceList {
  readonly name: string
  /** What stands in place of lines that are left out. */
  readonly omissionText?: string
  /** The indexes of the lines, the best first. */
  readonly order: (lines: readonly unknown[]) => readonly number[]
}

const OMISSION_PREFIX = '… more: '
const LINE_MINIMUM_TOKENS = 15

// In the order in which they are served. The timeline repeats much of the others, so it gets what they leave.
const rounds: readonly (readonly EvidenceList[])[] = [
  [
    { name: 'candidates', order: (lines) => [...lines.keys()] },
    { name: 'console', omissionText: `${OMISSION_PREFIX}console_messages`, order: orderNewestFirst },
    { name: 'stderr', omissionText: `${OMISSION_PREFIX}read_server_logs`, order: orderCausesFirst },
    { name: 'requests', omissionText: `${OMISSION_PREFIX}network_requests`, order: orderNewestFirst },
    {
      name: 'stdout',
      omissionText: `${OMISSION_PREFIX}read_server_logs with logType stdout`,
      order: orderCausesFirst,
    },
  ],
  [{ name: 'timeline', omissionText: `${OMISSION_PREFIX}timeline`, order: orderNewestFirst }],
]

/** The evidence with its lists cut, so that all of it needs at most about `tokens`; the rest of it stays as it is. */
export function fitEvidence<T extends object>(evidence: T, tokens: number): T {
  if (tokenCostOf(evidence) <= tokens) return evidence
  const parts = new Map(Object.entries(evidence))
  const lists = rounds.map((round) => round.flatMap((list) => createCursors(list, parts.get(list.name))))
  const otherEntries = Object.entries(evidence).filter(
    ([name]) => !lists.flat().some((list) => list.name === name),
  )
  const reservedTokens = lists
    .flat()
    .reduce((sum, { name, omissionText = '' }) => sum + tokenCostOf({ [name]: [omissionText] }), 0)
  let remainingTokens = tokens - tokenCostOf(Object.fromEntries(otherEntries)) - reservedTokens
  for (const round of lists) remainingTokens = fillRound(round, remainingTokens)
  const fittedParts = new Map<string, unknown>(
    lists.flat().map((cursor) => [cursor.name, selectedLinesOf(cursor)]),
  )
  const entries = [...parts].map(([name, part]) => [name, fittedParts.get(name) ?? part] as const)
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
  const wasCut = list.omissionText !== undefined && part.at(-1) === list.omissionText
  const lines = wasCut ? part.slice(0, -1) : part
  return [{ ...list, lines, wasCut, remaining: [...list.order(lines)], selected: new Map() }]
}

/** Takes one line of each list in turn; answers how many tokens are left. */
function fillRound(round: readonly ListCursor[], tokens: number): number {
  let remainingTokens = tokens
  let openCursors = round
  while (openCursors.length > 0) {
    const costs = openCursors.map(({ lines, remaining: [index] }) =>
      index === undefined ? 0 : tokenCostOf(lines[index]),
    )
    const isEnough = costs.reduce((sum, cost) => sum + cost, 0) <= remainingTokens
    openCursors = openCursors.filter(({ lines, remaining, selected }, position) => {
      const index = remaining.shift()
      if (index === undefined) return false
      // Where not all of the best lines fit, none takes the room of the others.
      const line = fitLine(
        lines[index],
        isEnough ? remainingTokens : remainingTokens / (openCursors.length - position),
      )
      if (line === undefined) return false
      selected.set(index, line)
      remainingTokens -= tokenCostOf(line)
      return line === lines[index]
    })
  }
  return remainingTokens
}

// A text is cut where at least its beginning fits. It may be dearer than the rest of it.
function fitLine(line: unknown, tokens: number): unknown {
  const cost = tokenCostOf(line)
  if (cost <= tokens) return line
  if (typeof line !== 'string' || tokens < LINE_MINIMUM_TOKENS) return undefined
  const length = (line.length * tokens) / cost
  const clippedLines = [0.95, 0.8, 0.6].map((part) => clip(line, Math.floor(length * part)))
  return clippedLines.find((clippedLine) => tokenCostOf(clippedLine) <= tokens)
}

function selectedLinesOf({ lines, selected, omissionText, wasCut }: ListCursor): readonly unknown[] {
  const selection = lines.flatMap((_, index) => (selected.has(index) ? [selected.get(index)] : []))
  const isWhole = !wasCut && lines.every((line, index) => selected.get(index) === line)
  return omissionText === undefined || isWhole ? selection : [...selection, omissionText]
}

const tokenCostOf = (part: unknown): number => estimateTokens(JSON.stringify(part)) + 1

function orderNewestFirst(lines: readonly unknown[]): readonly number[] {
  return [...lines.keys()].toReversed()
}

function orderCausesFirst(lines: readonly unknown[]): readonly number[] {
  const isCause = (index: number) => isErrorLine(String(lines[index]).replace(/^-?[\d.]+ s /, ''))
  const newestFirst = orderNewestFirst(lines)
  return [...newestFirst.filter(isCause), ...newestFirst.filter((index) => !isCause(index))]
}
