// What the work tree has changed since the base: each file as it is now, with the lines that are added or changed.

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'
import { err, ok } from '../../../core/base/result.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import type { ChangedFile } from '../../lib/changes/changed-file.ts'
import { findCommit, findDefaultBase, findTop, invalidBase } from '../../lib/changes/find-base.ts'
import { readChanges } from '../../lib/changes/read-changes.ts'
import type { ChangedText } from './changed-text.ts'

export interface Change {
  /** The real path of the top of the work tree. */
  readonly top: string
  /** As it was asked for, else the short hash of the commit. */
  readonly base: string
  readonly files: readonly ChangedText[]
}

const FILE_LIMIT_BYTES = 2_000_000
const HASH_CHARS = 9

/** The change of the work tree that `folder` is in. Fails with INVALID_PARAMETERS, field base, without a repository or such a revision. */
export async function readChange(
  git: RunGit,
  folder: string,
  revision: string | undefined,
): Promise<Outcome<Change>> {
  const topResult = await findTop(git, folder, revision ?? 'no base')
  if (!topResult.ok) return topResult
  const commit = await (revision === undefined
    ? findDefaultBase(git, topResult.value)
    : findCommit(git, topResult.value, revision))
  if (commit === undefined) return err(invalidBase(JSON.stringify(revision ?? 'no commit')))
  const top = realpathSync(topResult.value)
  const files = (await readChanges(top, commit, git)).flatMap((file) => textOf(file, top) ?? [])
  return ok({ top, base: revision ?? commit.slice(0, HASH_CHARS), files })
}

// --- internal ---

/** Undefined for a file that is gone, or of which lines are only removed: nothing of that can run. */
function textOf({ path, hunks, isTooLong }: ChangedFile, top: string): ChangedText | undefined {
  const bytes = readFileBelow(join(top, path), top, FILE_LIMIT_BYTES)
  const content = bytes && !bytes.includes(0) ? bytes.toString('utf8') : undefined
  const lines = hunks.flatMap(({ changes }) =>
    changes.filter(({ change }) => change === 'added').map(({ line }) => line),
  )
  if (isTooLong) return { path, content: undefined, lines: [] }
  return lines.length === 0 ? undefined : { path, content, lines }
}
