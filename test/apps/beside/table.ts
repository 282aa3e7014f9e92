// What came out, side by side.

import { costOf, type Turn } from './agent.ts'

export interface Outcome {
  readonly turns: readonly Turn[]
  /** Whether the answers say what must be known. */
  readonly told: boolean
  /** Whether it is so on the page. */
  readonly true: boolean
  /** Why the agent could not go on. */
  readonly stopped?: string
}

/** A calm machine does not measure milliseconds better than this. */
const NOISE_MS = 150
const NOISE_TOKENS = 25

export function worse(own: Outcome, other: Outcome): string[] {
  const [mine, theirs] = [costOf(own.turns), costOf(other.turns)]
  if (!right(own)) return right(other) ? ['result'] : []
  if (!right(other)) return []
  return [
    ...(mine.turns > theirs.turns ? ['turns'] : []),
    ...(mine.tokens > theirs.tokens + NOISE_TOKENS ? ['tokens'] : []),
    ...(mine.ms > theirs.ms + NOISE_MS ? ['ms'] : []),
  ]
}

const right = ({ told, true: so, stopped }: Outcome) => told && so && stopped === undefined

function cell(outcome: Outcome): string {
  const { turns, bytes, tokens, ms } = costOf(outcome.turns)
  const last = outcome.turns.findLast(({ failed }) => failed)
  const result = right(outcome)
    ? 'right'
    : [
        ...(outcome.stopped === undefined ? [] : ['stopped']),
        ...(outcome.told ? [] : ['not told']),
        ...(outcome.true ? [] : [last === undefined ? 'SUCCESS WITHOUT EFFECT' : 'no effect']),
      ].join(', ')
  return `${result} · ${turns} · ${bytes} · ${tokens} · ${ms}`
}

export function tableOf(
  rows: readonly { readonly name: string; readonly own: Outcome; readonly other: Outcome }[],
): string {
  const head = ['step', 'footlight', '@playwright/mcp', 'footlight is worse in']
  const lines = rows.map(({ name, own, other }) => [
    name,
    cell(own),
    cell(other),
    worse(own, other).join(', ') || '-',
  ])
  return [
    'Each cell: result · turns · bytes · tokens of all answers · milliseconds in calls',
    '',
    ...[head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`),
  ].join('\n')
}
