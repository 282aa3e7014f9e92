// Git beside repositories that others made: nothing that they name runs, nothing outside of them is read, and nothing of ours stays.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { checkOut } from '../../../src/features/compare/revisions/check-out.ts'
import { createRevisions } from '../../../src/features/compare/revisions/git-revisions.ts'

let top: string
let root: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-revisions-')))
  root = join(top, 'project')
  mkdirSync(root)
  git('init', '--quiet')
  place('style.css', 'p { color: red }\n')
  commit()
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: environment(),
  })
function commit(): void {
  git('add', '--all')
  git('commit', '--quiet', '--message=one')
}
function place(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const environment = (more: Readonly<Record<string, string>> = {}) => ({
  ...process.env,
  GIT_CONFIG_GLOBAL: join(top, 'gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
  ...more,
})

const ignore = () => {}
const contextOf = (parentEnv: Readonly<Record<string, string | undefined>> = environment()) => {
  const folder = join(top, 'ours')
  mkdirSync(folder, { recursive: true })
  const watchdog = { guard: ignore, release: ignore, guardSocket: ignore, guardFolder: async () => {} }
  return { run: 'r', tag: 't', folder, parentEnv, watchdog, findFreePort: async () => 1 }
}
const revisions = (parentEnv?: Readonly<Record<string, string | undefined>>) =>
  createRevisions({ createContext: () => contextOf(parentEnv) })
const readChanges = async () => {
  const changes = await revisions().readChanges(root, 'HEAD')
  if (!changes.ok) throw new Error(JSON.stringify(changes.error))
  return changes.value
}
const checkOutHead = (parentEnv?: Readonly<Record<string, string | undefined>>) =>
  checkOut(root, 'HEAD', contextOf(parentEnv), new AbortController().signal)

describe('the changes of a work tree', () => {
  test('of links are their targets, and what is no file is not opened', async () => {
    writeFileSync(join(top, 'diary.css'), 'secret of the diary')
    symlinkSync('../diary.css', join(root, 'new.css'))
    execFileSync('mkfifo', [join(root, 'pipe.css'), join(top, 'pipe')])
    symlinkSync('../pipe', join(root, 'linked-pipe.txt'))
    symlinkSync('/dev/zero', join(root, 'zero.txt'))
    rmSync(join(root, 'style.css'))
    symlinkSync('../diary.css', join(root, 'style.css'))
    const changes = await readChanges()
    expect(JSON.stringify(changes)).not.toContain('secret')
    const added = changes.flatMap(({ path, hunks }) =>
      hunks.flatMap((hunk) =>
        hunk.changes.flatMap(({ change, text }) => (change === 'added' ? [`${path}: ${text}`] : [])),
      ),
    )
    expect(added.toSorted()).toEqual([
      'linked-pipe.txt: ../pipe',
      'new.css: ../diary.css',
      'style.css: ../diary.css',
      'zero.txt: /dev/zero',
    ])
  })

  test('are not read through a folder that became a link', async () => {
    place('styles/one.css', 'p { color: red }\n')
    commit()
    rmSync(join(root, 'styles'), { recursive: true })
    mkdirSync(join(top, 'diaries'))
    writeFileSync(join(top, 'diaries', 'one.css'), '.secret { color: red }\n')
    symlinkSync('../diaries', join(root, 'styles'))
    const changes = await readChanges()
    expect(changes.map(({ path }) => path)).toEqual(['styles/one.css', 'styles'])
    expect(JSON.stringify(changes)).not.toContain('secret')
  })

  test('are read up to a sum', async () => {
    for (let number = 0; number < 15; number += 1) place(`new-${number}.txt`, 'line\n'.repeat(80_000))
    const sum = (await readChanges())
      .flatMap(({ hunks }) => hunks)
      .reduce((all, { text }) => all + text.length, 0)
    expect(sum).toBeGreaterThan(1_000_000)
    expect(sum).toBeLessThan(7_000_000)
  })
})

describe('a filter', () => {
  const filter = (where: string, name: string) => {
    const script = join(top, `${name}.sh`)
    writeFileSync(script, `#!/bin/sh\necho ran >> ${join(top, name)}\ncat\n`)
    chmodSync(script, 0o755)
    for (const field of ['clean', 'smudge']) git('config', where, `filter.${name}.${field}`, script)
    git('config', where, `filter.${name}.required`, 'true')
  }
  const hasRun = (name: string) => existsSync(join(top, name))

  test('of the repository does not run, and that is said; one of the user does', async () => {
    place('.gitattributes', 'own.txt filter=a=b\nusers.txt filter=users\nincluded.txt filter=included\n')
    for (const name of ['own', 'users', 'included']) place(`${name}.txt`, 'one\n')
    commit()
    filter('--local', 'a=b')
    filter('--global', 'users')
    filter(`--file=${join(root, '.git', 'more')}`, 'included')
    git('config', 'include.path', 'more')
    for (const name of ['own', 'users', 'included']) place(`${name}.txt`, 'two\n')
    expect((await readChanges()).map(({ path }) => path)).toEqual(['included.txt', 'own.txt', 'users.txt'])
    const checkout = await checkOutHead()
    if (!checkout.ok) throw new Error(JSON.stringify(checkout.error))
    expect(readFileSync(join(checkout.value.folder, 'own.txt'), 'utf8')).toBe('one\n')
    expect(checkout.value.notes.map((note) => /"(.*?)"/.exec(note)?.[1])).toEqual(['a=b', 'included'])
    expect(['a=b', 'included', 'users'].map(hasRun)).toEqual([false, false, true])
    await checkout.value.remove()
  })
})

test('packages that are a link to nowhere in the base are left alone, and the work tree goes', async () => {
  symlinkSync('/nowhere', join(root, 'node_modules'))
  symlinkSync('/nowhere', join(root, 'vendor'))
  place('package.json', '{}')
  commit()
  for (const name of ['node_modules', 'vendor']) {
    rmSync(join(root, name))
    place(`${name}/a/index.js`, '')
  }
  const checkout = await checkOutHead()
  if (!checkout.ok) throw new Error(JSON.stringify(checkout.error))
  await checkout.value.remove()
  expect(readdirSync(join(top, 'ours'))).toEqual([])
  expect(existsSync(join(root, '.git', 'worktrees'))).toBe(false)
})

test('packages that are a file are left alone', async () => {
  place('part/package.json', '{}')
  commit()
  place('node_modules', 'no folder')
  place('part/node_modules/@scope', 'no folder')
  const checkout = await checkOutHead()
  if (!checkout.ok) throw new Error(JSON.stringify(checkout.error))
  expect(existsSync(join(checkout.value.folder, 'node_modules'))).toBe(false)
  await checkout.value.remove()
})

test('lock files that are pipes or links are not read, nor are the packages of a folder that became a link', async () => {
  place('package.json', '{}')
  place('part/package.json', '{}')
  place('part/package-lock.json', '{}')
  place('package-lock.json', '{}')
  place('.gitignore', 'node_modules\n')
  commit()
  for (const name of ['package-lock.json', 'part']) rmSync(join(root, name), { recursive: true })
  mkdirSync(join(top, 'other', 'node_modules'), { recursive: true })
  symlinkSync('../other', join(root, 'part'))
  place('node_modules/a/index.js', '')
  execFileSync('mkfifo', [join(root, 'package-lock.json'), join(top, 'other', 'yarn.lock')])
  symlinkSync('/dev/zero', join(root, 'bun.lock'))
  const checkout = await checkOutHead()
  if (!checkout.ok) throw new Error(JSON.stringify(checkout.error))
  expect(checkout.value.shared).toHaveLength(1)
  expect(readdirSync(join(checkout.value.folder, 'node_modules'))).toEqual(['a'])
  expect(existsSync(join(checkout.value.folder, 'part', 'node_modules'))).toBe(false)
  await checkout.value.remove()
})

describe('what git cannot do is said', () => {
  const messageOf = (failure: unknown) => JSON.stringify(failure)

  test('without git', async () => {
    const withoutGit = environment({ PATH: join(top, 'nothing') })
    expect(messageOf(await checkOutHead(withoutGit))).toContain('git is not installed')
    const problem = await revisions(withoutGit).findRepositoryProblem(root, 'HEAD')
    expect(messageOf(problem)).toContain('git is not installed')
  })

  test.skipIf(process.getuid?.() !== 0)('in a repository of another user', async () => {
    chownSync(root, 65_534, 65_534)
    chownSync(join(root, '.git'), 65_534, 65_534)
    expect(messageOf(await checkOutHead())).toContain('safe.directory')
  })

  test('in no repository, and of a name that no file system has', async () => {
    rmSync(join(root, '.git'), { recursive: true })
    expect(messageOf(await checkOutHead())).toContain('is in no git repository')
    expect(revisions().isFolder('a'.repeat(5000))).toBe(false)
  })

  test('where objects are missing, no command of the remote runs', async () => {
    git('config', 'extensions.partialClone', 'origin')
    git('config', 'remote.origin.url', `ext::touch ${join(top, 'fetched')}`)
    git('config', 'remote.origin.promisor', 'true')
    git('config', 'protocol.ext.allow', 'always')
    const object = git('rev-parse', 'HEAD:style.css').trim()
    rmSync(join(root, '.git', 'objects', object.slice(0, 2), object.slice(2)))
    const outcome = await checkOutHead()
    expect(outcome.ok).toBe(false)
    expect(messageOf(outcome)).toContain('cannot check out')
    expect(messageOf(outcome)).toContain('git fetch --refetch')
    expect(existsSync(join(top, 'fetched'))).toBe(false)
    expect(readdirSync(join(top, 'ours'))).toEqual([])
  })
})
