// Rules of style by the lines of their file, as a page says which of them it used.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { usedStyle } from '../../../src/features/verify/page/style-lines.ts'

/** `used`: the selectors of the used rules as they are in the sheet. */
async function linesOf(file: string, content: string, sheet: string, used: readonly string[]) {
  const starts = used.map((selector) => sheet.indexOf(selector))
  const document = await usedStyle.open({ sheet, used: starts, source: { file, content } })
  const answer = document.ok ? await document.value('read') : undefined
  return (
    answer?.lines &&
    Object.values(answer.lines)
      .map((lines) => lines.join())
      .join(' | ')
  )
}

const same = (text: string, used: readonly string[], file = 'a.css') => linesOf(file, text, text, used)

test('of several rules on a line some may be used', async () => {
  expect(await same('a { b: c } d { e: f }\n', ['a {'])).toBe(' | 1 | ')
})

test('a rule has its own lines, without those of the rules within it; steps and fonts are not counted', async () => {
  const text = `.a {
  color: red;
  .b {
    color: blue;
  }
}
/* a {} */
@keyframes k {
  to { top: 0 }
}
@media (min-width: 1px) {
  .c { top: 0 }
}
@font-face { font-family: x }
`
  expect(await same(text, ['.a {', '.c'])).toBe('1,2,6,12 |  | 3,4,5')
})

const COMPONENT = `<p class="a">x</p>
<style scoped>
.a { color: green }
.never { color: red }
@media print {
  .a > b:hover,
  i {
    color: red;
  }
}
</style>
`
const compiled = (mark: string) => `
.a${mark} { color: green
}
.never${mark} { color: red
}
@media print {
.a${mark} > b${mark}:hover, i${mark} {
    color: red;
}
}
`

test.each([
  ['a.vue', '[data-v-7a7a37b1]'],
  ['a.svelte', '.s-d5Zigoma649a'],
  ['a.svelte', ':where(.svelte-1tky8bj)'],
  ['a.astro', '[data-astro-cid-j7pv25f6]'],
])('a compiler adds a mark and lines: %s %s', async (file, mark) => {
  const sheet = compiled(mark)
  expect(await linesOf(file, COMPONENT, sheet, [`.a${mark} {`])).toBe('3 |  | 4,6,7,8,9')
})

test('a rule that a compiler left out is not used', async () => {
  const sheet = compiled('.s-1a').replace(
    '.never.s-1a { color: red\n}',
    '/* (unused) .never { color: red }*/',
  )
  expect(await linesOf('a.svelte', COMPONENT, sheet, ['.a.s-1a {'])).toBe('3 |  | 4,6,7,8,9')
})

test('names of CSS modules are those that were written', async () => {
  const content = '.title {\n  color: red;\n}\n.other { color: red }\n'
  const sheet = content.replace('.title', '._title_1a2b3_1').replace('.other', '._other_1a2b3_4')
  expect(await linesOf('a.module.css', content, sheet, ['._title'])).toBe('1,2,3 |  | 4')
})

test('what was edited since has not been used, and a sheet of another text says nothing', async () => {
  const content = '.a { color: red }\n.b { color: red }\n'
  expect(
    await linesOf('a.css', content, content.replace('.b { color: red', '.b { color: blue'), ['.a', '.b']),
  ).toBe('1 |  | 2')
  expect(await linesOf('a.css', content, '.c { color: red }', ['.c'])).toBeUndefined()
  // A class that was taken away is no mark.
  expect(await linesOf('a.css', '.a { top: 0 }', '.a.b { top: 0 }', ['.a.b'])).toBeUndefined()
  expect(await linesOf('a.vue', '<style>.a { top: 0 }</style>', '.a.b { top: 0 }', ['.a.b'])).toBeUndefined()
})

test('of like rules each is that in its place, and none is used if one of them is missing', async () => {
  const content = '.a { top: 0 }\n.b { top: 0 }\n.a { top: 0 }\n'
  expect(await linesOf('a.css', content, content, ['.b'])).toBe('2 |  | 1,3')
  expect(await linesOf('a.css', content, '.a { top: 0 }\n.b { top: 0 }\n', ['.b'])).toBe('2 |  | 1,3')
})

const name = fc.stringMatching(/^[a-z]{1,6}$/)
const rule = fc.record({
  selector: name,
  declarations: fc.array(fc.tuple(name, name), { maxLength: 3 }),
  isUsed: fc.boolean(),
})

test('property: each rule has its lines, however it is laid out in the file and in the sheet', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 8 }), fc.nat(2), async (rules, blanks) => {
      const lines: string[] = ['<style>']
      const expected: [number, boolean][] = []
      let sheet = ''
      const used: number[] = []
      for (const [index, { selector, declarations, isUsed }] of rules.entries()) {
        const own = `.${selector}${index}x`
        const rows = [`${own} {`, ...declarations.map(([key, value]) => `  ${key}: ${value};`), '}']
        for (const row of rows) expected.push([lines.push(row), isUsed])
        for (let blank = 0; blank < blanks; blank += 1) lines.push('/* { */')
        if (isUsed) used.push(sheet.length)
        sheet += `${own}[data-v-1] {${declarations.map(([key, value]) => `\n\n ${key}:${value};`).join('')}}\n`
      }
      const content = [...lines, '</style>'].join('\n')
      const document = await usedStyle.open({ sheet, used, source: { file: 'a.vue', content } })
      const answer = document.ok ? await document.value('read') : undefined
      const linesWith = (state: boolean) =>
        expected.flatMap(([line, isUsed]) => (isUsed === state ? line : []))
      expect(answer?.lines).toEqual({ used: linesWith(true), partly: [], unused: linesWith(false) })
    }),
  )
})
