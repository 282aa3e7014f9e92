// The state of a build, from the lines that build tools print: webpack, Next, Angular, Rsbuild, esbuild, Vite, Hugo.

import { findErrors } from '../../core/base/text/error-lines.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'

export interface BuildState {
  /** When the last build ended, in Unix milliseconds; undefined if the server reports no builds. */
  readonly completedAt: number | undefined
  /** When the last build that was reported began. */
  readonly begunAt?: number | undefined
  /** Whether a build has begun and not ended. */
  readonly isRunning: boolean
  /** The line that says why the build after the last change failed. */
  readonly failure: string | undefined
}

// Hugo reports the first build as built, further ones by their time.
const COMPLETION_PATTERN =
  /\bcompiled\b|bundle generation complete|\bbuil(t|d) (in|complete|finished|succeeded)|\brebuilt\b|\btotal in \d|\bready in \d/i
// Vite is ready once, and builds nothing then.
const READY_PATTERN = /\bready in \d/i
const START_PATTERN = /changes detected|\brebuilding\b|\bcompiling\b/i
const FAILURE_PATTERN = /\bwith \d* ?errors?\b|\bfailed\b/i

/** Whether a server may compile a route when it is first requested: Next, which says so only after three seconds, or one that says so. */
export const compilesRoutes = (entries: readonly JournalEntry[]): boolean =>
  entries.some(({ text }) => /\bcompiling \/|\bnext\.js\b/i.test(text))

/** `changedAt` is the time of the newest change of a source file, in Unix milliseconds. */
export function readBuildState(entries: readonly JournalEntry[], changedAt: number): BuildState {
  const completion = entries.findLast(({ text }) => COMPLETION_PATTERN.test(text))
  const start = entries.findLast(({ text }) => START_PATTERN.test(text))
  const isSuccess = completion && !FAILURE_PATTERN.test(completion.text)
  const since = Math.max(changedAt, isSuccess ? completion.at : 0)
  const [error] = findErrors(entries.filter(({ at }) => at > since).map(({ text }) => text))
  const failure = error && (error.position === undefined ? error.line : `${error.line} (${error.position})`)
  return {
    completedAt: completion && !READY_PATTERN.test(completion.text) ? completion.at : undefined,
    begunAt: start?.at,
    isRunning: (start?.seq ?? 0) > (completion?.seq ?? 0) && failure === undefined,
    failure,
  }
}
