import { expect, test } from 'bun:test'
import {
  describeOtherContent,
  type FieldContent,
  isEmptied,
} from '../../../../src/core/base/text/field-content.ts'

const fieldOf = (type: string, name = '') => ({ type, name, id: '', autocomplete: '' })
const text = (value: string, type = 'text', name = ''): FieldContent => ({
  kind: 'text',
  start: value,
  length: value.length,
  field: fieldOf(type, name),
})
const select = (...labels: string[]): FieldContent => ({
  kind: 'select',
  options: labels.map((label) => ({ value: label.toLowerCase(), label })),
})
const SECRET_NOTE = '#a has another value than the one that was entered.'

test.each<[string, string | boolean | string[], FieldContent, string | undefined]>([
  ['the text', 'abc', text('abc'), undefined],
  ['a text that was cut', 'abcdef', text('abc'), '#a has "abc".'],
  ['a text with a mask', '5551234', text('(555) 1234'), '#a has "(555) 1234".'],
  ['another text of the same length', 'abc', text('ABC'), '#a has "ABC".'],
  ['line ends of another system', 'a\r\nb', text('a\nb', 'textarea'), undefined],
  [
    'a text that is longer than what is read',
    'abcd',
    { ...text('ab'), length: 4 } as FieldContent,
    undefined,
  ],
  ['a number in another notation', ' 7.0 ', text('7', 'number'), undefined],
  ['another number', '7', text('9', 'number'), '#a has "9".'],
  ['a color in lower case', '#1E90FF', text('#1e90ff', 'color'), undefined],
  ['a field that was to be empty', '', text('+1 '), '#a has "+1 ".'],
  ['a secret', 'hunter22', text('hunt', 'password'), SECRET_NOTE],
  ['a secret by its name', 'hunter22', text('hunt', 'text', 'api_key'), SECRET_NOTE],
  ['invisible characters', 'a', text('a\u202e'), '#a has "a\\u{202e}".'],
  ['a box', true, { kind: 'check', checked: true }, undefined],
  ['a box by its text', 'false', { kind: 'check', checked: false }, undefined],
  ['a box that was cleared again', true, { kind: 'check', checked: false }, '#a is not checked.'],
  ['options by label and value', ['One', 'two'], select('One', 'Two'), undefined],
  ['another option', 'One', select('Two'), '#a has "Two" selected.'],
  ['no option', 'One', select(), '#a has nothing selected.'],
  ['the files in another order', ['b.txt', 'a.txt'], { kind: 'files', names: ['a.txt', 'b.txt'] }, undefined],
  ['other files', ['a.txt', 'b.txt'], { kind: 'files', names: ['a.txt'] }, '#a has "a.txt".'],
])('%s', (_, entered, content, note) =>
  expect(describeOtherContent('#a', entered, content, false)).toBe(note as string),
)

test('the value of a field into which a secret was entered is not shown', () =>
  expect(describeOtherContent('#a', 'hunter22', text('hunt'), true)).toBe(SECRET_NOTE))

test('a text that is gone is a failure, unless the page shows it elsewhere', () => {
  expect(isEmptied('abc', text(''))).toBe(true)
  expect(isEmptied('', text(''))).toBe(false)
  const taken = { ...text(''), isTaken: true } as FieldContent
  expect(isEmptied('abc', taken)).toBe(false)
  expect(describeOtherContent('#a', 'abc', taken, false)).toBe(
    '#a is empty: the page shows the text elsewhere.',
  )
})
