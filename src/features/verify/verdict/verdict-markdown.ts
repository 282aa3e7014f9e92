// A verdict as Markdown, all of it, as a pull request shows it.

import {
  code,
  type Content,
  heading,
  inline,
  join,
  list,
  paragraph,
  printMarkdown,
  table,
} from '../../lib/markdown/print-markdown.ts'
import { formatLines } from '../ledger/line-ranges.ts'
import { formatPlace } from './verdict-answer.ts'
import { ageOf, lineSummaryOf, summaryOf } from './verdict-words.ts'
import { type FileVerdict, type Verdict } from './verdict.ts'

/** `notes` are sentences beside it. */
export function verdictMarkdown(verdict: Verdict, now: number, notes: readonly string[] = []): string {
  const { files, claims, flows, errors, stale } = verdict
  return printMarkdown([
    heading(2, inline`verify: ${verdict.verdict}`),
    paragraph(inline`${summaryOf(verdict)}; ${lineSummaryOf(verdict)}. Base: ${code(verdict.base)}.`),
    list([
      ...[...stale, ...notes],
      ...errors.map(({ file, line, name, isBlank }) => {
        const effect = isBlank ? inline`, which left the page blank` : ''
        return inline`${code(`${file}:${line}`)} ${code(name)}${effect}`
      }),
    ]),
    table(
      ['claim', 'verdict', 'seen'],
      claims.map(({ say, verdict: word, seen = '' }) => [say, word, seen]),
    ),
    table(
      ['flow', 'touches', 'verdict', 'ran'],
      flows.map(({ path, touches, verdict: word, at }) => [
        ...[code(path), join(touches.map(formatPlace).map(code), ', '), word],
        at === undefined ? '' : ageOf(at, now),
      ]),
    ),
    table(
      ['file', 'ran', 'partly', 'not run', 'not loaded', 'by'],
      files.map((file) => rowOf(file, now)),
    ),
  ])
}

// --- internal ---

function rowOf(
  { file, ran, partly, notRun, notLoaded, notSeen, by }: FileVerdict,
  now: number,
): readonly Content[] {
  if (notSeen !== undefined) return [code(file), inline`not seen: ${notSeen}`, '', '', '', '']
  const call = by ? inline`${code(by.call)} in ${code(by.session)}, ${ageOf(by.at, now)}` : ''
  return [code(file), ...[ran, partly, notRun, notLoaded].map((lines) => code(formatLines(lines))), call]
}
