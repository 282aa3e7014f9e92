import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { functionAround, readStructure } from '../../../../src/features/verify/source/source-structure.ts'
import type { SourceStructure } from '../../../../src/features/verify/source/structure.ts'

function read(path: string, content: string): SourceStructure {
  const structure = readStructure(path, content)
  if (!structure) throw new Error(`${path} has no structure`)
  return structure
}

const partsOf = ({ parts }: SourceStructure) =>
  parts.map(({ kind, firstLine, lastLine }) => `${kind} ${firstLine}-${lastLine}`)

const sorted = (lines: Iterable<number>) => [...lines].toSorted((a, b) => a - b)

describe('code', () => {
  test('functions, elements, statements and operands of several lines are parts', () => {
    const text = [
      'export function App({ open }) {',
      '  return (',
      '    <main>',
      '      {open && (',
      '        <b>',
      '          text',
      '        </b>',
      '      )}',
      '    </main>',
      '  )',
      '}',
    ].join('\n')
    expect(partsOf(read('App.tsx', text))).toEqual([
      'function 1-11',
      'statement 2-10',
      'element 3-9',
      'element 5-7',
    ])
  })

  test('blank lines, comments and types are no code; brackets hold a statement together', () => {
    const text = [
      "import type { A } from './a'",
      "export type Open = '(' | '[' | '{'",
      'interface B {',
      '  a: string',
      '}',
      '// a comment',
      'export function parse(text: string,',
      '  other: number) {',
      '  if (text) {',
      '    return 1 as',
      '      number',
      '  } else {',
      '    return `',
      '',
      '    `',
      '  }',
      '}',
      'class C {',
      '  declare foo: string',
      '}',
    ].join('\n')
    const { codeLines, bracketLines } = read('a.ts', text)
    expect(sorted(codeLines)).toEqual([7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 20])
    expect(sorted(bracketLines)).toEqual([12, 16, 17, 20])
  })

  test('a bracket in a string or a regular expression is none', () => {
    const text = "const a = '{'\nconst b = /[(]/\nfunction f() {\n  return '`'\n}\n"
    expect(functionAround(read('a.js', text), 4, 4)).toMatchObject({ firstLine: 3, lastLine: 5 })
  })

  test('the program is the same where only blank space, comments and types differ', () => {
    const pairs = [
      ['const a = 1', 'const a: number = 1 // one'],
      ['f(a,\n  b)', 'f(a, b as unknown as string)'],
      ["import { a } from 'a'\na()", "import { a, type B } from 'a'\nimport type C from 'c'\na()"],
      ['class A { b = 1 }', 'class A { private readonly b: number = 1; declare c: string }'],
      ['const f = (a) => a', 'const f = <T,>(a?: T): T => a!'],
    ]
    for (const [one = '', other = ''] of pairs)
      expect(read('a.ts', other).describe()).toBe(read('a.ts', one).describe())
  })

  test('the program differs where something that runs does', () => {
    const pairs = [
      ['const a = 1', 'const a = 2'],
      ['return_(a)', 'return_\n(a, b)'],
      ['function f() { return a }', 'function f() { return\na }'],
      ['a?.b', 'a.b'],
      ['async () => a', '() => a'],
      ['if (a) { b(); c() }', 'if (a) { b() } c()'],
      ["import a from 'a'", "import b from 'a'"],
      ['`a`', '`b`'],
      ['enum A { B }', 'enum A { C }'],
    ]
    for (const [one = '', other = ''] of pairs)
      expect(read('a.ts', other).describe()).not.toBe(read('a.ts', one).describe())
  })

  test('what is no program has no structure', () => {
    expect(readStructure('a.js', 'const = ')).toBeUndefined()
    expect(readStructure('a.py', 'print(1)')).toBeUndefined()
  })

  test('a statement within a statement begins a part of its own', () => {
    const { startsPart } = read('a.js', 'function f(n) {\n  if (n > 3) return\n}\n')
    expect(startsPart(2, 3)).toBe(true)
    expect(startsPart(2, 14)).toBe(true)
    expect(startsPart(2, 7)).toBe(false)
  })

  test('a chain of 3,000 operands is read', () => {
    expect(readStructure('a.js', `const a = ${'1 + '.repeat(3000)}1`)).toBeDefined()
  })
})

