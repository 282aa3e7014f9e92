import { describe, expect, test } from 'bun:test'
import type {
  RecordedAction,
  RecordedElement,
  RecordedStep,
} from '../../../src/core/sessions/types/recorded-step.ts'
import {
  findDetours,
  insertChecks,
  type ObservedStep,
  type Proposal,
} from '../../../src/features/save-test/plan/insert-checks.ts'

const element = (name: string): RecordedElement => ({
  locators: [{ selector: name, code: `getByText('${name}')` }],
  role: 'button',
  name,
  type: 'button',
  isEmpty: false,
  isSecret: false,
})
const step = (action: RecordedAction): RecordedStep => ({
  seq: 0,
  tab: 't1',
  action,
  urlBefore: 'http://a.test/',
  urlAfter: 'http://a.test/',
  durationMs: 1,
})
const click = (name: string) => step({ kind: 'click', element: element(name), options: {} })
const check = (text: string) => step({ kind: 'check', check: { checks: [], not: false, text } })
const proposal = (text: string, more: Partial<Proposal> = {}): Proposal => ({
  step: check(text),
  text,
  relation: 'other',
  isAnnounced: false,
  isPositive: true,
  ...more,
})
const observed = (of: RecordedStep, more: Partial<ObservedStep> = {}): ObservedStep => ({
  step: of,
  heldBefore: false,
  ...more,
})
const texts = (...steps: ObservedStep[]) =>
  insertChecks(steps).steps.map(({ action }) =>
    action.kind === 'check' ? action.check.text : action.kind === 'click' ? action.element.name : '',
  )

describe('proposed checks', () => {
  test('stand after the last action, and after others only if there is no check at all', () => {
    const first = observed(click('Add'), { proposals: [proposal('added')] })
    const last = observed(click('Pay'), {
      proposals: [proposal('paid'), proposal('thanks'), proposal('bye')],
    })
    expect(texts(first, last)).toEqual(['Add', 'added', 'Pay', 'paid', 'thanks'])
    expect(texts(first, observed(check('mine')), last)).toEqual(['Add', 'mine', 'Pay', 'paid', 'thanks'])
  })
  test('do not stand beside a check of the author, but for what was entered and is not named', () => {
    const action = observed(click('Save'))
    const own = observed(check('Call the plumber'), {
      proposals: [
        proposal('a note'),
        proposal('Call the plumber', { relation: 'entered' }),
        proposal('High', { relation: 'entered' }),
      ],
    })
    expect(texts(action, own)).toEqual(['Save', 'Call the plumber', 'High'])
  })
  test('replace a check that held before', () => {
    const heldBefore = observed(check('Shop'), { heldBefore: true, proposals: [proposal('paid')] })
    expect(texts(observed(click('Pay')), heldBefore)).toEqual(['Pay', 'Shop', 'paid'])
  })
  test('of what changed where the action was stand after each action without a check, and after the last one', () => {
    const pressed = { proposals: [proposal('other'), proposal('pressed', { relation: 'own' })] }
    expect(
      texts(observed(click('Pin'), pressed), observed(click('Save')), observed(check('Saved'), pressed)),
    ).toEqual(['Pin', 'pressed', 'Save', 'Saved', 'pressed'])
    const checked = observed(check('Pinned'), pressed)
    expect(texts(observed(click('Pin')), checked, observed(click('Save')), observed(check('Saved')))).toEqual(
      ['Pin', 'Pinned', 'Save', 'Saved'],
    )
  })
  test('are not spared by a text that may be anywhere', () => {
    const star = proposal('★', { relation: 'own' })
    expect(texts(observed(click('☆')), observed(check('★'), { proposals: [star] }))).toEqual(['☆', '★', '★'])
    const ofElement: RecordedAction = {
      kind: 'check',
      check: {
        element: element('Favourite'),
        checks: [{ kind: 'text', text: '★' }],
        not: false,
        text: 'own',
      },
    }
    expect(texts(observed(click('☆')), observed(step(ofElement), { proposals: [star] }))).toEqual([
      '☆',
      'own',
    ])
  })
  test('of what remains stand beside a check of a message that vanishes, after the last action', () => {
    const toast = observed(check('Drill: 13 in stock'), {
      isAnnounced: true,
      proposals: [
        proposal('Drill: 13 in stock', { isAnnounced: true }),
        proposal('13', { relation: 'own' }),
        proposal('12 items'),
      ],
    })
    expect(texts(observed(click('Take')), toast)).toEqual(['Take', 'Drill: 13 in stock', '13', '12 items'])
    expect(texts(observed(click('Take')), toast, observed(click('Close')))).toEqual([
      'Take',
      'Drill: 13 in stock',
      'Close',
    ])
  })
  test('do not say the same twice', () => {
    const proposals = [
      proposal('13', { relation: 'own' }),
      proposal('13'),
      proposal('13 in stock'),
      proposal('7'),
    ]
    expect(texts(observed(click('Take'), { proposals }))).toEqual(['Take', '13', '7'])
    const replaced = [proposal('13', { relation: 'own' }), proposal('14', { isPositive: false })]
    expect(texts(observed(click('Take'), { proposals: replaced }))).toEqual(['Take', '13'])
  })
  test('are never only of what is gone, if something else is known', () => {
    const gone = ['a', 'b'].map((text) => proposal(text, { isPositive: false }))
    expect(texts(observed(click('Search'), { proposals: [...gone, proposal('left')] }))).toEqual([
      'Search',
      'a',
      'left',
    ])
    expect(texts(observed(click('Search'), { proposals: gone }))).toEqual(['Search', 'a'])
  })
})

describe('detours', () => {
  const at = (state: string, of: RecordedStep) => observed(of, { stateBefore: state })
  test.each([
    [
      'opened and cancelled',
      [at('list', click('Edit')), at('dialog', click('Cancel')), at('list', click('Add'))],
      [0, 1],
    ],
    [
      'opened and not as before',
      [at('list', click('Edit')), at('dialog', click('Cancel')), at('other', click('Add'))],
      [],
    ],
    [
      'opened and confirmed',
      [at('list', click('Delete')), at('dialog', click('OK')), at('list', click('Add'))],
      [],
    ],
    [
      'checked between',
      [
        at('list', click('Edit')),
        observed(check('Title')),
        at('dialog', click('Cancel')),
        at('list', click('Add')),
      ],
      [],
    ],
    [
      'entered between',
      [
        at('list', click('Edit')),
        at('dialog', step({ kind: 'fill', element: element('Title'), value: 'x' })),
        at('dialog', click('Cancel')),
        at('list', click('Add')),
      ],
      [],
    ],
    [
      'an idle click',
      [
        at('list', click('Edit')),
        observed(click('Blank'), { stateBefore: 'dialog', isIdleClick: true }),
        at('dialog', click('OK')),
      ],
      [1],
    ],
    [
      'an idle click that was checked',
      [observed(click('Blank'), { stateBefore: 'a', isIdleClick: true }), observed(check('Title'))],
      [],
    ],
  ])('%s', (_, steps, indexes) => expect([...findDetours(steps)]).toEqual(indexes))
})
