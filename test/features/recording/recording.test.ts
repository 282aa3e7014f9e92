import { expect, test } from 'bun:test'
import type { RecordedStep } from '../../../src/core/sessions/types/recorded-step.ts'
import { createRecording } from '../../../src/features/recording/recording.ts'
import { nameSecrets } from '../../../src/features/save-test/code/name-secrets.ts'
import { bodyOf, field, step } from '../save-test/recorded-steps.ts'

const stepsOf = (all: readonly RecordedStep[]): readonly RecordedStep[] => {
  const recording = createRecording()
  for (const one of all) recording.add(one)
  return recording.read().steps
}
const key = (text: string, other = {}) => step({ kind: 'type', text, isSecret: true, ...other })

test('keys into a secret field are one value, which the test does not have', () => {
  const password = field('Password', { type: 'password', isSecret: true })
  const keysIn = [...'other-2'].map((text) => step({ kind: 'type', element: password, text }))
  const steps = stepsOf([...[...'hunter2'].map((text) => key(text)), key('!', { submit: true }), ...keysIn])
  expect(steps).toHaveLength(2)
  expect(nameSecrets({ steps, options: {}, secrets: new Map() })).toEqual(
    new Map([
      ['PASSWORD', 'other-2'],
      ['EARLIER_PASSWORD', 'hunter2!'],
    ]),
  )
  expect(bodyOf(steps)).toBe(`await page.keyboard.type(process.env.EARLIER_PASSWORD!);
await page.keyboard.press('Enter');
await page.getByLabel('Password').fill(process.env.PASSWORD!);`)
})

test('what is not the same entry stays apart: other fields, other tabs, a cleared field, what follows Enter', () => {
  const [one, two] = ['One', 'Two'].map((name) => field(name, { isSecret: true }))
  const steps = [
    step({ kind: 'type', element: one ?? field(''), text: 'a' }),
    step({ kind: 'type', element: two ?? field(''), text: 'b' }),
    key('c'),
    step(key('d').action, { tab: 't2' }),
    key('e', { clear: true }),
    key('f', { submit: true }),
    key('g'),
    step({ kind: 'type', text: 'h' }),
    step({ kind: 'type', text: 'i' }),
  ]
  // "e" and "f" are one entry.
  expect(stepsOf(steps)).toHaveLength(steps.length - 1)
})
