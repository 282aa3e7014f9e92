// What can be required of an element, with the meaning that the assertions of Playwright have.

import type { ElementCheck } from '../base/action.ts'
import { clip } from '../base/text/clip.ts'

/** Whether the check is met by what is not there, so that one look is not enough: the page may be between two states. */
export const isNegative = (check: ElementCheck, not: boolean): boolean =>
  not ||
  (check.kind === 'count' && check.count === 0) ||
  (check.kind === 'state' && (check.state === 'hidden' || check.state === 'detached'))

/** What is waited for, such as `to be visible and to have value "a"`. */
export const describeChecks = (checks: readonly ElementCheck[], not: boolean): string =>
  checks.map((check) => `${not ? 'not ' : ''}${infinitiveOf(check)}`).join(' and ')

/** What a check observes, and the value that it wants, such as `count` and `3`. */
export function expectationOf(check: ElementCheck): { readonly name: string; readonly expected: string } {
  if (check.kind === 'state') return { name: 'state', expected: check.state }
  if (check.kind === 'count') return { name: 'count', expected: String(check.count) }
  return check.kind === 'value'
    ? { name: 'value', expected: JSON.stringify(check.value) }
    : { name: 'text', expected: JSON.stringify(check.text) }
}

function infinitiveOf(check: ElementCheck): string {
  const { name, expected } = expectationOf(check)
  if (check.kind === 'state') return `to be ${expected}`
  return check.kind === 'text' ? `to contain the text ${expected}` : `to have ${name} ${expected}`
}

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
const OBSERVATION_LIMIT_CHARS = 100

/** What was observed last. */
export const latestText = ({ first, last }: ObservationLog): string | undefined =>
  (last.at(-1) ?? first.at(-1))?.text

/** The log with an observation added; one that repeats the last is not. */
export function addObservation(log: ObservationLog, { at, text: fullText }: Observation): ObservationLog {
  const text = clip(fullText, OBSERVATION_LIMIT_CHARS)
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
