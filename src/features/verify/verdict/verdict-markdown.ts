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
import type { FileVerdict } from './file-verdict.ts'
import { formatPlace } from './verdict-answer.ts'
import { ageOf, summaryOf } from './verdict-words.ts'
import type { Verdict } from './verdict.ts'

/** `notes` are sentences beside it. */
export function verdictMarkdown(verdict: Verdict, now: number, notes: readonly string[] = []): string {
  const { files, claims, flows, errors, stale } = verdict
  return printMarkdown([
    heading(2, inline`verify: ${verdict.verdict}`),
    paragraph(inline`${summaryOf(verdict)}. Base: ${code(verdict.base)}.`),
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
      ['file', 'ran', 'partly', 'not run', 'not loaded', 'ground'],
      files.map((file) => rowOf(file, now)),
    ),
  ])
}

// --- internal ---

function rowOf(file: FileVerdict, now: number): readonly Content[] {
  const { ran, partly, notRun, notLoaded } = file
  return [
    code(file.file),
    ...[ran, partly, notRun, notLoaded].map((lines) => code(formatLines(lines))),
    groundOf(file, now),
  ]
}

/** By what each part of it is known, or what would tell. */
function groundOf(
  { seen, vouched, notSeen, notCounted, next, by, beside }: FileVerdict,
  now: number,
): Content {
  const reasons = [
    ...[seen, vouched && `vouched: ${vouched}`, notSeen && `not seen: ${notSeen}`],
    ...[notCounted && `not counted: ${notCounted}`, next && `next: ${next}`],
    ...beside.map(({ line, count }) => `line ${line} stands beside ${count} removed`),
  ].filter((reason) => reason !== undefined && reason !== '')
  const call = by ? inline`${code(by.call)} in ${code(by.session)}, ${ageOf(by.at, now)}` : ''
  return join([call, ...reasons.map((reason) => inline`${reason ?? ''}`)].filter(Boolean), '; ')
}
