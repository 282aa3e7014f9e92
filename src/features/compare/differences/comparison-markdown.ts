// A comparison as Markdown for a pull request: a table of what changed, and the pictures beside it.

import {
  code,
  type Content,
  heading,
  inline,
  list,
  paragraph,
  picture,
  printMarkdown,
  table,
} from '../../lib/markdown/print-markdown.ts'
import {
  causeOf,
  type Comparison,
  countCauses,
  type Difference,
  placeOf,
  type StepDifferences,
  summarize,
} from './comparison.ts'

const ROW_LIMIT = 40
const PICTURE_LIMIT = 6

/** `pictures` has the file names of the pictures of each step. */
export function comparisonMarkdown(
  comparison: Comparison,
  pictures: ReadonlyMap<number, { readonly base: string; readonly current: string }>,
): string {
  const { base, current, steps, masked, expect, unproven = [], notes } = comparison
  const rows = steps.flatMap((step) => step.differences.map((difference) => rowOf(step, difference)))
  const pictured = steps.filter(({ step }) => pictures.has(step)).slice(0, PICTURE_LIMIT)
  return printMarkdown([
    heading(2, inline`${code(base)} → ${code(current)}`),
    ...unproven.map(paragraph),
    paragraph(rows.length === 0 ? summarize(comparison) : countsOf(comparison)),
    table(
      ['expected', 'base', 'current'],
      expect.map(({ check, base: before, current: now }) => [code(check), markOf(before), markOf(now)]),
    ),
    table(['step', 'what changed', 'by'], rows.slice(0, ROW_LIMIT)),
    rows.length > ROW_LIMIT ? paragraph(`${rows.length - ROW_LIMIT} more are in the HTML file.`) : undefined,
    ...pictured.flatMap(({ step, title }) => {
      const { base: before = '', current: after = '' } = pictures.get(step) ?? {}
      return [
        paragraph(inline`Step ${step}: ${code(title)}`),
        table(['base', 'current'], [[picture(before, 'base'), picture(after, 'current')]]),
      ]
    }),
    list([
      ...masked.map(({ step, what, why }) => inline`masked in step ${step}: ${code(what)} (${why})`),
      ...notes,
    ]),
  ])
}

// --- internal ---

function countsOf({ steps, stepCount, unproven = [] }: Comparison): Content {
  const count = steps.reduce((sum, { differences }) => sum + differences.length, 0)
  const noun = count === 1 ? 'difference' : 'differences'
  const causes = countCauses({ steps, unproven })
  return inline`${count} ${noun} for a user in ${steps.length} of ${stepCount} steps${causes && inline`; ${causes}`}.`
}

const markOf = (holds: boolean): string => (holds ? 'yes' : 'no')

function rowOf({ step, title }: StepDifferences, difference: Difference): readonly Content[] {
  const { kind, change, text, box, elements = [] } = difference
  const area = box && `${box[2]} × ${box[3]} pixels at ${box[0]},${box[1]}`
  const inside = elements.length > 0 ? `in ${elements.join(', ')}` : undefined
  const what = [text, area, inside].filter(Boolean).join(' ')
  const place = placeOf(difference) && code(placeOf(difference))
  const cause = causeOf(difference)
  return [
    inline`${step} ${code(title)}`,
    inline`${kind} ${change}: ${code(what)}`,
    inline`${place}${place && cause && ' '}${cause && inline`**${cause}**`}`,
  ]
}
