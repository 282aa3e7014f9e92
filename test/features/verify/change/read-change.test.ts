// Every path that git reports is in the change once, with what is known of it; what git cannot tell is a failure.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { ChangedPath } from '../../../../src/features/verify/change/changed-path.ts'
import { openRepository, type Repository } from './repository.ts'

const TEXT = 'one()\ntwo()\nthree()\nfour()\n'

let repository: Repository
beforeEach(() => {
  repository = openRepository({ 'a.js': TEXT, 'b.js': 'b()\n' })
})
afterEach(() => repository.close())

async function readFiles(base?: string): Promise<Readonly<Record<string, Partial<ChangedPath>>>> {
  const { files } = await repository.read(undefined, base)
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
  return Object.fromEntries(files.map(({ path, editedAt: _, hash: __, ...file }) => [path, file]))
}
const same = { removals: [] }

describe('a file', () => {
  test('that is edited has its lines, those beside removed ones, and both texts', async () => {
    const content = 'zero()\none()\n2()\nfour()\n'
    repository.write('a.js', content)
    expect(await readFiles()).toEqual({
      'a.js': {
        change: 'edited',
        content,
        baseContent: TEXT,
        lines: [1, 3],
        removals: [],
      },
    })
  })

  test.each([
    ['at the beginning', 'three()\nfour()\n', { line: 1, oldLine: 1, count: 2 }],
    ['in the middle', 'one()\nfour()\n', { line: 2, oldLine: 2, count: 2 }],
    ['at the end', 'one()\n', { line: 1, oldLine: 2, count: 3 }],
    ['all of it', '', { line: 0, oldLine: 1, count: 4 }],
  ])('of which lines are only removed, %s', async (_, content, beside) => {
    repository.write('a.js', content)
    expect(await readFiles()).toMatchObject({ 'a.js': { change: 'edited', lines: [], removals: [beside] } })
  })

  test('that is gone, moved or given other rights', async () => {
    const { top, git, write } = repository
    write('moved.js', 'moved()\n')
    write('edited.js', `${TEXT}five()\n`)
    repository.commit()
    rmSync(join(top, 'b.js'))
    chmodSync(join(top, 'a.js'), 0o755)
    git('mv', 'edited.js', 'new.js')
    write('new.js', `${TEXT}5()\n`)
    mkdirSync(join(top, 'src'))
    renameSync(join(top, 'moved.js'), join(top, 'src/moved.js'))
    expect(await readFiles('HEAD')).toMatchObject({
      'a.js': { change: 'edited', content: TEXT, lines: [], ...same },
      'b.js': { change: 'removed', baseContent: 'b()\n', lines: [], ...same },
      'new.js': { change: 'renamed', from: 'edited.js', lines: [5], baseContent: `${TEXT}five()\n` },
      'src/moved.js': { change: 'renamed', from: 'moved.js', lines: [], ...same },
    })
    expect(Object.keys(await readFiles('HEAD'))).toHaveLength(4)
  })

  test('that is gone or moved in the index alone is there', async () => {
    const { git, write } = repository
    git('mv', 'a.js', 'copy.js')
    git('rm', '--quiet', '--cached', 'b.js')
    write('a.js', TEXT.replace('two', '2'))
    expect(await readFiles()).toMatchObject({
      'a.js': { change: 'edited', baseContent: TEXT },
      'copy.js': { change: 'added', lines: [1, 2, 3, 4] },
    })
    write('a.js', TEXT)
    expect(Object.keys(await readFiles())).toEqual(['copy.js'])
  })

  test('with what it had, written anew, is not changed', async () => {
    repository.write('b.png', 'x\0y')
    repository.commit()
    for (const name of ['a.js', 'b.png']) utimesSync(join(repository.top, name), 1, 1)
    expect(await readFiles('HEAD')).toEqual({})
  })

  const NAMES = [
    'it\'s "b".js',
    'ta\tb.js',
    'new\nline.js',
    'ü\u0308.js',
    'a#b.js',
    '100%25.js',
    'que?.js',
    'back\\slash.js',
  ]
  test.each([
    ...NAMES,
    '-dash.js',
    ':(top)x.js',
    '[id]/(group)/$x.js',
    ' a .js',
    '\u2028.js',
    '"q"',
    'b/b/a.js',
    '\u0001.js',
  ])('named %j has its own lines, added, edited, moved and removed', async (name) => {
    const { top, git, write, commit } = repository
    write(name, TEXT)
    expect(await readFiles()).toEqual({
      [name]: { change: 'added', content: TEXT, lines: [1, 2, 3, 4], ...same },
    })
    commit()
    write(name, TEXT.replace('two', '2'))
    expect(await readFiles('HEAD')).toMatchObject({ [name]: { change: 'edited', lines: [2] } })
    git('mv', '--', name, `${name}.moved`)
    expect(await readFiles('HEAD')).toMatchObject({
      [`${name}.moved`]: { change: 'renamed', from: name, lines: [2] },
    })
    rmSync(join(top, `${name}.moved`))
    expect(await readFiles('HEAD')).toMatchObject({ [name]: { change: 'removed', baseContent: TEXT } })
  })

  test('with a mark of byte order, with other line ends, in UTF-16', async () => {
    const { git, write } = repository
    git('config', 'core.autocrlf', 'true')
    write('c.js', '\ufeffone()\r\ntwo()\r\n')
    write('wide.js', Buffer.from('\ufeffone()\ntwo()\n', 'utf16le'))
    repository.commit()
    expect(await readFiles('HEAD')).toEqual({})
    write('c.js', '\ufeffone()\r\n2()\r\n')
    write('wide.js', Buffer.from('\ufeffone()\n2()\n', 'utf16le'))
    expect(await readFiles('HEAD')).toMatchObject({
      'c.js': { content: 'one()\r\n2()\r\n', lines: [2] },
      'wide.js': { content: 'one()\n2()\n', lines: [2] },
    })
  })

  test('that has texts like those of git', async () => {
    const trap = 'x\u2028diff --git a/b.js b/b.js\n\rdiff --git a/b.js b/b.js\n-- a\n++ b\n@@ -1 +1 @@\n'
    repository.write('a.js', trap)
    expect(await readFiles()).toMatchObject({ 'a.js': { lines: [1, 2, 3, 4, 5], content: trap } })
  })

  test('without a text stands there with the reason', async () => {
    const { top, home, write } = repository
    write('picture.png', 'x\0y')
    write('large.js', 'x'.repeat(2_500_000))
    symlinkSync('../secret', join(top, 'link.js'))
    writeFileSync(join(home, 'secret'), 'the words of a diary')
    rmSync(join(top, 'b.js'))
    symlinkSync('a.js', join(top, 'b.js'))
    execFileSync('mkfifo', [join(top, 'pipe')])
    rmSync(join(top, 'a.js'))
    execFileSync('mkfifo', [join(top, 'a.js')])
    const files = await readFiles()
    expect(JSON.stringify(files)).not.toContain('diary')
    expect(files).toMatchObject({
      'picture.png': { change: 'added', noContent: 'binary', lines: [] },
      'large.js': { noContent: 'too large (3 MB)' },
      'link.js': { noContent: 'a link to ../secret' },
      'b.js': { change: 'edited', noContent: 'a link to a.js', baseContent: 'b()\n' },
    })
    expect(files['a.js']).toBeDefined()
  })

  test('that git takes for unchanged by its flags is compared', async () => {
    const { top, git, write } = repository
    write('c.js', 'c()\n')
    repository.commit()
    git('update-index', '--assume-unchanged', 'a.js', 'c.js')
    git('update-index', '--skip-worktree', 'b.js')
    expect(await readFiles('HEAD')).toEqual({})
    write('a.js', 'hidden()\n')
    write('b.js', 'hidden()\n')
    rmSync(join(top, 'c.js'))
    expect(await readFiles('HEAD')).toMatchObject({
      'a.js': { change: 'edited', lines: [1], baseContent: TEXT },
      'b.js': { change: 'edited', lines: [1] },
      'c.js': { change: 'removed', baseContent: 'c()\n' },
    })
  })

  test.each([
    ...[
      'diff.orderFile',
      'diff.external',
      'color.ui',
      'diff.algorithm',
      'diff.wsErrorHighlight',
      'diff.context',
    ],
    ...[
      'diff.noprefix',
      'diff.mnemonicPrefix',
      'diff.relative',
      'diff.suppressBlankEmpty',
      'diff.renames',
      'diff.interHunkContext',
    ],
  ])('has the same lines whatever %s is', async (key) => {
    const values: Readonly<Record<string, string>> = {
      ...{
        'diff.orderFile': 'gone.txt',
        'diff.external': 'false',
        'color.ui': 'always',
        'diff.algorithm': 'histogram',
      },
      ...{
        'diff.wsErrorHighlight': 'all',
        'diff.context': '9',
        'diff.renames': 'false',
        'diff.interHunkContext': '9',
      },
    }
    repository.git('config', key, values[key] ?? 'true')
    repository.write('.gitattributes', '*.js -diff\n')
    repository.write('a.js', TEXT.replace('two', '2').replace('four', '4'))
    expect(await readFiles()).toMatchObject({ 'a.js': { lines: [2, 4] } })
  })
})

