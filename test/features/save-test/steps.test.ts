// The title of a test, and its parts.

import { describe, expect, test } from 'bun:test'
import type { RecordedStep } from '../../../src/core/sessions/types/recorded-step.ts'
import { describeSteps } from '../../../src/features/save-test/code/step-title.ts'
import { groupSteps } from '../../../src/features/save-test/code/write-test.ts'
import {
  button,
  click,
  element,
  field,
  fill,
  navigate,
  ORIGIN,
  seesText,
  step,
  type,
} from './recorded-steps.ts'

const at = (before: string, after: string) => ({
  urlBefore: `${ORIGIN}${before}`,
  urlAfter: `${ORIGIN}${after}`,
})
const titlesOf = (steps: readonly RecordedStep[]) => {
  const filler = [...'abcdef'].map((name) => fill(field(name), 'x'))
  return groupSteps([...steps, ...filler, click(button('End'))])?.map(({ title }) => title)
}

test.each<[readonly RecordedStep[], string]>([
  [[], 'Check the page'],
  [[navigate('/tasks'), seesText('Tasks')], 'Open /tasks'],
  [[fill(field('Name'), 'Ada'), click(button('Sign in'), at('/login', '/')), seesText('1')], 'Sign in'],
  [[fill(field('Name'), 'Ada'), fill(field('Email'), 'a@b.c')], 'Fill in Email'],
  [[type(field('Password', { isSecret: true }), 'secret', true)], 'Fill in Password'],
  [[step({ kind: 'press', key: 'Escape' })], 'Press Escape'],
  [[step({ kind: 'upload', element: field('File'), paths: ['/a/b.png'] })], 'Upload b.png'],
  [[step({ kind: 'history', direction: 'back' })], 'Go back'],
  [[step({ kind: 'drag', element: button('A'), to: button('B') })], 'Drag A'],
  [[click(button('x'.repeat(200)))], 'X' + 'x'.repeat(59) + '…'],
])('a title is of the last action, %#: %j', (steps, title) => expect(describeSteps(steps)).toBe(title))

describe('parts', () => {
  test('none in a short test', () => {
    expect(groupSteps([navigate('/'), ...[...'abcde'].map((name) => click(button(name)))])).toBeUndefined()
  })

  test('a part ends where something was checked, or another page was reached', () => {
    const tab = { role: 'tab', name: 'Done', type: 'button' }
    const steps = [
      navigate('/'),
      seesText('Home'),
      click(element("getByRole('tab', { name: 'Done' })", tab)),
      seesText('Done'),
      navigate('/a'),
      click(button('Not checked')),
      fill(field('City'), 'Rome'),
      click(button('Next'), at('/a', '/b')),
      click(button('Next'), at('/b', '/c')),
      step({ kind: 'history', direction: 'back' }, at('/c', '/b')),
    ]
    expect(titlesOf(steps)).toEqual(['Open /', 'Done', 'Next', 'Next', 'Go back', 'End'])
  })
})
