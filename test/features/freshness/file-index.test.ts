// What counts as a change of a file, in folders with git and without.

import { afterEach, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createRunGit } from '../../../src/core/devserver/process/run-git.ts'
import { createFileIndex, type FileIndex } from '../../../src/features/freshness/file-index.ts'
import { createFileLister, findProjectRoot } from '../../../src/features/freshness/list-files.ts'

const git = createRunGit({ run: 'r', tag: 't', parentEnv: process.env })
const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function place(files: Readonly<Record<string, string>>, hasGit: boolean): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-index-')))
  folders.push(root)
  for (const [path, text] of Object.entries(files)) write(root, path, text)
  if (hasGit) execFileSync('git', ['init', '-q'], { cwd: root })
  return root
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const open = (folder: string): FileIndex =>
  createFileIndex(folder, createFileLister(folder, findProjectRoot(folder), git))

/** The first contents are read in turns of the event loop. */
async function openKnown(folder: string): Promise<FileIndex> {
  const index = open(folder)
  await index.look()
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  return index
}

const pathsOf = async (index: FileIndex) => [...(await index.look()).changes.keys()].toSorted()

/** The paths of the files whose present content came after `time`. */
const changedSince = async (index: FileIndex, time: number) =>
  [...(await index.look()).changes].flatMap(([path, { at }]) => (at > time ? [path] : [])).toSorted()

const past = new Date(Date.now() - 3_600_000)
/** Times of files are in steps of some milliseconds. */
const step = () => Bun.sleep(60)

describe.each([true, false])('with git: %p', (hasGit) => {
  test('files of any folder and ending are looked at, hidden ones too; packages are not', async () => {
    const root = place(
      { 'docs/a.md': '', 'test/b.liquid': '', '.config/c.yaml': '', 'tmp/d': '', 'node_modules/x/i.js': '' },
      hasGit,
    )
    expect(await pathsOf(open(root))).toEqual(['.config/c.yaml', 'docs/a.md', 'test/b.liquid', 'tmp/d'])
  })

  test('another content is a change; a touched, copied or moved file with the same one is not', async () => {
    const root = place({ 'a.js': 'one', 'b.js': 'one', 'c.js': 'one' }, hasGit)
    const index = await openKnown(root)
    await step()
    const start = Date.now() - 20
    const path = (name: string) => join(root, name)
    utimesSync(path('a.js'), new Date(), new Date())
    chmodSync(path('b.js'), 0o600)
    writeFileSync(path('c.js.new'), readFileSync(path('c.js')))
    renameSync(path('c.js.new'), path('c.js'))
    expect(await changedSince(index, start)).toEqual([])
    writeFileSync(path('a.js'), 'two')
    expect(await changedSince(index, start)).toEqual(['a.js'])
  })

  test('a content with an old time is a change of now: mv of a backup, cp -p', async () => {
    const root = place({ 'a.js': 'one', 'b.js': 'one', 'a.bak': 'old' }, hasGit)
    utimesSync(join(root, 'a.bak'), past, past)
    const index = await openKnown(root)
    await step()
    const start = Date.now() - 20
    cpSync(join(root, 'a.bak'), join(root, 'b.js'), { preserveTimestamps: true })
    renameSync(join(root, 'a.bak'), join(root, 'a.js'))
    expect(await changedSince(index, start)).toEqual(['a.bak', 'a.js', 'b.js'])
  })

  test('a file in a new folder is seen, and one that came with a folder of old files', async () => {
    const root = place({ 'a.js': 'one', 'empty/deep/.keep': '' }, hasGit)
    rmSync(join(root, 'empty/deep/.keep'))
    const outside = place({ 'old.js': 'x' }, false)
    const index = await openKnown(root)
    await step()
    const start = Date.now() - 20
    write(root, 'empty/deep/b.js', 'x')
    mkdirSync(join(root, 'fresh'))
    expect(await changedSince(index, start)).toEqual(['empty/deep/b.js'])
    write(root, 'fresh/c.js', 'x')
    renameSync(outside, join(root, 'moved'))
    expect(await changedSince(index, start)).toEqual(['empty/deep/b.js', 'fresh/c.js', 'moved/old.js'])
  })

  test('a time that is still to come is not that of the change', async () => {
    const root = place({ 'a.js': 'one' }, hasGit)
    const index = await openKnown(root)
    await step()
    writeFileSync(join(root, 'a.js'), 'two')
    const future = new Date(Date.now() + 3_600_000)
    utimesSync(join(root, 'a.js'), future, future)
    await step()
    const before = Date.now() - 40
    expect(await changedSince(index, before)).toEqual([])
  })

  test('a folder of elsewhere that is linked here is a part of the project', async () => {
    const shared = place({ 'x.txt': 'one' }, false)
    const root = place({ 'a.js': 'one' }, hasGit)
    symlinkSync(shared, join(root, 'content'))
    expect(await pathsOf(open(root))).toContain('content/x.txt')
  })

  test('a content that comes back has the time in which it was there before', async () => {
    const root = place({ 'a.js': 'one' }, hasGit)
    const index = await openKnown(root)
    await step()
    const between = Date.now()
    await step()
    writeFileSync(join(root, 'a.js'), 'two')
    const first = (await index.look()).changes.get('a.js')
    expect([first?.same, first?.earlierHashes]).toEqual([undefined, [expect.any(String)]])
    await step()
    writeFileSync(join(root, 'a.js'), 'one')
    const change = (await index.look()).changes.get('a.js')
    expect(change?.same?.from).toBeLessThan(between)
    expect(change?.same?.until).toBeGreaterThan(between)
  })

  test('a file that is removed has changed; one of an editor is forgotten', async () => {
    const root = place({ 'a.js': 'one' }, hasGit)
    const index = await openKnown(root)
    await step()
    const start = Date.now() - 20
    write(root, '4913', '')
    await index.look()
    rmSync(join(root, '4913'))
    rmSync(join(root, 'a.js'))
    expect(await changedSince(index, start)).toEqual(['a.js'])
  })
})

