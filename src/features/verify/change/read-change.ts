// What the work tree has changed since the base: every path, with its text as it is now and as it was.

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'
import { ok } from '../../../core/base/result.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import { findBase, findTop } from '../../lib/changes/find-base.ts'
import { listChanges } from '../../lib/changes/list-changes.ts'
import type { ChangedPath } from './changed-path.ts'
import { FILE_LIMIT_BYTES, readPaths } from './read-paths.ts'

export interface Change {
  /** The real path of the top of the work tree. */
  readonly top: string
  /** As it was asked for, else the short hash of the commit. */
  readonly base: string
  /** Whether something tells that the work began there. */
  readonly isBaseKnown: boolean
  /** Each path once. */
  readonly files: readonly ChangedPath[]
}

const HASH_CHARS = 9

/** The change of the work tree that `folder` is in; `findBegan` tells the commit with which the work began there. Fails with INVALID_PARAMETERS,
 * field base, without a repository or such a revision, and as git does. */
export async function readChange(
  git: RunGit,
  folder: string,
  revision: string | undefined,
  findBegan?: (top: string) => Promise<string | undefined>,
): Promise<Outcome<Change>> {
  const topResult = await findTop(git, folder, revision)
  if (!topResult.ok) return topResult
  const top = realpathSync(topResult.value)
  const began = revision === undefined ? await findBegan?.(top) : undefined
  const base = await findBase(git, top, { revision, began })
  if (!base.ok) return base
  const { commit, isKnown } = base.value
  const listed = await listChanges(git, top, commit)
  if (!listed.ok) return listed
  const files = await readPaths(git, top, listed.value)
  if (!files.ok) return files
  const name = revision ?? commit.slice(0, HASH_CHARS)
  return ok({ top, base: name, isBaseKnown: isKnown, files: files.value })
}

/** The present text of a file of a work tree; undefined if it is none. */
export const readTreeFile = (top: string, file: string): string | undefined =>
  readFileBelow(join(top, file), top, FILE_LIMIT_BYTES)?.toString('utf8')
