// What `bun run lint` must refuse, and what it cannot see.

import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dir, '..')

const violations = {
  'src/floating.ts': `const later = async () => 1\nexport const start = () => {\n  later()\n}\n`,
  'src/first.ts': `import { second } from './second.ts'\nexport const first = () => second\n`,
  'src/second.ts': `import { first } from './first.ts'\nexport const second = () => first\n`,
  'src/owner.ts': `import type { Item } from './item.ts'\nexport interface Owner { item?: Item }\n`,
  'src/item.ts': `import type { Owner } from './owner.ts'\nexport interface Item { owner?: Owner }\n`,
  'src/camelCase.ts': `export const name = 1\n`,
  'src/long.ts': `export function long(): void {\n${'  void 0\n'.repeat(60)}}\n`,
  'src/core/browser/in-page/long.ts': `export function long(): void {\n${'  void 0\n'.repeat(60)}}\n`,
}

test('floating promises, cycles of values and of types, file names and long functions are refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'footlight-lint-'))
  try {
    for (const [path, text] of Object.entries(violations)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    for (const name of ['.oxlintrc.json', 'tsconfig.json'])
      writeFileSync(join(folder, name), readFileSync(join(root, name)))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    const lint = Bun.spawn(
      [process.execPath, join(root, 'node_modules/oxlint/bin/oxlint'), '--format=unix', 'src'],
      { cwd: folder },
    )
    const output = await new Response(lint.stdout).text()
    expect(await lint.exited).toBe(1)
    const found = [...output.matchAll(/^(\S+?):\d.*\/\w*\(?([\w-]+)\)?\]$/gm)].map(
      ([, file, rule]) => `${file} ${rule}`,
    )
    expect(found.sort()).toEqual([
      'src/camelCase.ts filename-case',
      'src/first.ts no-cycle',
      'src/floating.ts no-floating-promises',
      'src/item.ts no-cycle',
      'src/long.ts max-lines-per-function',
      'src/owner.ts no-cycle',
      'src/second.ts no-cycle',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 300_000)

// The types of bun:test say that these assertions return nothing, so the linter does not see that they float.
test('every assertion on a promise is awaited or returned', () => {
  const floating = [...new Glob('{test,bench,soak}/**/*.ts').scanSync(root)]
    .filter((file) => !file.includes('node_modules'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [
        ...text.matchAll(
          /(\bawait\s+|\breturn\s+|=>\s*)?\bexpect\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*\.(rejects|resolves)\b/g,
        ),
      ]
        .filter((match) => match[1] === undefined)
        .map((match) => `${file}: ${match[0]}`)
    })
  expect(floating).toEqual([])
})

// What is newer than Node 20.0, and the version of Node that brought it.
const NEWER_THAN_NODE_20: readonly [pattern: RegExp, version: string][] = [
  [/\bAbortSignal\.any\(/, '20.3'],
  [/\bimport\.meta\.dirname\b/, '20.11'],
  [/\b(Object|Map)\.groupBy\(/, '21.0'],
  [/\bPromise\.withResolvers\(/, '22.0'],
  [/\bArray\.fromAsync\(/, '22.0'],
  [/\bPromise\.try\(/, '23.5'],
]

test('package.json allows no Node that lacks what the sources use', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [, allowed = ''] = /^>=(\d+(?:\.\d+)?)$/.exec(engines.node) ?? []
  const code = [...new Glob('src/**/*.ts').scanSync(root)]
    .map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/\/\*\*[^]*?\*\/|\/\/.*/g, ''))
    .join('\n')
  const missing = NEWER_THAN_NODE_20.filter(
    ([pattern, version]) => pattern.test(code) && Bun.semver.order(`${allowed}.0`, `${version}.0`) < 0,
  )
  expect(allowed).not.toBe('')
  expect(missing).toEqual([])
})
