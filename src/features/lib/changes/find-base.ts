// The commit with which the work tree is compared: the one that was asked for, or else where the work began, as far as git knows that.

import { type Failure, invalidParameter, type Outcome } from '../../../core/base/failure.ts'
import { err, map, ok } from '../../../core/base/result.ts'
import type { ProgramLimits } from '../../../core/devserver/process/allowed-programs.ts'
import { orNo, type RunGit } from '../../../core/devserver/process/run-git.ts'

export interface Base {
  readonly commit: string
  /** Whether something tells that the work began there. */
  readonly isKnown: boolean
}

interface BaseRequest {
  /** The revision that a caller names. */
  readonly revision?: string | undefined
  /** A commit that the caller knows as the beginning of the work. */
  readonly began?: string | undefined
}

/** Fails with INVALID_PARAMETERS, field base, without a commit or such a revision, and as git does. */
export async function findBase(
  git: RunGit,
  folder: string,
  { revision, began }: BaseRequest,
): Promise<Outcome<Base>> {
  if (revision !== undefined) return findRevision(git, folder, revision)
  const [head, beginning] = await Promise.all([
    findCommit(git, folder, 'HEAD'),
    began === undefined ? ok(undefined) : findCommit(git, folder, began),
  ])
  if (!head.ok) return head
  if (!beginning.ok) return beginning
  if (head.value === undefined) return err(invalidBase('no commit', 'Make one: git commit.'))
  return findUnasked({ git, folder, head: head.value, began: beginning.value })
}

