// Limits the evidence of a failure to a number of tokens: one line of each list in turn, the most relevant first, until nothing more
// fits. Omitted lines are reported with the tool that reads them.

import { clip } from '../../base/text/clip.ts'
import { isErrorLine } from '../../base/text/error-lines.ts'
import { estimateTokens } from '../../base/token-estimate.ts'

interface EvidenceList {
  readonly name: string
  /** Replaces omitted lines. */
  readonly omissionText?: string
  /** The indexes of the lines, the most relevant first. */
  readonly order: (lines: readonly unknown[]) => readonly number[]
}

const OMISSION_PREFIX = '… more: '
const LINE_MINIMUM_TOKENS = 15

// In order of priority. The timeline has what is no error, so it gets the remaining tokens.
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

/** The evidence with its lists shortened, so that all of it needs at most about `tokens`; other fields are unchanged. */
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
  /** Whether it was shortened before and ends with the omission text already. */
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

/** Takes one line of each list in turn; returns the number of remaining tokens. */
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
      // If not all of these lines fit, each gets an equal share.
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

// A string is clipped if at least its beginning fits. The beginning may cost more tokens per character than the rest.
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
