import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import {
  characterOfChord,
  KEY_ALIASES,
  KEY_NAMES,
  parseChord,
} from '../../../../src/core/base/text/key-names.ts'

const chord = (text: string) => {
  const read = parseChord(text)
  return read.ok ? read.value : { unknown: read.unknown, closestKey: read.closestKey }
}

test.each([
  ['Ctrl+A', 'Control+a'],
  ['Control+A', 'Control+a'],
  ['ctrl + shift + t', 'Control+Shift+t'],
  ['Ctrl+Shift+T', 'Control+Shift+T'],
  ['Cmd+K', 'Meta+k'],
  ['CommandOrControl+K', 'ControlOrMeta+k'],
  ['Option+F4', 'Alt+F4'],
  ['Esc', 'Escape'],
  ['RETURN', 'Enter'],
  ['Del', 'Delete'],
  ['page_down', 'PageDown'],
  ['Arrow Up', 'ArrowUp'],
  ['down', 'ArrowDown'],
  ['Space', 'Space'],
  [' ', ' '],
  ['A', 'A'],
  ['Shift+A', 'Shift+A'],
  ['+', '+'],
  ['Control++', 'Control++'],
  ['Ctrl + +', 'Control++'],
  ['Ctrl+Plus', 'Control++'],
  ['keya', 'KeyA'],
])('%j is %j', (given, meant) => expect(chord(given)).toBe(meant))

test.each([
  ['Entr', 'Entr', 'Enter'],
  ['Escpae', 'Escpae', 'Escape'],
  ['Contrl+a', 'Contrl', 'Control'],
  ['Ctrl+Bakspace', 'Bakspace', 'Backspace'],
  ['Comand+c', 'Comand', 'Meta'],
  ['Nonsense', 'Nonsense', undefined],
  ['é', 'é', undefined],
])('%j is unknown by %j, and the nearest is %j', (given, unknown, closestKey) =>
  expect(chord(given)).toEqual({ unknown, closestKey }),
)

test.each([
  ['a', 'a'],
  ['Q', 'Q'],
  ['!', '!'],
  ['Space', ' '],
  ['KeyB', 'b'],
  ['Digit7', '7'],
  ['Numpad7', '7'],
  ['Minus', '-'],
  ['Shift+b', 'B'],
  ['Shift+KeyB', 'B'],
  ['Shift+2', '@'],
  ['ShiftLeft+Slash', '?'],
  ['Control+a', undefined],
  ['Shift+Control+a', undefined],
  ['Enter', undefined],
  ['Shift', undefined],
])('%j types %j', (given, character) => expect(characterOfChord(given)).toBe(character))

const spellings = [
  ...KEY_NAMES.map((name) => [name, name] as const),
  ...Object.entries(KEY_ALIASES).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
]
const inAnyCase = (name: string) =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((upper) => [...name].map((one, at) => (upper[at] ? one.toUpperCase() : one.toLowerCase())).join(''))

describe('properties', () => {
  test('every name in any case, in any chord, is the one name', () => {
    const key = fc
      .constantFrom(...spellings)
      .chain(([given, meant]) => fc.tuple(inAnyCase(given), fc.constant(meant)))
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), (keys) => {
        expect(chord(keys.map(([given]) => given).join('+'))).toBe(keys.map(([, meant]) => meant).join('+'))
      }),
    )
  })
  test('whatever is read is read as itself again, and is made of known names and characters', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), (text) => {
        const read = parseChord(text)
        if (!read.ok) return
        expect(chord(read.value)).toBe(read.value)
      }),
    )
  })
  test('a name with one wrong letter is unknown or another key, and what is suggested is a key', () => {
    const wrong = fc.tuple(
      fc.constantFrom(...KEY_NAMES.filter((name) => name.length > 4)),
      fc.nat(),
      fc.constantFrom(...'aeioux'),
    )
    fc.assert(
      fc.property(wrong, ([name, at, letter]) => {
        const index = at % name.length
        const read = parseChord(name.slice(0, index) + letter + name.slice(index + 1))
        if (read.ok) return
        expect(read.closestKey).toBeDefined()
        expect(parseChord(read.closestKey ?? '').ok).toBe(true)
      }),
    )
  })
})

test("the names are those of Playwright's keyboard", () => {
  const entry = createRequire(import.meta.url).resolve('playwright-core')
  const source = readFileSync(join(dirname(entry), 'lib/coreBundle.js'), 'utf8')
  const [, layout = ''] = /USKeyboardLayout = \{([^]*?)\n {4}\};/.exec(source) ?? []
  const codes = [...layout.matchAll(/^ *"(\w+)": \{/gm)].map(([, code]) => code ?? '')
  expect(codes.length).toBeGreaterThan(100)
  const own = ['Shift', 'Control', 'Alt', 'Meta', 'ControlOrMeta']
  expect([...KEY_NAMES].sort()).toEqual([...new Set([...codes, ...own])].sort())
})