describe('a repository inside', () => {
  const addSubmodule = () => {
    const { home, top, gitIn, begin, commit } = repository
    const library = join(home, 'library')
    begin(library)
    for (const name of ['x.js', 'y.js']) writeFileSync(join(library, name), 'one()\n')
    commit(library)
    gitIn(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${library}`, 'lib')
    return commit()
  }

  test('has its changes since the commit that the base records, committed or not', async () => {
    const { top, write, commit } = repository
    const first = addSubmodule()
    expect(await readFiles('HEAD')).toEqual({})
    write('lib/x.js', 'two()\n')
    expect(await readFiles('HEAD')).toMatchObject({
      'lib/x.js': { change: 'edited', lines: [1], baseContent: 'one()\n' },
    })
    commit(join(top, 'lib'))
    commit()
    rmSync(join(top, 'lib/y.js'))
    const files = await readFiles(first)
    expect(files).toMatchObject({ 'lib/x.js': { change: 'edited' }, 'lib/y.js': { change: 'removed' } })
    expect(Object.keys(files)).toHaveLength(2)
  })

  test('that is new, ignored or unknown is looked at', async () => {
    const { top, write, begin, commit } = repository
    write('.gitignore', 'ignored/\n')
    const first = commit()
    for (const name of ['nested', 'ignored']) {
      begin(join(top, name))
      write(`${name}/x.js`, 'one()\n')
      commit(join(top, name))
      write(`${name}/y.js`, 'one()\n')
    }
    addSubmodule()
    expect(await readFiles(first)).toMatchObject({
      '.gitmodules': { change: 'added' },
      'nested/x.js': { change: 'added' },
      'nested/y.js': { change: 'added' },
      'ignored/y.js': { change: 'added' },
      'lib/x.js': { change: 'added' },
      'lib/y.js': { change: 'added' },
    })
  })

  test('that cannot be read is a path of its own', async () => {
    const { top, git, gitIn, commit } = repository
    const first = addSubmodule()
    git('rm', '--quiet', '--cached', 'lib')
    git('update-index', '--add', '--cacheinfo', `160000,${'5'.repeat(40)},lib`)
    git('commit', '--quiet', '--message=moved')
    expect(await readFiles('HEAD')).toMatchObject({
      lib: { noContent: `a submodule without its commit ${'5'.repeat(40)} of the base` },
    })
    git('reset', '--quiet', '--hard', first)
    writeFileSync(join(top, 'lib/x.js'), 'two()\n')
    commit(join(top, 'lib'))
    commit()
    git('submodule', '--quiet', 'deinit', '--force', 'lib')
    expect(await readFiles(first)).toMatchObject({
      lib: { change: 'edited', noContent: 'a submodule that is not checked out' },
    })
    git('rm', '--quiet', '--cached', 'lib')
    rmSync(join(top, 'lib'), { recursive: true })
    expect(await readFiles(first)).toMatchObject({ lib: { change: 'removed' } })
    gitIn(top, 'worktree', 'add', '--quiet', '--detach', 'beside')
    expect(await readFiles('HEAD')).toMatchObject({
      beside: { noContent: 'another work tree of this repository' },
    })
  })

  test('whose files are elsewhere is not read', async () => {
    const { home, top, begin, commit, gitIn } = repository
    const other = join(home, 'other')
    begin(other)
    writeFileSync(join(other, 'words'), 'secret')
    commit(other)
    begin(join(top, 'nested'))
    gitIn(join(top, 'nested'), 'config', 'core.worktree', other)
    const files = await readFiles()
    expect(JSON.stringify(files)).not.toContain('secret')
    expect(files['nested']?.noContent).toBe('a repository whose files are elsewhere')
  })
})

describe('what git cannot tell is a failure with its words', () => {
  test('in a clone that lacks objects of the base', async () => {
    const { home, top, git, gitIn, write, commit, readOutcome } = repository
    git('config', 'uploadpack.allowFilter', 'true')
    write('a.js', 'later()\n')
    commit()
    const clone = join(home, 'clone')
    gitIn(home, 'clone', '--quiet', '--filter=blob:none', `file://${top}`, clone)
    expect(await readOutcome(clone, 'HEAD~1')).toMatchObject({ ok: false, error: { code: 'GIT_FAILED' } })
  })

  test('where an object is broken', async () => {
    const { top, git, write, readOutcome } = repository
    const id = git('rev-parse', 'HEAD:a.js').trim()
    write('a.js', 'other()\n')
    rmSync(join(top, '.git/objects', id.slice(0, 2), id.slice(2)))
    expect(await readOutcome()).toMatchObject({
      ok: false,
      error: { code: 'GIT_FAILED', words: expect.stringContaining(id) },
    })
  })

  test('where the index is none', async () => {
    writeFileSync(join(repository.top, '.git/index'), 'none')
    expect(await repository.readOutcome()).toMatchObject({
      ok: false,
      error: { code: 'GIT_FAILED', status: 128 },
    })
  })
})