test('what git ignores is not looked at, until it no longer does', async () => {
  const root = place(
    { '.gitignore': 'dist/\n*.log\n', 'dist/a.js': '', 'b.log': '', 'c.js': '', '.env': 'A=1' },
    true,
  )
  const index = await openKnown(root)
  expect(await pathsOf(index)).toEqual(['.env', '.gitignore', 'c.js'])
  write(root, 'd.log', '')
  write(root, 'e.js', '')
  expect(await pathsOf(index)).toEqual(['.env', '.gitignore', 'c.js', 'e.js'])
  await step()
  writeFileSync(join(root, '.gitignore'), '*.log\n')
  expect(await pathsOf(index)).toEqual(['.env', '.gitignore', 'c.js', 'dist/a.js', 'e.js'])
})

test('the rest of the repository, or of a workspace, is looked at too, by its way from the folder', async () => {
  for (const hasGit of [true, false]) {
    const root = place(
      {
        'package.json': '{"workspaces": ["apps/*", "packages/*"]}',
        'apps/web/a.js': '',
        'packages/ui/src/b.ts': '',
      },
      hasGit,
    )
    expect(await pathsOf(open(join(root, 'apps/web')))).toEqual([
      '../../package.json',
      '../../packages/ui/src/b.ts',
      'a.js',
    ])
  }
})

test('a repository inside of another one, and a folder that is ignored, are looked at', async () => {
  const root = place({ '.gitignore': 'scratch/\n', 'a.js': '', 'inner/b.js': '', 'scratch/c.js': '' }, true)
  execFileSync('git', ['init', '-q'], { cwd: join(root, 'inner') })
  expect(await pathsOf(open(root))).toEqual(['.gitignore', 'a.js', 'inner/b.js'])
  expect(await pathsOf(open(join(root, 'scratch')))).toEqual(['c.js'])
})

test('git keeps its index as it is', async () => {
  const root = place({ 'a.js': 'one' }, true)
  execFileSync('git', ['add', '-A'], { cwd: root })
  utimesSync(join(root, 'a.js'), past, past)
  const before = readFileSync(join(root, '.git/index'))
  const index = await openKnown(root)
  write(root, 'b.js', '')
  await index.look()
  expect(readFileSync(join(root, '.git/index')).equals(before)).toBe(true)
})
