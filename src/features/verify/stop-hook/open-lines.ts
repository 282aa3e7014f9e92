import { answerOf } from '../verdict/verdict-answer.ts'
import { linesOfVerdict } from '../verdict/verdict-lines.ts'
import type { Verdict } from '../verdict/verdict.ts'

/** The lines of a verdict that say what did not run or failed; none where nothing did. What cannot be counted is no reason to go on. */
export function openLinesOf(verdict: Verdict, now: number): readonly string[] {
  const { files, errors } = verdict
  const isOpen =
    errors.length > 0 || files.some(({ notRun, notLoaded }) => notRun.length + notLoaded.length > 0)
  if (!isOpen) return []
  const [summary = '', ...rows] = linesOfVerdict(answerOf(verdict, now))
  return [summary, ...rows.filter((row) => OPEN_ROW.test(row))]
}

// --- internal ---

const OPEN_ROW = /^ (not run|not loaded|errors) /