test('ten thousand new files keep nobody waiting, and each is named', async () => {
  const folder = join(repository.top, 'packages')
  mkdirSync(folder)
  const text = 'line()\n'.repeat(8600)
  for (let index = 0; index < 10_000; index += 1) writeFileSync(join(folder, `${index}.js`), text)
  repository.write('small.js', 'one()\n')
  let [longest, last] = [0, performance.now()]
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const files = await readFiles()
  clearInterval(watch)
  expect(Object.keys(files)).toHaveLength(10_001)
  expect(files['small.js']?.lines).toEqual([1])
  const without = Object.values(files).filter(({ noContent }) => noContent === 'too many files (10001)')
  expect(without.length).toBeGreaterThan(9000)
  // What one piece took before was more than ten times of this.
  expect(longest).toBeLessThan(1000)
}, 120_000)

const NAMES = ['a.js', 'b.js', 'src/ü "q".js', 'src/new\nline', 'x/y/z.css']
type Step = readonly [
  kind: 'write' | 'remove' | 'move' | 'add' | 'commit' | 'mode',
  name: number,
  text: number,
]
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom<Step[0]>('write', 'write', 'remove', 'move', 'add', 'commit', 'mode'),
  fc.nat(NAMES.length - 1),
  fc.nat(3),
)

