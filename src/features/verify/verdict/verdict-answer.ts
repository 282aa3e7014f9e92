// A verdict as the structured answer of the tool.

import type { FlowVerdict, Place } from '../flows/judge-flows.ts'
import { formatLines } from '../ledger/line-ranges.ts'
import type { FileVerdict } from './file-verdict.ts'
import { ageOf, summaryOf } from './verdict-words.ts'
import type { Verdict } from './verdict.ts'

export type VerdictAnswer = ReturnType<typeof answerOf>

/** `now` is in Unix milliseconds; ages count to it. */
export function answerOf(verdict: Verdict, now: number) {
  const { verdict: word, base, files, claims, flows, errors, stale } = verdict
  return {
    verdict: word,
    message: summaryOf(verdict),
    base,
    files: files.map((file) => fileAnswerOf(file, now)),
    claims: [...claims],
    flows: flows.map((flow) => flowAnswerOf(flow, now)),
    errors: errors.map(({ file, line, name, at, isBlank }) => {
      const effect = isBlank ? ', which left the page blank' : ''
      return `${file}:${line} ${name}${effect} (${ageOf(at, now)})`
    }),
    stale: [...stale],
  }
}

export const formatPlace = ({ file, lines }: Place): string =>
  lines.length === 0 ? file : `${file}:${formatLines(lines)}`

// --- internal ---

const fileAnswerOf = ({ ran, partly, notRun, notLoaded, beside, by, ...rest }: FileVerdict, now: number) => ({
  ...rest,
  ran: rangesOf(ran),
  partly: rangesOf(partly),
  notRun: rangesOf(notRun),
  notLoaded: rangesOf(notLoaded),
  beside: beside.map(
    ({ line, count }) => `${line} (beside ${count} removed ${count === 1 ? 'line' : 'lines'})`,
  ),
  by: by && `${by.call}, ${ageOf(by.at, now)}`,
})

const flowAnswerOf = ({ path, touches, verdict, at }: FlowVerdict, now: number) => ({
  ...{ path, verdict, touches: touches.map(formatPlace) },
  at: at === undefined ? undefined : ageOf(at, now),
})

const rangesOf = (lines: readonly number[]): string[] => formatLines(lines).split(',').filter(Boolean)
