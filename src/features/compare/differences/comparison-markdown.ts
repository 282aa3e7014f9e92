// A comparison as Markdown for a pull request: a table of what changed, and the pictures beside it. What a page said stands in code only.

import { codeOf } from '../../lib/html/render-markdown.ts'
import { type Comparison, type Difference, type StepDifferences, summarize } from './comparison.ts'

const ROW_LIMIT = 40
const PICTURE_LIMIT = 6

/** `pictures` has the file names of the pictures of each step. */
export function comparisonMarkdown(
  comparison: Comparison,
  pictures: ReadonlyMap<number, { readonly base: string; readonly current: string }>,
): string {
  const { base, current, steps, stepCount, unexplained, masked, expect, unproven = [], notes } = comparison
  const rows = steps.flatMap((step) => step.differences.map((difference) => rowOf(step, difference)))
  const all = unproven.length === 0 ? ['all of them are in the diff'] : []
  const counts = [
    `${rows.length} ${rows.length === 1 ? 'difference' : 'differences'} for a user in ${steps.length} of ${stepCount} steps`,
    ...(unexplained === 0 ? all : [`**${unexplained} not in the diff**`]),
  ]
  const pictured = steps.filter(({ step }) => pictures.has(step)).slice(0, PICTURE_LIMIT)
  const lines = [
    `## ${codeOf(base)} → ${codeOf(current)}`,
    '',
    ...unproven.flatMap((text) => [codeOf(text), '']),
    rows.length === 0 ? summarize(comparison) : `${counts.join(', ')}.`,
    '',
    ...(expect.length > 0
      ? [
          '| expected | base | current |',
          '| --- | --- | --- |',
          ...expect.map(
            ({ check, base: before, current: now }) =>
              `| ${cellOf(check)} | ${markOf(before)} | ${markOf(now)} |`,
          ),
          '',
        ]
      : []),
    ...(rows.length > 0
      ? ['| step | what changed | by |', '| --- | --- | --- |', ...rows.slice(0, ROW_LIMIT), '']
      : []),
    ...(rows.length > ROW_LIMIT ? [`${rows.length - ROW_LIMIT} more are in the HTML file.`, ''] : []),
    ...pictured.flatMap(({ step, title }) => {
      const files = pictures.get(step)
      return files
        ? [
            `${step}. ${codeOf(title)}`,
            '',
            '| base | current |',
            '| --- | --- |',
            `| ![base](${files.base}) | ![current](${files.current}) |`,
            '',
          ]
        : []
    }),
    ...masked.map(({ step, what, why }) => `- masked in step ${step}: ${codeOf(what)} (${why})`),
    ...notes.map((note) => `- ${codeOf(note)}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

// --- internal ---

// A bar would end the cell, also in code.
const cellOf = (text: string): string => codeOf(text).replaceAll('|', '\\|')

const markOf = (holds: boolean): string => (holds ? 'yes' : 'no')

function rowOf(
  { step, title }: StepDifferences,
  { kind, change, text, box, elements, file, line, inDiff }: Difference,
): string {
  const area = box && `${box[2]} × ${box[3]} pixels at ${box[0]},${box[1]}`
  const inside = elements && elements.length > 0 ? `in ${elements.join(', ')}` : undefined
  const what = [text, area, inside].filter(Boolean).join(' ')
  const place = file === undefined ? '' : cellOf(line === undefined ? file : `${file}:${line}`)
  const origin = inDiff ? place : `${place} **not in the diff**`.trim()
  return `| ${step} ${cellOf(title)} | ${kind} ${change}: ${cellOf(what)} | ${origin} |`
}
