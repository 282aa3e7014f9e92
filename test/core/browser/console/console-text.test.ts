import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatConsoleText } from '../../../../src/core/base/text/terminal-codes.ts'
import { bidiValues, chromiumValue } from '../../../../src/core/browser/console/page-events.ts'
import { createJournal } from '../../../../src/core/sessions/journal/journal.ts'

const text = (text: string) => ({ text, isText: true })
const value = (text: string) => ({ text, isText: false })

test.each([
  [[text('a'), value('1'), text('b')], 'a 1 b'],
  [[], ''],
  [[text('%cA%c b'), text('color: red'), text('')], 'A b'],
  [[text('%c Server %c  said'), text('background: black'), text(''), value('{a: 1}')], 'Server said {a: 1}'],
  [
    [text('%s has %d of %f, %o'), text('x'), value('4.7'), value('4.7'), value('{a: 1}')],
    'x has 4 of 4.7, {a: 1}',
  ],
  [[text('%d'), text('no number')], 'NaN'],
  [[text('%s and %s'), text('one')], 'one and %s'],
  [[text('100%'), text('done')], '100% done'],
  [[text('%d%%'), value('5')], '5%'],
  [[text('50%d')], '50%d'],
  [[text('%x %'), text('rest')], '%x % rest'],
  [[text('\u001b[1;31mred\u001b[0m and \u001b]8;;http://a/\u0007link\u001b]8;;\u0007')], 'red and link'],
  [[value('%s'), text('x')], '%s x'],
  [[text('first\nsecond'), text('third')], 'first\nsecond third'],
])('%j reads %p', (values, expected) => expect(formatConsoleText(values)).toBe(expected))

test('what the browser has formatted is not formatted again', () =>
  expect(formatConsoleText([text('50%d'), value('3'), text(' and')], true)).toBe('50%d 3 and'))

test('property: every value is there once, in order, whatever it is', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  fc.assert(
    fc.property(fc.array(fc.record({ text: word, isText: fc.boolean() })), (values) => {
      expect(formatConsoleText(values)).toBe(values.map((one) => one.text).join(' '))
    }),
  )
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string(), isText: fc.boolean() })),
      fc.boolean(),
      (values, formatted) => {
        expect(formatConsoleText(values, formatted)).toBeString()
      },
    ),
  )
})

test("what an error of Firefox says is found in the browser's own reading of the line", () => {
  const error = { type: 'error' }
  const word = (value: string) => ({ type: 'string', value })
  const read = (args: Parameters<typeof bidiValues>[0], line: string) =>
    formatConsoleText(bidiValues(args, line), true)
  expect(read([error], 'Error: only one')).toBe('Error: only one')
  expect(read([error, word('and'), error], 'TypeError: a b and Error: c')).toBe('TypeError: a b and Error: c')
  expect(read([word('x'), { type: 'object', value: [] }, error], 'x Object(0) Error: y')).toBe(
    'x {} Error: y',
  )
  expect(read([error, word('gone')], 'something else')).toBe('something else gone')
})

test('a value of Chromium without a preview has its description', () => {
  expect(chromiumValue({ type: 'object', className: 'Foo', description: 'Foo' }).text).toBe('Foo')
  expect(chromiumValue({ type: 'object', subtype: 'node', description: 'div#a.b' }).text).toBe('<div#a.b>')
  expect(chromiumValue({ type: 'number', unserializableValue: 'NaN' }).text).toBe('NaN')
})

test('what whoever tells of lines has left out counts as dropped, of its kind', () => {
  const journal = createJournal({ entries: 2, bytes: 1e6 })
  const line = (omittedBefore?: number) =>
    ({ kind: 'console', at: 0, level: 'info', text: 'x', ...(omittedBefore && { omittedBefore }) }) as const
  for (const one of [line(), line(5), line(), line(7)]) journal.add(one)
  expect(journal.read({ kinds: ['console'], limit: 10 }).dropped).toBe(2 + 12)
  expect(journal.read({ kinds: ['server'], limit: 10 }).dropped).toBe(0)
})
