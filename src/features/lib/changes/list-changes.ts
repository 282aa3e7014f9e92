// Every path that git reports as different from a commit, also in submodules and in repositories inside. Each of these is asked by itself, with a
// git that runs nothing of it.

import { lstatSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Outcome } from '../../../core/base/failure.ts'
import { map, ok } from '../../../core/base/result.ts'
import type { GitQuestion, RunGit } from '../../../core/devserver/process/run-git.ts'
import { findBase, findCommit } from './find-base.ts'
import { parseRaw, type RawChange, toRaw } from './raw-change.ts'

export interface ListedRepository {
  /** Its folder below the top, which ends in a slash; empty for the top itself. */
  readonly prefix: string
  readonly folder: string
  /** A commit, or the empty tree where all is new. */
  readonly base: string
  /** Paths are relative to its folder. */
  readonly changes: readonly RawChange[]
}

/** The repository with that top, a real path, and those inside that have changes. */
export async function listChanges(
  git: RunGit,
  top: string,
  commit: string,
): Promise<Outcome<readonly ListedRepository[]>> {
  const common = await findFolders(git, top)
  if (!common.ok) return common
  const search: Search = { git, top, common: common.value.common, left: REPOSITORY_LIMIT }
  return listRepository(search, '', commit)
}

// --- internal ---

const REPOSITORY_LIMIT = 50
const SLICE_LENGTH = 200

interface Search {
  readonly git: RunGit
  readonly top: string
  /** Where the repository of the top keeps what its work trees share. */
  readonly common: string
  /** How many repositories may be asked yet. */
  left: number
}

async function listRepository(
  search: Search,
  prefix: string,
  base: string,
): Promise<Outcome<readonly ListedRepository[]>> {
  const { git, top } = search
  const folder = join(top, prefix)
  const questions: readonly GitQuestion[] = [
    ['diff-index', '--raw', '-z', '-M', '--no-abbrev', base, '--'],
    ['ls-files', '-v', '-s', '--cached', '--others', '--exclude-standard', '-z'],
    ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'],
  ]
  const answers = await Promise.all(questions.map((question) => git(folder, question)))
  const failed = answers.find((answer) => !answer.ok)
  if (failed && !failed.ok) return failed
  const [raw = '', files = '', ignored = ''] = answers.map((answer) => (answer.ok ? answer.value : ''))
  const changes = parseRaw(raw, files)
  const own = await withoutTouched(git, folder, changes.files)
  if (!own.ok) return own
  const inner: ListedRepository[] = []
  const alone: RawChange[] = []
  const isRepository = (path: string) => statsOf(join(folder, path, '.git'))?.isDirectory() === true
  // Git says nothing of those that it ignores, and a page may load what they hold.
  const hidden = ignored.split('\0').filter((path) => path.endsWith('/') && isRepository(path))
  for (const nested of [
    ...changes.repositories,
    ...hidden.map((path) => ({ ...toRaw('?', path), isIgnored: true })),
  ]) {
    const listed = await listInner(search, prefix, nested)
    if (typeof listed !== 'string') inner.push(...listed)
    else if (listed !== '') alone.push({ ...nested, path: nested.path.replace(/\/$/, ''), problem: listed })
  }
  return ok([{ prefix, folder, base, changes: [...own.value, ...alone] }, ...inner])
}

/** The changes of a repository inside, or why it is a path of its own; empty where there is nothing to say. */
async function listInner(
  search: Search,
  prefix: string,
  { path, status, oldId, isIgnored, isListed }: RawChange & { readonly isIgnored?: true },
): Promise<readonly ListedRepository[] | string> {
  const { git, top } = search
  const own = `${prefix}${path.replace(/\/$/, '')}/`
  const folder = join(top, own)
  if (status === 'D') return 'a submodule'
  if (!statsOf(folder)?.isDirectory() || !statsOf(join(folder, '.git')))
    return isListed ? 'a submodule that is not checked out' : ''
  if (search.left-- <= 0) return `not seen (more than ${REPOSITORY_LIMIT} repositories inside)`
  const folders = await findFolders(git, folder)
  if (!folders.ok) return `a repository that git cannot read: ${wordsOf(folders)}`
  if (folders.value.top !== realpathSync(folder) || relative(top, folders.value.top).startsWith('..'))
    return 'a repository whose files are elsewhere'
  if (folders.value.common === search.common) return 'another work tree of this repository'
  const base = await findInnerBase(git, folder, isIgnored ? 'own' : oldId)
  if (!base.ok) return `a repository that git cannot read: ${wordsOf(base)}`
  if (base.value === undefined) return `a submodule without its commit ${oldId} of the base`
  const listed = await listRepository(search, own, base.value)
  return listed.ok ? listed.value : `a repository that git cannot read: ${wordsOf(listed)}`
}

/** The commit that the base records. What it does not record is new as a whole; what git ignores is compared with where its own work began. */
async function findInnerBase(
  git: RunGit,
  folder: string,
  recorded: string | undefined,
): Promise<Outcome<string | undefined>> {
  const none = async () => map(await git(folder, ['hash-object', '-t', 'tree', '--stdin']), (id) => id.trim())
  if (recorded === undefined) return none()
  if (recorded !== 'own') {
    const commit = await findCommit(git, folder, recorded)
    return commit.ok ? commit : ok(undefined)
  }
  const base = await findBase(git, folder, {})
  return base.ok ? ok(base.value.commit) : none()
}

async function findFolders(git: RunGit, folder: string) {
  const answer = await git(folder, [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-common-dir',
  ])
  return map(answer, (text) => {
    const [top = '', common = ''] = text.split('\n')
    return { top: realPathOf(top), common: realPathOf(common) }
  })
}

/** Without files that were written anew with what they had: git takes these for changed until it looks into them. */
async function withoutTouched(
  git: RunGit,
  folder: string,
  changes: readonly RawChange[],
): Promise<Outcome<readonly RawChange[]>> {
  const doubtful: RawChange[] = []
  const same = new Set<RawChange>()
  for (const [index, change] of changes.entries()) {
    if (index % SLICE_LENGTH === 0) await setImmediate()
    const { status, isRead, path, oldMode, newMode } = change
    if (status !== 'M' || !isRead || oldMode !== newMode) continue
    const stats = statsOf(join(folder, path))
    if (!stats && change.mayBeAbsent) same.add(change)
    // A name with a line break would be two.
    else if (stats?.isFile() && !/^"|\n/.test(path)) doubtful.push(change)
  }
  if (doubtful.length === 0) return ok(changes.filter((change) => !same.has(change)))
  const input = doubtful.map(({ path }) => `${path}\n`).join('')
  const hashed = await git(folder, ['hash-object', '--stdin-paths'], { input })
  // A file that went away in between is a change.
  if (!hashed.ok) return hashed.error.code === 'GIT_FAILED' && hashed.error.status ? ok(changes) : hashed
  const ids = hashed.value.split('\n')
  for (const [index, change] of doubtful.entries()) if (ids[index] === change.oldId) same.add(change)
  return ok(changes.filter((change) => !same.has(change)))
}

const wordsOf = (outcome: Outcome<unknown>): string =>
  !outcome.ok && outcome.error.code === 'GIT_FAILED' ? outcome.error.words : 'it does not answer'

function statsOf(path: string) {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
