import { describe, expect, test } from 'bun:test'
import type {
  RecordedAction,
  RecordedElement,
  RecordedStep,
} from '../../../src/core/sessions/types/recorded-step.ts'
import { describeSteps } from '../../../src/features/lib/recording/describe-steps.ts'
import { wordsOf, wordsOfFailure } from '../../../src/features/lib/recording/step-words.ts'

const elementOf = (name: string, more: Partial<RecordedElement> = {}): RecordedElement => ({
  locators: [{ selector: 'input', code: `getByLabel('${name}').or(getByPlaceholder('${name}'))` }],
  role: 'textbox',
  name,
  type: 'text',
  isEmpty: true,
  isSecret: false,
  ...more,
})
const typed = (element: RecordedElement, text = 'TEA10'): RecordedAction => ({ kind: 'type', element, text })

describe('words of an action', () => {
  test('say what a person would say', () => {
    const button = elementOf('Place order', { role: 'button', type: 'button' })
    expect(
      [
        typed(elementOf('Coupon')),
        typed(elementOf('Coupon'), ''),
        { kind: 'fill', element: elementOf('Gift', { type: 'checkbox' }), value: true },
        { kind: 'fill', element: elementOf('Size', { type: 'select' }), value: 'Large' },
        { kind: 'click', element: button, options: {} },
        { kind: 'click', element: button, options: { clickCount: 2 } },
        { kind: 'navigate', url: 'http://127.0.0.1:4000/cart' },
        { kind: 'navigate', url: 'https://tea.example/cart' },
        { kind: 'press', key: 'Enter', element: elementOf('Search') },
        { kind: 'check', check: { checks: [], not: false, text: 'Thank you', url: '/done' } },
        {
          kind: 'check',
          check: { element: button, checks: [{ kind: 'state', state: 'enabled' }], not: true },
        },
      ].map((action) => wordsOf(action as RecordedAction)),
    ).toEqual([
      'Filled Coupon with TEA10',
      'Emptied Coupon',
      'Checked Gift',
      'Selected Large in Size',
      'Clicked Place order',
      'Double-clicked Place order',
      'Opened /cart',
      'Opened https://tea.example/cart',
      'Pressed Enter in Search',
      'Thank you is shown, the address is /done',
      'not: Place order is enabled',
    ])
  })

  test('name no value that is covered in a picture, or of a field of which nothing is known', () => {
    const secrets = [
      elementOf('Card', { isSecret: true }),
      elementOf('API key'),
      { ...elementOf('Coupon'), name: '', role: '', type: '' },
    ]
    expect(secrets.map((element) => wordsOf(typed(element, 'sesame')))).toEqual([
      'Filled Card',
      'Filled API key',
      'Filled Coupon',
    ])
    const check = { element: secrets[0], checks: [{ kind: 'value', value: 'sesame' }], not: false } as const
    expect(wordsOf({ kind: 'check', check })).toBe('Card has its value')
    expect(wordsOf({ kind: 'type', text: 'sesame', isSecret: true })).toBe('Filled the page')
  })
})

test('a failure names what people see of its selector, never the selector', () => {
  const words = (selector: string) => wordsOfFailure('click', selector, 'TIMEOUT')
  expect(
    [
      `getByRole('listitem').filter({ hasText: 'Rooibos' }).getByRole('button', { name: 'Add' })`,
      '#pay',
      'text=Pay',
      'e12',
      'div > p:nth-child(2)',
    ].map(words),
  ).toEqual(
    ['Add', 'pay', 'Pay', 'an element', 'an element'].map((name) => `Failed to click ${name} (TIMEOUT)`),
  )
})

test('each entry has the actions that it made, checks stand between, and calls of Footlight itself have no words', () => {
  const stepOf = (seq: number, action: RecordedAction, at = seq): RecordedStep => ({
    ...{ seq, at, action, tab: 't1', urlBefore: '/', urlAfter: '/', durationMs: 1 },
  })
  const entryOf = (seq: number, text: string, isSilent = false) => ({ seq, at: seq, text, isSilent })
  const check: RecordedAction = { kind: 'check', check: { checks: [], not: false, text: 'Hello' } }
  const steps = describeSteps(
    [
      entryOf(3, 'fill_form: done'),
      entryOf(5, 'video: done', true),
      entryOf(8, 'click #a: TIMEOUT'),
      entryOf(9, 'person: click Pay'),
    ],
    [
      stepOf(1, typed(elementOf('A'), 'a')),
      stepOf(1, typed(elementOf('B'), 'b')),
      stepOf(3, check),
      stepOf(9, check),
    ],
  )
  expect(steps.map(({ kind, words }) => `${kind} ${words}`)).toEqual([
    'action Filled A with a; Filled B with b',
    'check Hello is shown',
    'action ',
    'action Failed to click a (TIMEOUT)',
    'action person: click Pay',
    'check Hello is shown',
  ])
})