/** Undefined if the repository has no such commit. */
export async function findCommit(
  git: RunGit,
  folder: string,
  revision: string,
): Promise<Outcome<string | undefined>> {
  const parse = ['--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  return lineOf(await git(folder, ['rev-parse', ...parse]))
}

/** COMMAND_NOT_ALLOWED where clients may start certain programs only, and git is none of them. */
export const findGitObstacle = (limits: ProgramLimits | undefined): Failure | undefined =>
  limits && !limits.commands.includes('git')
    ? { code: 'COMMAND_NOT_ALLOWED', command: 'git', allowed: limits.commands }
    : undefined

/** The top folder of the repository of a folder. Fails with INVALID_PARAMETERS, field base, where git is missing, refuses the repository, or
 * knows none. */
export async function findTop(git: RunGit, folder: string, revision?: string): Promise<Outcome<string>> {
  const answer = await git(folder, ['rev-parse', '--show-toplevel'])
  if (answer.ok) return ok(answer.value.replace(/\n$/, ''))
  const { error } = answer
  if (error.code !== 'GIT_FAILED') return answer
  const received = revision === undefined ? 'none' : JSON.stringify(revision)
  if (error.isMissing)
    return err(
      invalidBase(`${received}, and git is not installed`, 'Install git, or pass a folder or a URL.'),
    )
  // Git's own words, which are those of the locale C here.
  if (/dubious ownership/.test(error.words))
    return err(
      invalidBase(
        `${received}, and git refuses the repository of ${folder}, which belongs to another user`,
        `If you trust it: git config --global --add safe.directory ${folder}`,
      ),
    )
  if (!/not a git repository|ENOENT/.test(error.words)) return answer
  return err(
    invalidBase(
      `${received}, and ${folder} is in no git repository`,
      'Go to the folder of a repository, or make one: git init, then git commit.',
    ),
  )
}

export const invalidBase = (received: string, hint?: string): Failure =>
  invalidParameter('base', 'a git revision, a folder or a URL of the version to compare with', received, hint)

// --- internal ---

async function findRevision(git: RunGit, folder: string, revision: string): Promise<Outcome<Base>> {
  const commit = await findCommit(git, folder, revision)
  if (commit.ok && commit.value !== undefined) return ok({ commit: commit.value, isKnown: true })
  const words = !commit.ok && commit.error.code === 'GIT_FAILED' ? commit.error.words : ''
  return err(invalidBase([JSON.stringify(revision), words].filter(Boolean).join(', ')))
}

interface Search {
  readonly git: RunGit
  readonly folder: string
  readonly head: string
  readonly began: string | undefined
}

async function findUnasked(search: Search): Promise<Outcome<Base>> {
  const read = await readBranches(search)
  if (!read.ok) return read
  const { own, parents, others } = read.value
  if (parents.length > 0)
    return parents.some((ref) => own.has(ref))
      ? findOnDefault(search, own)
      : findLeft(search, parents, read.value)
  const first = await readFirstEntry(search, read.value)
  if (!first.ok) return first
  if (first.value?.isInitial) return findOnDefault(search, own)
  if (first.value?.created === undefined && new Set(others.map(nameOf)).size === 1)
    return findLeft(search, others, read.value)
  return findBeginning(search, [first.value?.created ?? search.began])
}

/** Full names of branches. */
interface Branches {
  readonly current: string | undefined
  /** The current one and its copies of remotes. */
  readonly own: ReadonlySet<string>
  /** Those that it is known to have left, of which one may be its own: its upstream, or else the default branch. */
  readonly parents: readonly string[]
  readonly others: readonly string[]
}

async function readBranches({ git, folder }: Search): Promise<Outcome<Branches>> {
  const format = '--format=%(refname)%00%(symref)%00%(upstream)'
  const [listed, head, initial] = await Promise.all([
    git(folder, ['for-each-ref', format, 'refs/heads', 'refs/remotes']),
    git(folder, ['symbolic-ref', '--quiet', 'HEAD']).then(lineOf),
    git(folder, ['config', '--get', 'init.defaultBranch']).then(lineOf),
  ])
  if (!listed.ok) return listed
  if (!head.ok) return head
  if (!initial.ok) return initial
  const refs = listed.value.split('\n').map((row) => row.split('\0'))
  const all = refs.flatMap(([ref, target]) => (ref && target === '' ? ref : []))
  const current = head.value
  const own = new Set(all.filter((ref) => current !== undefined && nameOf(ref) === nameOf(current)))
  const upstream = refs.flatMap(([ref, , name = '']) => (ref === current && !own.has(name) ? name : []))
  const defaults = refs.flatMap(([, target = '']) => target)
  const named = all.filter((ref) => nameOf(ref) === initial.value)
  const known = [upstream, defaults, named].map((some) => some.filter((ref) => all.includes(ref)))
  const parents = known.find((some) => some.length > 0) ?? []
  return ok({ current, own, parents, others: all.filter((ref) => !own.has(ref)) })
}

/** Without the name of its remote. */
const nameOf = (ref: string): string => ref.replace(/^refs\/(heads|remotes\/[^/]+)\//, '')

/** Where the branch left the others, which are copies of one or default branches of several remotes. If it is part of them, nothing was committed
 * yet, or all was taken over. */
async function findLeft(
  search: Search,
  others: readonly string[],
  branches: Branches,
): Promise<Outcome<Base>> {
  const points = await findPoints(search, others)
  if (!points.ok) return points
  if (points.value.length > 0) {
    const newest = await search.git(search.folder, ['merge-base', '--independent', ...points.value])
    return map(newest, (text) => ({ commit: text.split('\n')[0] ?? '', isKnown: true }))
  }
  const first = await readFirstEntry(search, branches)
  return first.ok ? findBeginning(search, [first.value?.created ?? search.began]) : first
}

/** On the default branch, all of whose work may be in its remote. */
async function findOnDefault(search: Search, own: ReadonlySet<string>): Promise<Outcome<Base>> {
  const copies = [...own].filter((ref) => ref.startsWith('refs/remotes/'))
  const pushed = await findPoints(search, copies)
  return pushed.ok ? findBeginning(search, [...pushed.value, search.began]) : pushed
}

/** Where the last commit and each of some branches part; nothing of those that contain it. */
async function findPoints(
  { git, folder, head }: Search,
  refs: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const points = new Set<string>()
  for (const ref of refs) {
    const point = lineOf(await git(folder, ['merge-base', head, ref]))
    if (!point.ok) return point
    if (point.value !== undefined && point.value !== head) points.add(point.value)
  }
  return ok([...points])
}

/** The last commit that is before all of these; if there is none, nothing tells where the work began. */
async function findBeginning(
  { git, folder, head }: Search,
  commits: readonly (string | undefined)[],
): Promise<Outcome<Base>> {
  const known = commits.filter((commit) => commit !== undefined)
  const guess = { commit: head, isKnown: false }
  if (known.length === 0) return ok(guess)
  const common = lineOf(await git(folder, ['merge-base', '--octopus', head, ...known]))
  return map(common, (commit) => (commit === undefined ? guess : { commit, isKnown: true }))
}

/** How the current branch began, as long as git keeps that. */
async function readFirstEntry(
  { git, folder }: Search,
  { current, own }: Branches,
): Promise<Outcome<{ readonly isInitial: boolean; readonly created?: string } | undefined>> {
  if (current === undefined) return ok(undefined)
  const listed = await git(folder, ['reflog', '--format=%H%x00%gs', current, '--'])
  return map(listed, (text) => {
    const [commit = '', words = ''] = text.trimEnd().split('\n').at(-1)?.split('\0') ?? []
    const [, source] = /^branch: Created from (.+)$/.exec(words) ?? []
    // What it has of its own remote copy may be its work.
    const isCopy = [...own].some(
      (ref) => source !== undefined && ref.endsWith(`/${source.replace(/^refs\//, '')}`),
    )
    return {
      isInitial: words.startsWith('commit (initial)'),
      ...(source !== undefined && !isCopy && { created: commit }),
    }
  })
}

/** A line; undefined where git says no. */
const lineOf = (answer: Outcome<string>): Outcome<string | undefined> =>
  map(orNo(answer), (text) => text?.trim() || undefined)
