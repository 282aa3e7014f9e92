import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer'
import {
  type Comparison,
  limitComparison,
  summarize,
} from '../../../src/features/compare/differences/comparison.ts'

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

test('a step with hundreds of differences leaves room for those after it', () => {
  const line = (index: number) => ({
    kind: 'tree' as const,
    change: 'changed' as const,
    text: `text: Row ${index} of the table, 3,99 €`,
    file: 'src/table.tsx',
    line: index,
    inDiff: true,
  })
  const step = (number: number, count: number) => ({
    step: number,
    title: `click ${number}`,
    url: '/',
    differences: list(count, line),
  })
  const { steps } = limitComparison({
    base: 'HEAD',
    current: 'the work tree',
    stepCount: 3,
    unexplained: 0,
    steps: [step(1, 300), step(2, 1), step(3, 40)],
    masked: [],
    expect: [],
    notes: [],
  })
  expect(steps.map(({ step: number }) => number)).toEqual([1, 2, 3])
  expect(steps[0]?.differences.length).toBeGreaterThan(3)
})

test('what is less than a proof is neither "nothing differs" nor "all in the diff"', () => {
  const difference = { kind: 'tree' as const, change: 'added' as const, text: 'x', inDiff: true }
  const one = [{ step: 1, title: 'navigate /', url: '/', differences: [difference] }]
  const sum = (steps: Comparison['steps'], unproven: readonly string[]) =>
    summarize({ steps, stepCount: 2, unproven, masked: [] })
  expect(sum([], [])).toBe('Nothing differs for a user in 2 steps.')
  const masked = [{ step: 1, what: 'pixels', why: 'no picture' }]
  expect(summarize({ steps: [], stepCount: 2, masked })).toBe(
    'Nothing differs for a user in 2 steps, apart from what is masked.',
  )
  expect(sum([], ['x'])).toBe('No difference was seen in 2 steps.')
  expect(sum(one, [])).toBe('1 difference in 1 of 2 steps; all are in the diff.')
  expect(sum(one, ['x'])).toBe('1 difference in 1 of 2 steps was seen.')
  const unknown = { ...difference, inDiff: undefined }
  const many = [{ ...difference, inDiff: false }, { ...difference, isOutside: true as const }, unknown]
  expect(sum([{ step: 1, title: '', url: '', differences: many }], ['x'])).toBe(
    '3 differences in 1 of 2 steps; 1 NOT in the diff, 1 outside of what is meant to change, 1 of a cause that is not known.',
  )
})