describe('components', () => {
  test('Vue: elements and scripts are parts, styles and the tags of blocks are no code', () => {
    const text = [
      '<script setup lang="ts">',
      'const add = (n: number) => {',
      '  n++',
      '}',
      '</script>',
      '<template>',
      '  <p v-if="a > 1">',
      '    {{ "<b>" }}',
      '    <!-- none -->',
      '  </p>',
      '</template>',
      '<style scoped>',
      '.a { color: red }',
      '</style>',
    ].join('\n')
    const structure = read('App.vue', text)
    expect(partsOf(structure)).toEqual([
      'element 7-10',
      'statement 2-4',
      'function 2-4',
      'statement 3-3',
      'rule 13-13',
    ])
    expect(sorted(structure.codeLines)).toEqual([2, 3, 4, 7, 8, 10, 13])
    expect(structure.startsPart(7, 3)).toBe(true)
    expect(structure.startsPart(3, 3)).toBe(true)
  })

  test('Svelte: each branch of a block is a part, and expressions may have brackets and tags', () => {
    const text = [
      '<button onclick={() => { if (a > 1) b("}") }}>Go</button>',
      '{#if open}',
      '  <p>one</p>',
      '{:else}',
      '  <b>{"</b>"}{`${a}}`}</b>',
      '{/if}',
      '<ul><li>two</ul>',
    ].join('\n')
    expect(partsOf(read('App.svelte', text))).toEqual([
      'element 1-1',
      'branch 2-3',
      'element 3-3',
      'branch 4-5',
      'element 5-5',
      'element 7-7',
      'element 7-7',
    ])
  })

  test('Astro: the code before the markup and what is in brackets', () => {
    const text = '---\nconst a: number = 1\n---\n<main>\n  {a &&\n    <b>{a}</b>\n  }\n</main>\n'
    const structure = read('a.astro', text)
    expect(partsOf(structure)).toEqual([
      'element 4-8',
      'branch 5-7',
      'element 6-6',
      'branch 6-6',
      'statement 2-2',
    ])
    expect(sorted(structure.codeLines)).toEqual([2, 4, 5, 6, 7, 8])
  })

  test('any text is read, and its parts are within it', () => {
    const piece = fc.constantFrom(
      '<b>',
      '</b>',
      '<p a={',
      '{#if a}',
      '{:else}',
      '{/if}',
      '{{',
      '}}',
      '}',
      '`',
      '${',
      '"',
      "'",
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '<style',
      '>',
      '\n',
      'a',
      '//',
      '/*',
      '\\',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('vue', 'svelte', 'astro'),
        (pieces, language) => {
          const text = pieces.join('')
          const lineCount = text.split('\n').length
          for (const { firstLine, lastLine } of read(`a.${language}`, text).parts) {
            expect(firstLine).toBeGreaterThan(0)
            expect(lastLine).toBeGreaterThanOrEqual(firstLine)
            expect(lastLine).toBeLessThanOrEqual(lineCount)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('styles', () => {
  test('each rule is a part; comments are no code', () => {
    const text = [
      '/* { */',
      '@media (width > 1px) {',
      '  .a,',
      '  .b { color: red }',
      '  .c::before {',
      '    content: "}";',
      '  }',
      '}',
      '.d { color: #{$a} } // {',
    ].join('\n')
    const structure = read('a.scss', text)
    expect(partsOf(structure)).toEqual(['rule 2-8', 'rule 3-4', 'rule 5-7', 'rule 9-9'])
    expect(sorted(structure.codeLines)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(sorted(structure.bracketLines)).toEqual([7, 8])
  })

  test('the style of a component has its own lines', () => {
    const structure = read(
      'A.vue',
      '<template>\n<p/>\n</template>\n<style>\n.a {\n  color: red\n}\n</style>\n',
    )
    expect(partsOf(structure)).toEqual(['element 2-2', 'rule 5-7'])
    expect(sorted(structure.codeLines)).toEqual([2, 5, 6, 7])
  })
})
