import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer'
import { limitComparison, type Comparison } from '../../../src/core/comparison/comparison.ts'

const text = (index: number) =>
  `button "Add {${index}} Ökologische Äpfel, 1.5 kg – 3,99 €/kg" [disabled] https://example.org/a?b=${index * 7919}`.repeat(
    3,
  )
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

test('the largest comparison has at most 1,300 tokens; what is left out is counted', () => {
  const comparison: Comparison = {
    base: text(1),
    current: text(2),
    stepCount: 50,
    unexplained: 3,
    steps: list(50, (step) => ({
      step,
      title: text(step),
      url: text(step),
      differences: list(30, (index) => ({
        kind: 'tree' as const,
        change: 'changed' as const,
        text: text(index),
        elements: list(9, text),
        box: [index, 1, 2, 3] as const,
        file: `src/components/items/page-${index}.tsx`,
        line: index,
        inDiff: true,
      })),
    })),
    masked: list(200, (step) => ({
      step,
      what: text(step),
      why: 'differs between two runs of the base too',
    })),
    expect: list(20, (index) => ({ check: text(index), base: false, current: true })),
    notes: list(40, text),
  }
  const { notes, steps, ...rest } = limitComparison(comparison)
  expect(rest.expect).toHaveLength(20)
  const shown = steps.flatMap(({ differences }) => differences).length
  expect(notes.at(-1)).toBe(`In the files: ${1500 - shown} more differences, 196 more masked, 37 more notes.`)
  expect(countTokens(JSON.stringify({ notes, steps, ...rest }))).toBeLessThan(1300)
  const few = limitComparison({ ...comparison, expect: [], masked: [], notes: [] })
  expect(few.steps[0]?.differences.length).toBeGreaterThan(4)
  expect(countTokens(JSON.stringify(few))).toBeLessThan(1300)
})
