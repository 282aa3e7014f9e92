// Checks out a revision as a work tree beside the user's, in the temporary folder of this run. The watchdog removes it, and what git has noted
// about it, if this process is killed.

import { randomUUID } from 'node:crypto'
import { realpathSync, rmdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { createRunGit, type RunGit } from './run-git.ts'
import { sharePackages } from './share-packages.ts'
import type { ServerContext } from '../process/start-context.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { removeFolder } from '../../runtime/files/remove-folder.ts'
import type { Checkout } from '../../runtime/ports/revisions.ts'

/** Where a branch leaves, the first that there is. */
const MAIN_BRANCHES = ['refs/remotes/origin/HEAD', 'origin/main', 'origin/master', 'main', 'master', 'trunk']

const PACKAGE_FOLDER_LIMIT = 300
const ERROR_LIMIT_CHARS = 300

export async function findCommit(git: RunGit, folder: string, revision: string): Promise<string | undefined> {
  const parse = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const { isOk, stdout } = await git(folder, parse)
  return isOk ? stdout.trim() : undefined
}

async function findDefault(git: RunGit, folder: string): Promise<string | undefined> {
  for (const branch of MAIN_BRANCHES) {
    const { isOk, stdout } = await git(folder, ['merge-base', 'HEAD', branch])
    if (isOk) return stdout.trim()
  }
  return findCommit(git, folder, 'HEAD')
}

export async function checkOut(
  folder: string,
  revision: string | undefined,
  context: ServerContext,
  signal: AbortSignal,
): Promise<Outcome<Checkout>> {
  const git = createRunGit(context)
  const invalid = (received: string) =>
    err(
      invalidParameter('base', 'a git revision, a folder or a URL of the version to compare with', received),
    )
  const top = await git(folder, ['rev-parse', '--show-toplevel'])
  if (!top.isOk)
    return invalid(`${JSON.stringify(revision ?? 'no base')}, and ${folder} is in no git repository`)
  const commit = await (revision === undefined ? findDefault(git, folder) : findCommit(git, folder, revision))
  if (commit === undefined) return invalid(JSON.stringify(revision ?? 'no commit'))
  const workTree = realpathSync(top.stdout.trim())
  const common = await git(folder, ['rev-parse', '--git-common-dir'])
  const path = join(context.folder, `footlight-base-${randomUUID().slice(0, 8)}`)
  // Git names what it notes about a work tree after its folder.
  const record = join(resolve(folder, common.stdout.trim()), 'worktrees', basename(path))
  const remove = async () => {
    removeFolder(path)
    removeFolder(record)
    removeIfEmpty(dirname(record))
  }
  await context.watchdog.guardFolder(record)
  const added = await git(workTree, ['worktree', 'add', '--quiet', '--detach', path, commit], signal)
  if (!added.isOk) {
    await remove()
    if (signal.aborted) return err({ code: 'CANCELLED' })
    return invalid(
      `${commit.slice(0, 12)}, which git cannot check out: ${added.stderr.slice(0, ERROR_LIMIT_CHARS)}`,
    )
  }
  const checkout = realpathSync(path)
  const different = sharePackages({ workTree, checkout }, await findPackageFolders(git, checkout))
  return ok({
    commit,
    name: revision ?? commit.slice(0, 12),
    folder: join(checkout, relative(workTree, realpathSync(folder))),
    workTree,
    notes: different.map(
      (file) => `${file} is another one in the base, which ran with the packages of the work tree.`,
    ),
    translate: (text) => text.replaceAll(workTree, checkout),
    remove,
  })
}

async function findPackageFolders(git: RunGit, checkout: string): Promise<readonly string[]> {
  const { stdout } = await git(checkout, ['ls-files', '-z', '--', 'package.json', '**/package.json'])
  const folders = stdout
    .split('\0')
    .filter(Boolean)
    .map((path) => dirname(path))
  return [...new Set(['.', ...folders])].slice(0, PACKAGE_FOLDER_LIMIT)
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Others are in it.
  }
}
