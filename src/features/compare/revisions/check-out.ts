// Checks out a revision as a work tree beside the user's, in the temporary folder of this run. The watchdog removes it, and what git has noted
// about it, if this process is killed.

import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Failure, Outcome } from '../../../core/base/failure.ts'
import { removeFolder, removeIfEmpty } from '../../../core/base/files/remove-folder.ts'
import { err, map, ok } from '../../../core/base/result.ts'
import { createRunGit, findOwnFilters, type RunGit } from '../../../core/devserver/process/run-git.ts'
import type { ServerContext } from '../../../core/devserver/process/start-context.ts'
import { findBase, findTop, invalidBase } from '../../lib/changes/find-base.ts'
import type { Checkout } from './revisions.ts'
import { findMissingEnvironment, sharePackages } from './share-packages.ts'

const PACKAGE_FOLDER_LIMIT = 300
const ERROR_LIMIT_CHARS = 300

export async function checkOut(
  folder: string,
  revision: string | undefined,
  context: ServerContext,
  signal: AbortSignal,
): Promise<Outcome<Checkout>> {
  const git = createRunGit(context)
  const read = await readRepository(git, folder, revision)
  if (!read.ok) return read
  const { commit, workTree, common, filters } = read.value
  const path = join(context.folder, `footlight-base-${randomUUID().slice(0, 8)}`)
  // Git names what it notes about a work tree after its folder.
  const record = join(resolve(folder, common), 'worktrees', basename(path))
  const remove = async () => {
    // In a thread, because a version may have thousands of files.
    await rm(path, { recursive: true, force: true }).catch(() => removeFolder(path))
    removeFolder(record)
    removeIfEmpty(dirname(record))
  }
  await context.watchdog.guardFolder(record)
  const added = await git(workTree, ['worktree', 'add', '--quiet', '--detach', path, commit], { signal })
  if (!added.ok) {
    await remove()
    const { error } = added
    return error.code === 'GIT_FAILED' ? err(checkOutFailure(commit, path, error.words)) : added
  }
  try {
    const checkout = realpathSync(path)
    const trees = { workTree, checkout }
    const folders = await findPackageFolders(git, checkout)
    if (!folders.ok) {
      await remove()
      return folders
    }
    const different = sharePackages(trees, folders.value)
    return ok({
      commit,
      name: revision ?? commit.slice(0, 12),
      folder: join(checkout, relative(workTree, realpathSync(folder))),
      workTree,
      shared: different.map(
        (file) => `${file} is another one in the base, which ran with the packages of the work tree.`,
      ),
      missing: findMissingEnvironment(trees, folders.value).map(
        (file) => `The base ran without ${file}, which is not in git.`,
      ),
      notes: filters.map(
        (name) =>
          `The filter ${JSON.stringify(name)} of the configuration of the repository did not run: files are compared as git keeps them.`,
      ),
      translate: (text) => text.replaceAll(workTree, checkout),
      remove,
    })
  } catch (error) {
    await remove()
    const text = String(error)
    if (!isFullDisk(text)) throw error
    return err(checkOutFailure(commit, path, text))
  }
}

// --- internal ---

async function readRepository(git: RunGit, folder: string, revision: string | undefined) {
  const top = await findTop(git, folder, revision)
  if (!top.ok) return top
  const base = await findBase(git, folder, { revision })
  if (!base.ok) return base
  const common = await git(folder, ['rev-parse', '--git-common-dir'])
  if (!common.ok) return common
  const filters = await findOwnFilters(git, top.value)
  return map(filters, (names) => ({
    commit: base.value.commit,
    workTree: realpathSync(top.value),
    common: common.value.replace(/\n$/, ''),
    filters: names,
  }))
}

const FETCH_HINT =
  'This clone lacks objects of that commit, and compare fetches nothing: run git fetch --refetch --no-filter first.'

// Git does not say why it is "unable to write" a large file.
const isFullDisk = (text: string): boolean =>
  /No space left on device|ENOSPC|Disk quota exceeded|unable to write file/.test(text)

function checkOutFailure(commit: string, path: string, reason: string): Failure {
  const [revision, text] = [commit.slice(0, 12), reason.trim().slice(0, ERROR_LIMIT_CHARS)]
  return isFullDisk(reason)
    ? {
        code: 'RESOURCE_EXHAUSTED',
        resource: 'disk',
        text: `there is no space in ${dirname(path)} to check out ${revision}`,
        next: 'Free disk space, or set TMPDIR to another folder before footlight starts.',
      }
    : invalidBase(
        `${revision}, which git cannot check out: ${text}`,
        /lazy fetching disabled|transport '.*' not allowed/.test(reason) ? FETCH_HINT : undefined,
      )
}

async function findPackageFolders(git: RunGit, checkout: string): Promise<Outcome<readonly string[]>> {
  const listed = await git(checkout, ['ls-files', '-z'])
  return map(listed, (text) => {
    const paths = text.split('\0').filter((path) => basename(path) === 'package.json')
    return [...new Set(['.', ...paths.map((path) => dirname(path))])].slice(0, PACKAGE_FOLDER_LIMIT)
  })
}
