// The builds that a server reports, from the lines that build tools print: webpack, Next, Angular, Rsbuild, esbuild, Vite, Hugo, tsc, Eleventy.

import { findErrors } from '../../core/base/text/error-lines.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'

export interface ReportedBuild {
  /** What its lines have in front, which tells the builds of one command apart. */
  readonly name: string
  /** Unix milliseconds; 0 if that is not known. */
  readonly beganAt: number
  /** Undefined while it runs. */
  readonly endedAt?: number
  readonly isFailed?: boolean
  /** All that was printed from the end of the one before. */
  readonly text: string
}

export interface ReportedFailure {
  readonly line: string
  /** All that was printed since then: the file may stand in another line. */
  readonly text: string
}

// Hugo reports the first build as built, further ones by their time; Nest and tsc that they watch again.
const COMPLETION_PATTERN =
  /\bcompiled\b|bundle generation complete|\bbuil(t|d) (in|complete|finished|succeeded|failed)|\brebuilt\b|\btotal in \d|\bfound \d+ errors?\b|\bwrote \d+ files? in/i
const START_PATTERN =
  /changes? detected|\brebuilding\b|\bcompiling\b|\bstarting (incremental )?compilation\b|\bbuilding\b/i
// Next compiles a route for a request, and reports only that.
const ROUTE_START_PATTERN = /\bcompiling \//i
const ROUTE_END_PATTERN = /^\W*(GET|POST) \/\S* \d{3} in /
const FAILURE_PATTERN = /\bwith \d* ?errors?\b|\bfailed\b|\b[1-9]\d* errors?\b/i
const DURATION_PATTERN = /(\d+(?:\.\d+)?)\s?(ms|s\b|sec)/i

/** Whether a server may compile a route when it is first requested: Next, which says so only after three seconds, or one that says so. */
export const compilesRoutes = (entries: readonly JournalEntry[]): boolean =>
  entries.some(({ text }) => /\bcompiling \/|\bnext\.js\b/i.test(text))

/** In order of their ends, the running one last. */
export function readBuilds(entries: readonly JournalEntry[]): readonly ReportedBuild[] {
  const builds: ReportedBuild[] = []
  let lines: string[] = []
  let start: JournalEntry | undefined
  for (const entry of entries) {
    lines.push(entry.text)
    const completion = COMPLETION_PATTERN.exec(entry.text)
    if (completion) {
      builds.push(endedBuild(entry, completion.index, start, lines.join('\n')))
      lines = []
      start = undefined
    } else if (START_PATTERN.test(entry.text)) start ??= entry
    else if (start && ROUTE_START_PATTERN.test(start.text) && ROUTE_END_PATTERN.test(entry.text))
      start = undefined
  }
  return start ? [...builds, { name: '', beganAt: start.at, text: lines.join('\n') }] : builds
}

/** The first error since a time, in Unix milliseconds, and since the last build that succeeded after it. */
export function readFailure(
  entries: readonly JournalEntry[],
  builds: readonly ReportedBuild[],
  changedAt: number,
): ReportedFailure | undefined {
  const success = builds.findLast(({ endedAt, isFailed = false }) => endedAt !== undefined && !isFailed)
  const since = Math.max(changedAt, success?.endedAt ?? 0)
  const lines = entries.filter(({ at }) => at > since).map(({ text }) => text)
  const [error] = findErrors(lines)
  if (!error) return undefined
  const line = error.position === undefined ? error.line : `${error.line} (${error.position})`
  return { line, text: lines.join('\n') }
}

// --- internal ---

function endedBuild(
  { at, text }: JournalEntry,
  nameEnd: number,
  start: JournalEntry | undefined,
  printed: string,
): ReportedBuild {
  const [, amount, unit = ''] = DURATION_PATTERN.exec(text.slice(nameEnd)) ?? []
  const duration = amount === undefined ? at : Number(amount) * (unit.toLowerCase() === 'ms' ? 1 : 1000)
  return {
    name: text
      .slice(0, nameEnd)
      .replace(/\d[\d.:]*/g, '#')
      .trim(),
    beganAt: start?.at ?? at - duration,
    endedAt: at,
    isFailed: FAILURE_PATTERN.test(text),
    text: printed,
  }
}
