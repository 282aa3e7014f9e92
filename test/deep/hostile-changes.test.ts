// Repositories that others made, with any names, links, sizes and encodings: a comparison reads what is in them, and leaves nothing.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { judgeCause } from '../../src/features/compare/differences/judge-cause.ts'
import { checkOut } from '../../src/features/compare/revisions/check-out.ts'
import { createRevisions } from '../../src/features/compare/revisions/git-revisions.ts'
import { addedFile, changedSelectors, parseDiff } from '../../src/features/lib/changes/changed-file.ts'

const CASES = 10_000
const FILES = 250
const LIMIT_MS = 1000
const SECRET = 'the words of a diary'

let top = ''
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-changes-')))
  mkdirSync(join(top, 'diaries', 'node_modules', SECRET), { recursive: true })
  for (const name of ['one.css', 'index.html', 'package-lock.json', 'package.json'])
    writeFileSync(join(top, 'diaries', name), `.a { content: '${SECRET}' }\n`)
  execFileSync('mkfifo', [join(top, 'diaries', 'pipe')])
  mkdirSync(join(top, 'ours'))
})
afterAll(() => rmSync(top, { recursive: true, force: true }))

const NAMES = [
  ...['one.css', 'index.html', 'package.json', 'package-lock.json', 'yarn.lock', 'bun.lock', 'node_modules'],
  ...['vendor', '.venv', '.gitattributes', '.gitignore', 'a\nb.css', '+++ b', '-', '--help'],
  ...[
    '\u2028+++ b',
    '"quoted".css',
    'back\\slash.vue',
    'ümläut.css',
    'tab\tname.css',
    '$(touch x)',
    ' ',
    '~',
  ],
  ...['@@ -1 +1 @@', 'diff --git a', ':(top)x.css', 'a b.html', '\u202egnp.css', `${'n'.repeat(200)}.css`],
]
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', minLength: 1, maxLength: 12 })
      .map((text) => text.replaceAll(/[/\0]/g, '_').toWellFormed())
      .filter((text) => !/^\.{0,2}$|^\.git$/i.test(text)),
  },
)
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))

const content = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    ...[
      '.a { color: red }\n',
      '.a { color: blue }\n',
      '{',
      '\uFEFFp {}',
      '\r\r\n',
      '/*',
      '<style>.a{',
      '',
    ].map((text) => Buffer.from(text)),
    Buffer.from('.a { }\n', 'utf16le'),
    Buffer.from('p { color: red }\n'.repeat(20_000)),
    Buffer.from(`.a{}${'x'.repeat(490_000)}`),
    Buffer.alloc(600_000, '}'),
    Buffer.from('diff --git a/x b/x\n+++ b/../diaries/one.css\n@@ -1 +1 @@\n'),
  ),
)
type Put = { readonly path: string } & (
  { readonly bytes: Buffer } | { readonly target: string } | { readonly isPipe: true }
)
const TARGETS = [
  '../diaries',
  '../diaries/one.css',
  '../diaries/pipe',
  '/dev/zero',
  '/dev/tty',
  '.',
  '..',
  'nowhere',
]
const put: fc.Arbitrary<Put> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ path, bytes: content }) },
  { weight: 2, arbitrary: fc.record({ path, target: fc.constantFrom(...TARGETS) }) },
  { weight: 1, arbitrary: fc.record({ path, isPipe: fc.constant(true as const) }) },
)

const environment = () => ({
  ...process.env,
  GIT_CONFIG_GLOBAL: join(top, 'gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
})
const gitIn = (root: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    ...{ cwd: root, encoding: 'utf8', env: environment(), stdio: ['ignore', 'pipe', 'ignore'] },
  })
const ignore = () => {}
const context = () => ({
  ...{ run: 'r', tag: 't', folder: join(top, 'ours'), parentEnv: environment() },
  watchdog: { guard: ignore, release: ignore, guardSocket: ignore, guardFolder: async () => {} },
  findFreePort: async () => 1,
})

/** Puts a file in the repository, in place of what is there; never through a link. */
function place(root: string, { path: inside, ...what }: Put): void {
  const parts = inside.split('/')
  try {
    for (let count = 1; count < parts.length; count += 1) {
      const folder = join(root, ...parts.slice(0, count))
      const status = lstatSync(folder, { throwIfNoEntry: false })
      if (status && !status.isDirectory()) rmSync(folder, { force: true })
      if (!status?.isDirectory()) mkdirSync(folder)
    }
    const file = join(root, inside)
    rmSync(file, { recursive: true, force: true })
    if ('bytes' in what) writeFileSync(file, what.bytes)
    else if ('target' in what) symlinkSync(what.target, file)
    // Git itself waits for those that it reads.
    else if (!/\.git(?:ignore|attributes)$/.test(file)) execFileSync('mkfifo', [file])
  } catch {
    // A name that this file system does not have.
  }
}

const stateOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((file) => `${file} ${statSync(join(folder, file)).mtimeMs}`)

async function expectQuick<T>(work: () => Promise<T> | T): Promise<T> {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(LIMIT_MS)
  return result
}

async function compareWith(root: string): Promise<void> {
  const revisions = createRevisions({ createContext: context })
  const read = await expectQuick(() => revisions.readChanges(root, 'HEAD'))
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  const changed = read.value
  expect(JSON.stringify(changed)).not.toContain(SECRET)
  for (const file of changed) expect(file.path).not.toMatch(/^\.\.\/|\/\.\.\//)
  await expectQuick(() => changed.forEach(changedSelectors))
  const checkout = await expectQuick(() => checkOut(root, 'HEAD', context(), new AbortController().signal))
  if (checkout.ok) await checkout.value.remove()
  expect(readdirSync(join(top, 'ours'))).toEqual([])
  expect(existsSync(join(root, '.git', 'worktrees'))).toBe(false)
}

test('a repository of any files is compared or refused; nothing outside of it is read or written', async () => {
  const outside = stateOf(join(top, 'diaries'))
  const many = fc.array(put, { minLength: FILES / 2, maxLength: FILES / 2 })
  await fc.assert(
    fc.asyncProperty(many, many, fc.boolean(), async (before, after, isRaw) => {
      const root = join(top, 'project')
      rmSync(root, { recursive: true, force: true })
      mkdirSync(root)
      gitIn(root, 'init', '--quiet')
      // With it git writes names as they are.
      if (isRaw) gitIn(root, 'config', 'core.quotePath', 'false')
      for (const file of before) place(root, file)
      gitIn(root, 'add', '--all', '--force')
      gitIn(root, 'commit', '--quiet', '--allow-empty', '--message=one')
      for (const file of after) place(root, file)
      await compareWith(root)
      rmSync(root, { recursive: true, force: true })
    }),
    { numRuns: CASES / FILES, endOnFailure: true },
  )
  expect(stateOf(join(top, 'diaries'))).toEqual(outside)
  expect(readdirSync(top).toSorted()).toEqual(['diaries', 'ours'])
}, 1_800_000)

const DIFF_LINES = [
  ...[
    'diff --git a/a.css b/a.css',
    'diff --git "a/\\303" "b/\\303"',
    '--- a/a.css',
    '+++ b/a.css',
    '+++ /dev/null',
  ],
  ...[
    '@@ -1,2 +1,2 @@',
    '@@ -0,0 +999999999999,1 @@',
    '@@ -1 +1 @@ .a {',
    '@@ -',
    '+.a { color: red }',
    '-old',
    ' ',
  ],
  ...[
    '+"literal"',
    "-'literal'",
    '+`${a}`',
    '\\ No newline at end of file',
    'Binary files a/x and b/x differ',
    '',
  ],
  ...['new file mode 120000', 'index 0..1', 'rename from a', '+\u2028', '+}', '+/*', '+++ b/../x', '\r'],
]
test('a diff of any lines is read, and a difference is explained by it', async () => {
  const line = fc.oneof(fc.constantFrom(...DIFF_LINES), fc.string({ unit: 'binary', maxLength: 30 }))
  const shown = fc.oneof(fc.constantFrom('literal', 'old', 'red', ''), fc.string({ maxLength: 10 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 40 }),
      fc.constantFrom(...Array(19).fill(1), 500),
      shown,
      fc.integer({ min: -1, max: 2 ** 31 }),
      async (lines, times, selector, at) =>
        expectQuick(() => {
          const text = `${lines.join('\n')}\n`.repeat(times)
          // Of all together 5 MB are read at most.
          const changed = [addedFile('b.html', text), ...parseDiff(text)].map((file, index) =>
            index < 5 ? { ...file, content: text } : file,
          )
          const source = { file: 'a.css', line: at }
          for (const side of ['base', 'current'] as const) {
            const { file = '' } = judgeCause({ side, selectors: [selector], source }, changed)
            expect(['', 'a.css', ...changed.map((one) => one.path)]).toContain(file)
          }
        }),
    ),
    { numRuns: CASES, endOnFailure: true },
  )
}, 1_800_000)
