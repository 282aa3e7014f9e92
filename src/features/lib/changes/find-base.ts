// The revision of the user's repository with which the work tree is compared.

import { type Failure, invalidParameter, type Outcome } from '../../../core/base/failure.ts'
import { err, ok } from '../../../core/base/result.ts'
import type { ProgramLimits } from '../../../core/devserver/process/allowed-programs.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'

/** Where a branch leaves, the first that there is. */
const MAIN_BRANCHES = [
  ...['HEAD', 'main', 'master'].map((name) => `refs/remotes/origin/${name}`),
  ...['main', 'master', 'trunk'].map((name) => `refs/heads/${name}`),
]

export async function findCommit(git: RunGit, folder: string, revision: string): Promise<string | undefined> {
  const parse = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const { isOk, stdout } = await git(folder, parse)
  return isOk ? stdout.trim() : undefined
}

/** Where the branch left the main one: what a pull request would be compared with. */
export async function findBranchPoint(git: RunGit, folder: string): Promise<string | undefined> {
  const listed = await git(folder, ['for-each-ref', '--format=%(refname)', ...MAIN_BRANCHES])
  const known = new Set(listed.stdout.split('\n'))
  for (const branch of MAIN_BRANCHES.filter((name) => known.has(name))) {
    const { isOk, stdout } = await git(folder, ['merge-base', 'HEAD', branch])
    if (isOk) return stdout.trim()
  }
  return undefined
}

/** The same, or else the last commit. */
export const findDefaultBase = async (git: RunGit, folder: string): Promise<string | undefined> =>
  (await findBranchPoint(git, folder)) ?? findCommit(git, folder, 'HEAD')

/** Whether the work tree is a commit without its history or its branch, as a system for CI checks it out. */
export async function isBareCommit(git: RunGit, folder: string): Promise<boolean> {
  const [shallow, branch] = await Promise.all([
    git(folder, ['rev-parse', '--is-shallow-repository']),
    git(folder, ['symbolic-ref', '--quiet', 'HEAD']),
  ])
  return shallow.stdout.trim() === 'true' || !branch.isOk
}

/** COMMAND_NOT_ALLOWED where clients may start certain programs only, and git is none of them. */
export const findGitObstacle = (limits: ProgramLimits | undefined): Failure | undefined =>
  limits && !limits.commands.includes('git')
    ? { code: 'COMMAND_NOT_ALLOWED', command: 'git', allowed: limits.commands }
    : undefined

/** The top folder of the repository of a folder. Fails with INVALID_PARAMETERS, field base, where git is missing, refuses the repository, or
 * knows none. */
export async function findTop(git: RunGit, folder: string, revision?: string): Promise<Outcome<string>> {
  const { isOk, isMissing, stdout, stderr } = await git(folder, ['rev-parse', '--show-toplevel'])
  if (isOk) return ok(stdout.replace(/\n$/, ''))
  const received = revision === undefined ? 'none' : JSON.stringify(revision)
  if (isMissing)
    return err(
      invalidBase(`${received}, and git is not installed`, 'Install git, or pass a folder or a URL.'),
    )
  // Git's own words, which are those of the locale C here.
  if (/dubious ownership/.test(stderr))
    return err(
      invalidBase(
        `${received}, and git refuses the repository of ${folder}, which belongs to another user`,
        `If you trust it: git config --global --add safe.directory ${folder}`,
      ),
    )
  return err(
    invalidBase(
      `${received}, and ${folder} is in no git repository`,
      'Go to the folder of a repository, or make one: git init, then git commit.',
    ),
  )
}

export const invalidBase = (received: string, hint?: string): Failure =>
  invalidParameter('base', 'a git revision, a folder or a URL of the version to compare with', received, hint)
