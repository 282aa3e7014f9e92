// Patterns of callers: the same matches as in JavaScript, a failure if the time cannot be linear, and no search that blocks other work.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileSearch, compileUrlMatcher, type TextSearch } from '../../../src/core/tool/pattern.ts'

async function compile(source: string): Promise<TextSearch> {
  const search = await compileSearch(source)
  if (!search.ok || !search.value) throw new Error(`${source} was refused: ${JSON.stringify(search)}`)
  return search.value
}

test('property: finds what JavaScript finds', async () => {
  const atom = fc.constantFrom(
    'a',
    'B',
    '.',
    '\\d',
    '(?:\\w+)',
    '[a-c]',
    '[^x]',
    '(?:ab|c)',
    '(a|b)',
    '\\/',
    '\\.',
    'é',
    '\\b',
  )
  const quantifier = fc.constantFrom('', '', '*', '+?', '?', '{2}', '{1,3}')
  const part = fc.tuple(atom, quantifier).map(([first, suffix]) => (first === '\\b' ? first : first + suffix))
  const source = fc
    .tuple(fc.constantFrom('', '^'), fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '$'))
    .map(([start, parts, end]) => start + parts.join('') + end)
  const text = fc.string({
    maxLength: 12,
    unit: fc.constantFrom('a', 'b', 'B', 'c', 'x', '1', '.', '/', ' ', 'é'),
  })
  await fc.assert(
    fc.asyncProperty(source, fc.array(text, { maxLength: 20 }), async (pattern, texts) => {
      const result = await (await compile(pattern))(texts)
      const expected = texts.filter((text) => new RegExp(pattern, 'i').test(text))
      expect(result).toEqual({ ok: true, value: new Set(expected) })
    }),
    { numRuns: 500 },
  )
})

describe('refused, with the next step', () => {
  const rows: [pattern: string, hint: string][] = [
    ['a(?=b)', 'Lookahead'],
    ['(?<!a)b', 'Lookahead'],
    ['(a)\\1', 'Lookahead'],
    ['(', 'missing closing )'],
    ['a{1000}{1000}', 'nested repetition'],
    ['((a{100}){100}){100}', 'repeat count'],
    ['[a-z]{1,300}', 'fewer repetitions'],
    ['(a{20}){20}', 'fewer repetitions'],
  ]
  test.each(rows)('%s', async (pattern, hint) => {
    const search = await compileSearch(pattern)
    expect(search).toMatchObject({
      ok: false,
      error: { code: 'INVALID_PARAMETERS', field: 'pattern', hint: expect.stringContaining(hint) },
    })
  })
  test('what takes too long all the same', async () => {
    const search = await compile('(a|x)*x(a|x){95}y')
    let state = 1
    const letter = () => ((state = (state * 48_271) % 2_147_483_647) & 64 ? 'a' : 'x')
    const texts = Array.from({ length: 1000 }, () => Array.from({ length: 16_000 }, letter).join(''))
    expect(await search(texts)).toMatchObject({
      error: { code: 'INVALID_PARAMETERS', hint: expect.stringContaining('fewer repetitions') },
    })
  }, 120_000)
})

test('a long search lets other work go on', async () => {
  const search = await compile('(x+x+)+y')
  let immediateCount = 0
  let isDone = false
  const count = () => {
    immediateCount += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const texts = Array.from({ length: 600 }, (_, index) => `${index}${'x'.repeat(8000)}`)
  // A search that never pauses lets no immediate run, however often it is repeated. On a fast machine one is too short for a pause, and on
  // a busy one it may need more than its five seconds.
  for (let round = 0; round < 100 && immediateCount < 3; round += 1) {
    const result = await search(texts)
    if (result.ok) expect(result.value).toEqual(new Set())
  }
  isDone = true
  expect(immediateCount).toBeGreaterThan(2)
}, 300_000)

describe('addresses', () => {
  const rows: [textOrGlob: string, url: string, matches: boolean][] = [
    ['/done', 'http://a/done?x', true],
    ['/done', 'http://a/', false],
    ['**/done', 'http://a/b/c/done', true],
    ['**/done', 'http://a/done?x', false],
    ['http://a/*', 'http://a/b', true],
    ['http://a/*', 'http://a/b/c', false],
    ['http://a/**', 'http://a/b/c', true],
    ['http://a/**/c', 'http://a/c', true],
    ['http://a/**/c', 'http://a/b/b/c', true],
    ['**/{x,y}.html', 'http://a/y.html', true],
    ['**/{x,y}.html', 'http://a/z.html', false],
    ['**/a?b=*', 'http://h/a?b=1', true],
    ['**/a?b=*', 'http://h/axb=1', false],
    ['**/\\**', 'http://h/*', true],
    ['**/*.(js)', 'http://h/x.(js)', true],
  ]
  test.each(rows)('%s of %s: %p', async (textOrGlob, url, matches) => {
    const matcher = await compileUrlMatcher(textOrGlob)
    expect(matcher.ok && matcher.value(url)).toBe(matches)
  })
  test('a brace that is nested or left open is refused', async () => {
    for (const glob of ['*{a', '*}', '*{a{b}}'])
      expect(await compileUrlMatcher(glob)).toMatchObject({
        error: { code: 'INVALID_PARAMETERS', field: 'url' },
      })
  })
})