test('whatever is done, the paths of git are those of the change, each once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const own = openRepository({ 'a.js': TEXT, 'b.js': 'b()\n' })
      const { top, git, write } = own
      try {
        for (const [kind, name, text] of steps) {
          const path = NAMES[name] ?? ''
          const isThere = existsSync(join(top, path))
          if (kind === 'write') write(path, TEXT.repeat(text))
          if (kind === 'remove') rmSync(join(top, path), { force: true })
          if (kind === 'move' && isThere) renameSync(join(top, path), join(top, `moved-${text}`))
          if (kind === 'add') git('add', '--all')
          if (kind === 'commit') own.commit()
          if (kind === 'mode' && isThere) chmodSync(join(top, path), text > 1 ? 0o755 : 0o644)
        }
        const base = git('rev-list', '--max-parents=0', 'HEAD').trim()
        const change = await own.read(top, base)
        const paths = change.files.flatMap(({ path, from }) => (from === undefined ? path : [path, from]))
        git('add', '--all')
        const listed = git('diff', '--cached', '--no-renames', '--name-only', '-z', base)
          .split('\0')
          .filter(Boolean)
        expect(paths.toSorted()).toEqual(listed.toSorted())
      } finally {
        own.close()
      }
    }),
    { numRuns: 25 },
  )
  expect(readdirSync(repository.top)).toContain('a.js')
}, 300_000)
