import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { PersonEvent } from '../../../src/core/sessions/types/person.ts'
import type { RecordedAction, RecordedElement } from '../../../src/core/sessions/types/recorded-step.ts'
import { createPersonSteps } from '../../../src/features/lib/recording/person-steps.ts'

const START = 'http://localhost/'

const element = (name: string, rest: Partial<RecordedElement> = {}): RecordedElement => ({
  locators: [{ selector: `internal:label="${name}"`, code: `getByLabel('${name}')` }],
  role: 'textbox',
  name,
  type: 'text',
  isEmpty: false,
  isSecret: false,
  ...rest,
})
const button = element('Save', { role: 'button', type: 'button' })
const field = element('Name')
const password = element('Password', { type: 'password', isSecret: true })

const act = (action: RecordedAction, at = 0, tab = 't1'): PersonEvent => ({
  kind: 'action',
  tab,
  url: START,
  at,
  action,
})
const click = (target: RecordedElement, clickCount?: number): RecordedAction => ({
  kind: 'click',
  element: target,
  options: clickCount === undefined ? {} : { clickCount },
})
const fill = (target: RecordedElement, value: string | boolean): RecordedAction => ({
  kind: 'fill',
  element: target,
  value,
})

function begin() {
  const recorded = createPersonSteps()
  return recorded
}
function record(events: readonly PersonEvent[]) {
  const recorded = begin()
  const lines = events.flatMap((event) => recorded.add(event))
  const end = recorded.finish()
  return { steps: end.steps, lines: [...lines, ...end.lines] }
}
const actionsOf = (actions: readonly RecordedAction[]) =>
  record(actions.map((action) => act(action))).steps.map(({ action }) => action)

describe('what belongs together is one step', () => {
  const select = (values: string[]): RecordedAction => ({ kind: 'select', element: field, values })
  const press: RecordedAction = { kind: 'press', element: field, key: 'Enter' }
  const list = element('City', { role: 'combobox' })
  test.each([
    ['letters', [fill(field, 'A'), fill(field, 'Ad'), fill(field, 'Ada')], [fill(field, 'Ada')]],
    ['a click into a field', [click(field), fill(field, 'Ada')], [fill(field, 'Ada')]],
    ['a click into a field before Enter', [click(field), press], [press]],
    [
      'a click that opens a list, which stays',
      [click(list), fill(list, 'A')],
      [click(list), fill(list, 'A')],
    ],
    ['a double click', [click(button), click(button, 2)], [click(button, 2)]],
    ['a triple click', [click(button), click(button, 2), click(button, 3)], [click(button, 3)]],
    ['a second click elsewhere', [click(button), click(field, 2)], [click(button), click(field)]],
    ['choices in a list', [select(['a']), select(['b'])], [select(['b'])]],
    ['a checkbox twice', [fill(field, true), fill(field, false)], [fill(field, false)]],
    ['two fields', [fill(field, 'a'), fill(list, 'b'), fill(field, 'c')], undefined],
    ['Enter after text', [fill(field, 'a'), press, fill(field, 'b')], undefined],
  ] as const)('%s', (_, actions, expected) => {
    expect(actionsOf(actions)).toEqual([...(expected ?? actions)])
  })

  test('text of any length, letter by letter', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
        const { steps, lines } = record(values.map((value) => act(fill(field, value))))
        expect(steps.map(({ action }) => action)).toEqual([fill(field, values.at(-1) ?? '')])
        expect(lines).toHaveLength(1)
      }),
    )
  })
})

test('a navigation and a tab after a click belong to it', () => {
  const url = `${START}next`
  const { steps } = record([
    act(click(button), 100),
    { kind: 'moved', tab: 't1', url, at: 350 },
    { kind: 'opened', tab: 't2', opener: 't1', url: START, at: 360 },
  ])
  expect(steps).toHaveLength(1)
  expect(steps[0]).toMatchObject({
    urlBefore: START,
    urlAfter: url,
    durationMs: 250,
    tab: 't1',
    openedTab: 't2',
  })
})

test('a tab of the person', () => {
  const { steps } = record([
    act(click(button)),
    { kind: 'opened', tab: 't2', url: 'about:blank', at: 10 },
    act(click(button), 20, 't2'),
  ])
  expect(steps.map(({ tab, openedTab, action }) => [tab, openedTab, action.kind])).toEqual([
    ['t1', undefined, 'click'],
    ['t1', 't2', 'openTab'],
    ['t2', undefined, 'click'],
  ])
})

test('a line for each action, once its text is complete', () => {
  const recorded = begin()
  const linesOf = (action: RecordedAction) => recorded.add(act(action))
  expect(linesOf(click(field))).toEqual([])
  expect(linesOf(fill(field, 'A'))).toEqual([])
  expect(linesOf(fill(field, 'Ada'))).toEqual([])
  expect(recorded.add({ kind: 'settle' })).toEqual(['fill textbox "Name" with "Ada"'])
  expect(linesOf(fill(password, 'hunter2'))).toEqual([])
  expect(linesOf(click(button))).toEqual(['fill textbox "Password" with •••', 'click button "Save"'])
  expect(recorded.finish().lines).toEqual([])
})

test('a password that is shown stays a secret', () => {
  const shown = { ...password, type: 'text', isSecret: false }
  const { steps, lines } = record(
    [fill(password, 'hunt'), click(button), fill(shown, 'hunter2')].map((a) => act(a)),
  )
  expect(steps.map(({ action }) => 'element' in action && action.element?.isSecret)).toEqual([
    true,
    false,
    true,
  ])
  expect(lines.join()).not.toContain('hunt')
})

test('whatever happens: a bounded list, and no secret in a line', () => {
  const secret = 'Zq9#correct-horse'
  const action = fc.oneof(
    fc.constantFrom(field, button).map((target) => click(target)),
    fc.nat(3).map((count) => click(button, count)),
    fc.tuple(fc.constantFrom(field, button), fc.string()).map(([target, value]) => fill(target, value)),
    fc.constant(fill(password, secret)),
  )
  const tab = fc.constantFrom('t1', 't2', 't3')
  const event = fc.oneof(
    fc.tuple(action, tab, fc.nat()).map(([value, name, at]) => act(value, at, name)),
    fc.record({ kind: fc.constantFrom('opened', 'moved'), tab, url: fc.webUrl(), at: fc.nat() }),
    fc.record({ kind: fc.constant('settle') }),
  ) as fc.Arbitrary<PersonEvent>
  fc.assert(
    fc.property(fc.array(event, { maxLength: 300 }), (events) => {
      const { steps, lines } = record(events)
      expect(steps.length).toBeLessThanOrEqual(500)
      expect(lines.join('\n')).not.toContain(secret)
      expect(steps.map(({ seq }) => seq)).toEqual(steps.map((_, index) => index))
    }),
  )
  const full = record(Array.from({ length: 900 }, (_, index) => act(click(index % 2 ? button : field))))
  expect(full.steps).toHaveLength(500)
  expect(full.lines.filter((line) => line.includes('not recorded'))).toHaveLength(1)
}, 300_000)
