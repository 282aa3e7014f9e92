// What cannot be seen is escaped; what a script or an emoji needs is not, and an escape that is copied back means the same character.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  escapeInvisible,
  escapeInvisibleIn,
  unescapeInvisible,
} from '../../../../src/core/base/text/invisible-characters.ts'

const harmless: readonly [title: string, text: string][] = [
  ['plain text', 'Ada\tLovelace\nSecond line — 12 €'],
  ['line breaks of Windows', 'one\r\ntwo'],
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'],
  ['a heart on fire and a rainbow flag', '\u2764\ufe0f\u200d\u{1f525} \u{1f3f3}\ufe0f\u200d\u{1f308}'],
  ['a person with a skin tone', '\u{1f9d4}\u{1f3fd}\u200d\u2642\ufe0f'],
  ['a keycap and a trade mark', '1\ufe0f\u20e3 \u2122\ufe0f'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['Persian with a zero-width non-joiner', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['Sinhala with a joiner', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ['Hebrew', '\u05e9\u05dc\u05d5\u05dd'],
  [
    'Hebrew with a mark',
    '\u05e9\u05dc\u05d5\u05dd!\u200f \u05e2\u05d5\u05dc\u05dd'.replace('!\u200f', '\u200f!'),
  ],
  ['an Arabic date', '\u0662\u0664\u200f/\u0661\u0661\u200f/\u0662\u0660\u0662\u0666'],
  ['soft hyphens in a word', 'Donau\u00addampf\u00adschiff'],
  ['a variant of a Japanese name', '\u845b\u{e0100}\u98fe'],
  ['Mongolian with a variant', '\u1820\u180b'],
  ['an icon of a font', '\ue5cd close'],
  ['combining marks', 'cafe\u0301 \u0e19\u0e49\u0e33'],
]

const hostile: readonly [title: string, text: string, shown: string][] = [
  ['text that is turned around', 'Pay \u202e001\u202c $', 'Pay \\u{202e}001\\u{202c} $'],
  ['isolates', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
  ['direction marks in other scripts', 'a\u200eb\u200fc', 'a\\u{200e}b\\u{200f}c'],
  [
    'zero-width characters',
    'a\u200bb\u200cc\u200dd\u2060e\ufeff',
    'a\\u{200b}b\\u{200c}c\\u{200d}d\\u{2060}e\\u{feff}',
  ],
  ['words in tag letters', 'Hi\u{e0049}\u{e0067}', 'Hi\\u{e0049}\\u{e0067}'],
  ['words in a flag', '\u{1f3f4}\u{e0061}\u{e0062}\u{e007f}', '\u{1f3f4}\\u{e0061}\\u{e0062}\\u{e007f}'],
  [
    'bytes in variation selectors',
    '\u{1f600}\ufe0f\u{e0101}\u{e0120}',
    '\u{1f600}\\u{fe0f}\\u{e0101}\\u{e0120}',
  ],
  [
    'line breaks that are none',
    'a\u0085b\u2028c\u2029d\u000be\u000cf\rg',
    'a\\u{85}b\\u{2028}c\\u{2029}d\\u{b}e\\u{c}f\\u{d}g',
  ],
  ['terminal codes', '\u001b[31mred', '\\u{1b}[31mred'],
  ['two variation selectors', '\u1820\u180b\u180c', '\u1820\\u{180b}\\u{180c}'],
  ['fillers', '\u3164\u115f', '\\u{3164}\\u{115f}'],
  ['several joiners', '\u0645\u200c\u200d\u0646', '\u0645\\u{200c}\\u{200d}\u0646'],
]

describe('shown as it is', () => {
  test.each(harmless)('%s', (_, text) => expect(escapeInvisible(text)).toBe(text))
})

describe('escaped', () => {
  test.each(hostile)('%s', (_, text, shown) => expect(escapeInvisible(text)).toBe(shown))
  test('keys and values of data', () =>
    expect(escapeInvisibleIn({ list: [{ 'a\u200b': '\u202e', n: 1, no: null }] })).toEqual({
      list: [{ 'a\\u{200b}': '\\u{202e}', n: 1, no: null }],
    } as never))
})

describe('copied back', () => {
  test('other escapes stay', () =>
    expect(unescapeInvisible('\\u{61} \\u{110000} \\u0041')).toBe('\\u{61} \\u{110000} \\u0041'))
  test('an escape is its character again, and nothing that cannot be seen is left in what is shown', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom(...[...harmless, ...hostile].map(([, text]) => text)),
          ),
        ),
        (parts) => {
          const text = parts.join('').toWellFormed()
          fc.pre(!text.includes('\\u{'))
          const shown = escapeInvisible(text)
          expect(unescapeInvisible(shown)).toBe(text)
          expect(escapeInvisible(shown)).toBe(shown)
          expect(shown).not.toMatch(
            /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/,
          )
        },
      ),
      { numRuns: 1000 },
    ))
})
