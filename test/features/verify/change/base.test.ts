// Where the work began, as far as git tells: with any names of branches, in any order of commits and pushes.

import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openRepository, type Repository } from './repository.ts'

let repository: Repository
afterEach(() => repository.close())

/** A clone in which the work of `files` is done on a branch. */
function openClone(branch: string): string {
  const clone = join(repository.home, 'clone')
  repository.gitIn(repository.home, 'clone', '--quiet', `file://${repository.top}`, clone)
  repository.gitIn(clone, 'checkout', '--quiet', '-B', branch)
  return clone
}

const open = (branch = 'main') => (repository = openRepository({ 'a.js': 'one()\n' }, branch))
const work = (folder = repository.top) => repository.commit(folder)
const headOf = (folder = repository.top) => repository.gitIn(folder, 'rev-parse', 'HEAD').trim()
async function expectBase(folder: string, commit: string, isBaseKnown: boolean, began?: string) {
  const change = await repository.read(folder, undefined, began)
  expect({ ...change, files: [] }).toMatchObject({ base: commit.slice(0, 9), isBaseKnown })
}

test.each(['main', 'develop', 'Üben/1'])('a branch off %s, without a remote', async (name) => {
  const { top, git } = open(name)
  const first = headOf()
  git('checkout', '--quiet', '-b', 'feature/x')
  await expectBase(top, first, true)
  work()
  await expectBase(top, first, true)
  git('branch', 'other')
  git('branch', 'backup')
  await expectBase(top, first, true)
})

test('a branch of a clone whose default branch has any name, with and without its own upstream', async () => {
  open('stable-9')
  const first = headOf()
  const clone = openClone('feature')
  work(clone)
  await expectBase(clone, first, true)
  repository.gitIn(clone, 'push', '--quiet', '--set-upstream', 'origin', 'feature')
  await expectBase(clone, first, true)
  const pushed = headOf(clone)
  work(clone)
  await expectBase(clone, first, true)
  repository.gitIn(clone, 'checkout', '--quiet', '--track', '-b', 'part', 'origin/feature')
  work(clone)
  await expectBase(clone, pushed, true)
})

test('a branch that was taken over by the default one began where git noted it', async () => {
  const { top, git } = open()
  git('config', 'init.defaultBranch', 'main')
  const first = headOf()
  git('checkout', '--quiet', '-b', 'feature')
  work()
  git('branch', '--force', 'main', 'feature')
  await expectBase(top, first, true)
})

test('work on the default branch began where the ledger says, pushed or not', async () => {
  open()
  const first = headOf()
  const clone = openClone('main')
  await expectBase(clone, first, false)
  const second = work(clone)
  await expectBase(clone, first, true)
  repository.git('checkout', '--quiet', '--detach')
  repository.gitIn(clone, 'push', '--quiet', 'origin', 'main')
  await expectBase(clone, second, false)
  await expectBase(clone, first, true, first)
  const third = work(clone)
  await expectBase(clone, second, true)
  await expectBase(clone, first, true, first)
  await expectBase(clone, second, true, third)
  await expectBase(clone, second, true, 'c0ffee'.repeat(6).concat('c0ff'))
})

test('a branch beside an old one does not take that for its beginning', async () => {
  const { top, git } = open()
  git('branch', 'old')
  const second = work()
  await expectBase(top, second, false)
  await expectBase(top, second, true, second)
})

test('nothing tells where a shallow, detached or single branch began', async () => {
  const { top, home, gitIn, git } = open()
  const head = work()
  const shallow = join(home, 'shallow')
  gitIn(home, 'clone', '--quiet', '--depth=1', `file://${top}`, shallow)
  await expectBase(shallow, head, false)
  git('checkout', '--quiet', '-b', 'feature')
  const work1 = work()
  git('checkout', '--quiet', 'main')
  const single = join(home, 'single')
  gitIn(home, 'clone', '--quiet', '--single-branch', '--branch=feature', `file://${top}`, single)
  await expectBase(single, work1, false)
  const work2 = work(single)
  await expectBase(single, work2, false)
  gitIn(single, 'checkout', '--quiet', '--detach')
  gitIn(single, 'branch', '--delete', '--force', 'feature')
  gitIn(single, 'update-ref', '-d', 'refs/remotes/origin/feature')
  await expectBase(single, work2, false)
})

test('a detached commit beside its default branch left that', async () => {
  open('trunk-2')
  const first = headOf()
  const clone = openClone('work')
  work(clone)
  repository.gitIn(clone, 'checkout', '--quiet', '--detach')
  await expectBase(clone, first, true)
})

test('what is asked for is taken as it is, or is refused with the words of git', async () => {
  const { top } = open()
  const first = headOf()
  work()
  expect(await repository.read(top, 'HEAD~1')).toMatchObject({ base: 'HEAD~1', isBaseKnown: true })
  expect(await repository.readOutcome(top, 'nothing')).toMatchObject({
    error: { code: 'INVALID_PARAMETERS', field: 'base', received: '"nothing"' },
  })
  expect(await repository.readOutcome(top, '@{upstream}')).toMatchObject({
    error: { field: 'base', received: expect.stringContaining('no upstream configured') },
  })
  expect(first).toHaveLength(40)
})
