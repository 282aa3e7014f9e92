// The title of a test, its parts, and what is left out of a recording.

import { describe, expect, test } from 'bun:test'
import type { RecordedStep } from '../../../src/core/recording/recorded-step.ts'
import { describeTest } from '../../../src/core/playwright-test/step-titles.ts'
import { shortenSteps } from '../../../src/core/playwright-test/shorten-steps.ts'
import { groupSteps } from '../../../src/core/playwright-test/write-test.ts'
import {
  button,
  check,
  click,
  element,
  field,
  fill,
  link,
  navigate,
  ORIGIN,
  seesText,
  step,
  type,
} from '../test-code/recorded-steps.ts'

const at = (before: string, after: string) => ({
  urlBefore: `${ORIGIN}${before}`,
  urlAfter: `${ORIGIN}${after}`,
})
const titlesOf = (steps: readonly RecordedStep[]) => {
  const filler = [...'abcdef'].map((name) => fill(field(name), 'x'))
  return groupSteps([...steps, ...filler, click(button('End'))])?.map(({ title }) => title)
}

describe('the title of a test', () => {
  const signIn = [navigate('/login'), fill(field('Name'), 'Ada'), click(button('Sign in'), at('/login', '/'))]
  test.each<[readonly RecordedStep[], string]>([
    [[], 'recorded session'],
    [[navigate('/tasks'), seesText('Tasks')], 'open /tasks'],
    [signIn, 'sign in'],
    [[...signIn, click(button('Add to cart')), seesText('1')], 'sign in and add to cart'],
    [
      [...signIn, click(button('Add')), seesText('1'), click(button('PDF export')), seesText('x')],
      'sign in, add and PDF export',
    ],
    [
      [
        ...signIn,
        ...['One', 'Two', 'Three', 'Four'].flatMap((name) => [click(button(name)), seesText(name)]),
      ],
      'sign in and four',
    ],
    [[fill(field('Name'), 'Ada'), fill(field('Email'), 'a@b.c')], 'fill in Name and Email'],
    [[type(field('Password', { isSecret: true }), 'secret', true)], 'fill in Password'],
    [[step({ kind: 'press', key: 'Escape' })], 'press Escape'],
    [[step({ kind: 'upload', element: field('File'), paths: ['/a/b.png'] })], 'upload b.png'],
    [[step({ kind: 'drag', element: button('A'), to: button('B') })], 'drag A to B'],
    [[click(button('x'.repeat(200)))], 'x'.repeat(40) + '…'],
  ])('%#: %j', (steps, title) => {
    expect(describeTest(steps)).toBe(title)
    expect(describeTest(steps).length).toBeLessThanOrEqual(70)
  })
})

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
    expect(titlesOf(steps)).toEqual([
      'Open the start page',
      'Open Done',
      'Next "Rome"',
      'Next',
      'Go back',
      'End',
    ])
  })

  test('titles differ', () => {
    const add = (text: string) => [fill(field('Task'), text), click(button('Add')), seesText(text)]
    expect(titlesOf([...add('a'), ...add('b'), ...add('b')])).toEqual([
      'Add "a"',
      'Add "b"',
      'Add "b" again',
      'End',
    ])
    const signIn = (password: string) => [
      fill(field('User'), 'grace'),
      fill(field('Password', { isSecret: true }), password),
      click(button('Sign in')),
      seesText(password),
    ]
    expect(titlesOf([...signIn('a'), ...signIn('b'), ...signIn('c')])).toEqual([
      'Sign in',
      'Sign in again',
      'Sign in (3)',
      'End',
    ])
  })
})

describe('the title of what is sent', () => {
  const inDialog = (dialog: string, name: string) =>
    element(`getByRole('dialog', { name: '${dialog}' }).getByRole('button', { name: '${name}' })`, {
      role: 'button',
      name,
      type: 'button',
    })
  const save = (name = 'Save') => click(button(name))

  test('is that of the dialog, with what was entered or the row that opened it', () => {
    const row =
      "getByRole('listitem').filter({ hasText: 'Book flights' }).getByRole('button', { name: 'Delete' })"
    expect(
      titlesOf([
        click(button('New')),
        click(inDialog('New task', 'Save')),
        seesText('Title is required'),
        fill(field('Title'), 'Water the plants'),
        click(inDialog('New task', 'Save')),
        seesText('Water the plants'),
        click(element(row, { role: 'button', name: 'Delete', type: 'button' })),
        click(inDialog('Delete task?', 'Delete')),
        seesText('Task deleted'),
      ]),
    ).toEqual(['New task without input', 'New task "Water the plants"', 'Delete task "Book flights"', 'End'])
  })

  test('is that of what opened the form, also in an earlier part', () => {
    expect(
      titlesOf([
        click(element("getByText('Add contact')")),
        save(),
        seesText('A contact needs a name.'),
        fill(field('Name'), 'Grace Hopper'),
        click(element('list', { role: 'combobox', name: 'Group', type: 'div' })),
        click(element('option', { role: 'option', name: 'Friends', type: 'li' })),
        save(),
        seesText('Grace Hopper'),
      ]),
    ).toEqual(['Add contact without input', 'Add contact "Grace Hopper"', 'End'])
  })

  test('tells an attempt without input from the next one', () => {
    const order = click(button('Place order'))
    const express = step({ kind: 'fill', element: field('Express'), value: true })
    expect(
      titlesOf([
        order,
        seesText('A postcode has five digits'),
        fill(field('Name'), 'Ada'),
        express,
        seesText('To pay: 9'),
        order,
        seesText('Thank you'),
      ]),
    ).toEqual(['Place order without input', 'Place order', 'End'])
  })

  test.each([
    [[click(link('Cart (2)')), seesText('€35')], 'Open Cart'],
    [[click(link('Proceed to checkout')), seesText('€35')], 'Proceed to checkout'],
    [[click(button('✎')), save(), seesText('Saved')], 'Save'],
    [[click(button('Edit')), fill(field('City'), 'Rome'), save(), seesText('Saved')], 'Save "Rome"'],
    [[click(button('New note')), click(button('Archive')), seesText('Archived')], 'Archive'],
    [
      [
        click(button('Sort: Newest')),
        click(element('m', { role: 'menuitem', name: 'Title' })),
        seesText('A'),
      ],
      'Sort: Title',
    ],
    [
      [click(button('Account')), click(element('m', { role: 'menuitem', name: 'Sign out' })), seesText('A')],
      'Choose Sign out',
    ],
    [[step({ kind: 'fill', element: field('Paid'), value: true }), seesText('1 paid')], 'Check Paid'],
    [[step({ kind: 'fill', element: field('Paid'), value: false }), seesText('0 paid')], 'Uncheck Paid'],
  ])('%#: %j', (steps, title) => expect(titlesOf(steps)).toEqual([title, 'End']))
})

