// A verdict as Markdown, all of it, as a pull request shows it.

import { formatLines } from '../ledger/line-ranges.ts'
import { formatPlace } from './verdict-answer.ts'
import { ageOf, lineSummaryOf, summaryOf } from './verdict-words.ts'
import { type FileVerdict, type Verdict } from './verdict.ts'

/** `notes` are sentences beside it. */
export function verdictMarkdown(verdict: Verdict, now: number, notes: readonly string[] = []): string {
  const { files, claims, flows, errors, stale } = verdict
  const sections = [
    `## verify: ${verdict.verdict}`,
    `${summaryOf(verdict)}; ${lineSummaryOf(verdict)}. Base: ${code(verdict.base)}.`,
    [...stale, ...notes].map((sentence) => `- ${sentence.replace(/[\r\n]+/g, ' ')}`).join('\n'),
    errors.length > 0 &&
      errors
        .map(
          ({ file, line, name, isBlank }) =>
            `- ${code(`${file}:${line}`)} ${name}${isBlank ? ', which left the page blank' : ''}`,
        )
        .join('\n'),
    claims.length > 0 &&
      table(
        ['claim', 'verdict', 'seen'],
        claims.map(({ say, verdict: word, seen = '' }) => [say, word, seen]),
      ),
    flows.length > 0 &&
      table(
        ['flow', 'touches', 'verdict', 'ran'],
        flows.map(({ path, touches, verdict: word, at }) => [
          ...[code(path), touches.map(formatPlace).join(', '), word],
          at === undefined ? '' : ageOf(at, now),
        ]),
      ),
    files.length > 0 &&
      table(
        ['file', 'ran', 'partly', 'not run', 'not loaded', 'by'],
        files.map((file) => rowOf(file, now)),
      ),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

// --- internal ---

function rowOf(
  { file, ran, partly, notRun, notLoaded, notSeen, by }: FileVerdict,
  now: number,
): readonly string[] {
  if (notSeen !== undefined) return [code(file), `not seen: ${notSeen}`, '', '', '', '']
  const call = by ? `${by.call} in ${by.session}, ${ageOf(by.at, now)}` : ''
  return [code(file), ...[ran, partly, notRun, notLoaded].map((lines) => formatLines(lines)), call]
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n')

const cellOf = (text: string): string =>
  text
    .replace(/[\r\n]+/g, ' ')
    .replace(/([|\\<>[\]*_`])/g, '\\$1')
    .replace(/\\`([^`]*)\\`/g, '`$1`')

/** As code, without what would end it. */
const code = (text: string): string => `\`${text.replace(/[`\r\n]/g, '')}\``
