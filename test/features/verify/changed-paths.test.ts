// What watches one folder shares its looks; a folder without a repository is looked at again.

import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { err, ok } from '../../../src/core/base/result.ts'
import type { RunGit } from '../../../src/core/devserver/process/run-git.ts'
import { createChangedPaths } from '../../../src/features/verify/change/changed-paths.ts'

const folder = realpathSync(tmpdir())

function countingGit(top: string | undefined) {
  const asked: string[] = []
  let changed = ['src/a.ts']
  const git: RunGit = async (_, args) => {
    const [command] = args
    asked.push(command)
    const answers: Readonly<Record<string, string>> = {
      'rev-parse': args.includes('--show-toplevel') ? `${top}\n` : 'c0ffee\n',
      'diff-index': changed.map((path) => `:100644 100644 aa 00 M\0${path}\0`).join(''),
    }
    return top === undefined
      ? err({ code: 'GIT_FAILED', question: command, words: 'fatal: not a git repository', status: 128 })
      : ok(answers[command] ?? '')
  }
  return { git, asked, change: (paths: string[]) => (changed = paths) }
}

const countOf = (asked: readonly string[], command: string) => asked.filter((one) => one === command).length

test('ten who watch a folder at once look twice, and each knows what is changed', async () => {
  const { git, asked } = countingGit(folder)
  const watch = createChangedPaths(
    () => git,
    async () => undefined,
  )
  const all = Array.from({ length: 10 }, () => watch(folder))
  await Promise.all(all.map(({ ready }) => ready))
  expect(all.map(({ current }) => [...current()])).toEqual(Array(10).fill(['src/a.ts']))
  expect(countOf(asked, 'diff-index')).toBe(2)
})

test('who comes later looks again', async () => {
  const { git, change } = countingGit(folder)
  const watch = createChangedPaths(
    () => git,
    async () => undefined,
  )
  await watch(folder).ready
  change(['src/a.ts', 'src/b.ts'])
  const later = watch(folder)
  await later.ready
  expect([...later.current()]).toEqual(['src/a.ts', 'src/b.ts'])
})

test('a folder that has become a repository is found', async () => {
  const none = countingGit(undefined)
  const some = countingGit(folder)
  let isRepository = false
  const watch = createChangedPaths(
    () => (isRepository ? some.git : none.git),
    async () => undefined,
  )
  expect(await watch(folder).top).toBeUndefined()
  isRepository = true
  expect(await watch(folder).top).toBe(folder)
})

test('a repository that begins below the known one takes its place', async () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-paths-')))
  const app = join(top, 'app')
  for (const path of [join(top, '.git'), app]) mkdirSync(path)
  let current = countingGit(top)
  const watch = createChangedPaths(
    () => current.git,
    async () => undefined,
  )
  expect(await watch(app).top).toBe(top)
  expect(await watch(app).top).toBe(top)
  current = countingGit(app)
  mkdirSync(join(app, '.git'))
  expect(await watch(app).top).toBe(app)
  rmSync(top, { recursive: true })
})
