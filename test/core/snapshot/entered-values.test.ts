// What a call entered is no news for its caller; everything else that changed is.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AriaNode, AriaTree } from '../../../src/core/sessions/types/snapshot.ts'
import { describeChanges } from '../../../src/core/snapshot/compare-snapshots.ts'
import { linesOf, textOf } from '../../../src/core/snapshot/snapshot-lines.ts'

const field = (name: string, text = ''): AriaNode => ({
  role: 'textbox',
  name,
  ref: `e${name}`,
  ...(text !== '' && { text }),
})
const option = (name: string, selected = false): AriaNode => ({ role: 'option', name, key: name, selected })
const newsOf = (before: AriaTree, after: AriaTree, entered: readonly string[]) =>
  describeChanges(linesOf(before), linesOf(after), 1500, entered)

describe('news', () => {
  const empty = [field('A'), field('B')]
  test('a field with the text that was typed is none', () =>
    expect(newsOf(empty, [field('A', 'Ada'), field('B')], ['Ada'])).toBe(''))
  test('a text that replaced another one is none', () =>
    expect(newsOf([field('A', 'Bob')], [field('A', 'Ada')], ['Ada'])).toBe(''))
  test('a text of several lines reads as one', () =>
    expect(newsOf(empty, [field('A', 'a b'), field('B')], ['a\n b '])).toBe(''))
  test.each([
    ['a value that the page changed', [field('A', 'ADA'), field('B')], '~ textbox "A" [eA]: ADA'],
    ['a value with more before it', [field('A', 'x: Ada'), field('B')], '~ textbox "A" [eA]: x: Ada'],
    [
      'a value that the page copied',
      [field('A', 'Ada'), field('B', 'Ada')],
      '~ textbox "A" [eA]: Ada\n~ textbox "B" [eB]: Ada',
    ],
    [
      'a state that changed with it',
      [{ ...field('A', 'Ada'), invalid: true }, field('B')],
      '~ textbox "A" [eA] invalid: Ada',
    ],
    ['a new text', [field('A', 'Ada'), field('B'), 'Ada'], '+ text: Ada'],
  ] as const)('%s is', (_, after, news) => expect(newsOf(empty, after, ['Ada'])).toBe(news))
  test('two fields that were filled with the same text are none', () =>
    expect(newsOf(empty, [field('A', 'Ada'), field('B', 'Ada')], ['Ada', 'Ada'])).toBe(''))

  const list = [option('Free', true), option('Pro'), option('Max')]
  test('the option that was asked for, and the one that it replaced, are none', () =>
    expect(newsOf(list, [option('Free'), option('Pro', true), option('Max')], ['Pro'])).toBe(''))
  test('another option than the one that was asked for is', () =>
    expect(newsOf(list, [option('Free'), option('Pro'), option('Max', true)], ['Pro'])).toBe(
      '~ option "Free"\n~ option "Max" selected',
    ))
})

test('whatever was entered, only lines of changed fields with exactly such a value are left out', () => {
  const texts = fc.constantFrom('', 'a', 'b', 'a b', 'b: a')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(texts, texts), { maxLength: 8 }),
      fc.array(texts, { maxLength: 3 }),
      (values, entered) => {
        const before = values.map(([text], index) => field(String(index), text))
        const after = values.map(([, text], index) => field(String(index), text))
        const all = newsOf(before, after, []).split('\n').filter(Boolean)
        const news = newsOf(before, after, entered).split('\n').filter(Boolean)
        const omitted = all.filter((line) => !news.includes(line))
        expect(all.filter((line) => news.includes(line))).toEqual(news)
        for (const line of omitted) expect(entered.some((text) => line.endsWith(`: ${text}`))).toBe(true)
        expect(omitted.length).toBeLessThanOrEqual(entered.length)
      },
    ),
    { numRuns: 1000 },
  )
})

describe('a label', () => {
  const text = (...tree: AriaTree) => textOf(linesOf(tree))
  test('that is the name of the control next to it has no line', () => {
    expect(text('Name', field('Name'))).toBe('textbox "Name" [eName]')
    expect(text({ role: 'checkbox', name: 'I agree', ref: 'e1' }, ' I  agree ')).toBe(
      'checkbox "I agree" [e1]',
    )
  })
  test.each([
    ['of other words', ['Name:', field('Name')], 'text: Name:\ntextbox "Name" [eName]'],
    ['of a button', ['Go', { role: 'button', name: 'Go', ref: 'e1' }], 'text: Go\nbutton "Go" [e1]'],
    [
      'further away',
      ['Name', { role: 'button', name: 'Go', ref: 'e1' }, field('Name')],
      'text: Name\nbutton "Go" [e1]\ntextbox "Name" [eName]',
    ],
  ] as const)('%s has one', (_, tree, lines) => expect(text(...tree)).toBe(lines))
})
