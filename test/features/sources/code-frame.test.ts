import { expect, test } from 'bun:test'
import { createCodeFrame } from '../../../src/features/sources/code-frame.ts'

const source = ['const a = 1', '', 'throw new Error(a)', 'done()'].join('\n')
const same = (text: string) => text

test('three lines, of which the middle one is marked', () => {
  expect(createCodeFrame(source, 3, same)).toEqual(['2  ', '3> throw new Error(a)', '4  done()'])
  expect(createCodeFrame(source, 1, same)).toEqual(['1> const a = 1', '2  '])
  expect(createCodeFrame(source, 9, same)).toEqual([])
})

test('lines are redacted together with those around them, and before they are cut', () => {
  const secret = '-----BEGIN\nabc\ndef\n-----END'
  const redact = (text: string) => text.replace(secret, '***\n***\n***\n***')
  expect(createCodeFrame(`a\n${secret}\nb`, 3, redact)).toEqual(['2  ***', '3> ***', '4  ***'])
  expect(createCodeFrame(`a\n${secret}\nb`, 3, (text) => text.replace(secret, '***'))).toEqual([])
  expect(createCodeFrame('x'.repeat(5000), 1, same)[0]?.length).toBeLessThan(200)
})
