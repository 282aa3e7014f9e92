// What a wait has seen on the way: the changes of one value, bounded.

import { clip } from '../text/clip.ts'

/** `at` is in milliseconds from the start of the wait. */
export interface Observation {
  readonly at: number
  readonly text: string
}

/** The first and the last changes; `omitted` counts those between. */
export interface ObservationLog {
  readonly first: readonly Observation[]
  readonly omitted: number
  readonly last: readonly Observation[]
}

export const EMPTY_LOG: ObservationLog = { first: [], omitted: 0, last: [] }

const FIRST_LIMIT = 3
const LAST_LIMIT = 2
const TEXT_LIMIT_CHARS = 100

/** What was observed last. */
export const latestText = ({ first, last }: ObservationLog): string | undefined =>
  (last.at(-1) ?? first.at(-1))?.text

/** The log with an observation added; one that repeats the last is not. */
export function addObservation(log: ObservationLog, { at, text: fullText }: Observation): ObservationLog {
  const text = clip(fullText, TEXT_LIMIT_CHARS)
  if (latestText(log) === text) return log
  const observation = { at, text }
  if (log.first.length < FIRST_LIMIT) return { ...log, first: [...log.first, observation] }
  const last = [...log.last, observation]
  const excess = last.length > LAST_LIMIT ? 1 : 0
  return { ...log, omitted: log.omitted + excess, last: last.slice(excess) }
}

/** The log in one line, such as `count 0 -> 2 after 300 ms, wanted 3`. */
export function describeLog(
  name: string,
  { first, omitted, last }: ObservationLog,
  expected: string,
): string {
  const [start, ...changes] = first
  if (!start) return `${name} unknown, wanted ${expected}`
  const describe = ({ at, text }: Observation) => `-> ${text} after ${Math.round(at)} ms`
  const omission = omitted > 0 ? [`-> ${omitted} more changes`] : []
  const path = [start.text, ...changes.map(describe), ...omission, ...last.map(describe)]
  return `${name} ${path.join(' ')}, wanted ${expected}`
}