describe('a recording is shortened:', () => {
  const name = field('Name')
  const filledName = field('Name', { isEmpty: false })
  const city = field('City')
  const back = step({ kind: 'history', direction: 'back' }, at('/help', '/'))
  const toHelp = click(link('Help'), at('/', '/help'))
  const hover = step({ kind: 'hover', element: button('Menu') })
  const home = navigate('/')
  const retype = step({ kind: 'type', element: filledName, text: 'b', clear: true })

  test.each<[string, readonly RecordedStep[], readonly RecordedStep[]]>([
    [
      'the last value of a field wins',
      [fill(name, 'a'), fill(city, 'c'), fill(name, 'b')],
      [fill(city, 'c'), fill(name, 'b')],
    ],
    ['what is typed is replaced', [type(name, 'a'), retype], [retype]],
    [
      'a field is emptied and typed into',
      [fill(filledName, ''), type(name, 'b')],
      [step({ kind: 'type', element: name, text: 'b', clear: true })],
    ],
    [
      'the same page, opened again and again',
      [navigate('/login'), navigate('/login'), navigate('/login')],
      [navigate('/login')],
    ],
    ['a wrong address', [navigate('/task'), navigate('/tasks')], [navigate('/tasks')]],
    [
      'there and back',
      [home, seesText('a'), toHelp, back, click(button('Go'))],
      [home, seesText('a'), click(button('Go'))],
    ],
    ['the same check', [home, seesText('a'), seesText('a')], [home, seesText('a')]],
    [
      'a hover and another',
      [hover, step({ kind: 'hover', element: button('B') }), click(button('B'))],
      [step({ kind: 'hover', element: button('B') }), click(button('B'))],
    ],
    ['a hover at the end', [home, hover], [home]],
    // One rule makes way for another.
    ['a detour before a wrong address', [navigate('/task'), home, toHelp, back], [home]],
  ])('%s', (_, steps, short) => expect(shortenSteps(steps)).toEqual(short))

  test.each<[string, readonly RecordedStep[]]>([
    ['a click may have used the value', [fill(name, 'a'), click(button('Find')), fill(name, 'b')]],
    ['Enter may have used it', [type(name, 'a', true), retype]],
    ['a check has seen it', [fill(name, 'a'), seesText('a'), fill(name, 'b')]],
    ['typing adds to a value', [fill(name, 'a'), type(filledName, 'b')]],
    ['the value changed the URL', [{ ...fill(name, 'a'), ...at('/', '/?q=a') }, fill(name, 'b')]],
    [
      'a checkbox',
      [
        step({ kind: 'fill', element: name, value: true }),
        step({ kind: 'fill', element: name, value: false }),
      ],
    ],
    ['another tab', [fill(name, 'a'), { ...fill(name, 'b'), tab: 't2' }]],
    ['a page that does something', [navigate('/logout'), navigate('/login')]],
    ['a query', [navigate('/?invite=7'), navigate('/tasks')]],
    ['the same query again', [navigate('/?add=7'), navigate('/?add=7')]],
    ['a redirect', [step({ kind: 'navigate', url: `${ORIGIN}/a` }, at('/', '/b')), navigate('/tasks')]],
    ['a page that was checked', [navigate('/a'), seesText('a'), navigate('/b')]],
    ['back to another page', [home, toHelp, { ...back, urlAfter: `${ORIGIN}/old` }]],
    ['something was entered before', [home, fill(name, 'a'), toHelp, back]],
    ['something was done there', [home, toHelp, click(button('Vote'), at('/help', '/help')), back]],
    ['a button is no link', [home, click(button('Save'), at('/', '/help')), back]],
    ['other checks', [home, seesText('a'), seesText('b'), seesText('a')]],
    ['a hover that opens what is clicked', [hover, click(button('Item'))]],
    ['a hover that is checked', [hover, seesText('Tip')]],
    ['a step that opens a tab', [{ ...navigate('/a'), openedTab: 't2' }, navigate('/b')]],
    ['checks with parts that differ', [home, check({ text: 'a' }), check({ text: 'a', not: true })]],
  ])('not if %s', (_, steps) => expect(shortenSteps(steps)).toEqual(steps))
})
