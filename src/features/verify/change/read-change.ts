// What the work tree has changed since the base: each file as it is now, with the lines that are added or changed.

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'
import { readStats } from '../../../core/base/files/read-stats.ts'
import { err, ok } from '../../../core/base/result.ts'
import { type RunGit, withoutOwnFilters } from '../../../core/devserver/process/run-git.ts'
import type { ChangedFile } from '../../lib/changes/changed-file.ts'
import { findBranchPoint, findCommit, findTop, invalidBase } from '../../lib/changes/find-base.ts'
import { readChanges } from '../../lib/changes/read-changes.ts'
import { splitLines } from '../ledger/entry.ts'
import { hashBytes } from '../ledger/text-hash.ts'
import { isCode } from '../source/source-structure.ts'
import type { ChangedPath, RemovedLines } from './changed-path.ts'

export interface Change {
  /** The real path of the top of the work tree. */
  readonly top: string
  /** As it was asked for, else the short hash of the commit. */
  readonly base: string
  /** Whether something tells where the work began. */
  readonly isBaseKnown: boolean
  readonly files: readonly ChangedPath[]
}

const FILE_LIMIT_BYTES = 2_000_000
const BYTES_LIMIT = 5_000_000
const HASH_CHARS = 9

/** The change of the work tree that `folder` is in. Fails with INVALID_PARAMETERS, field base, without a repository or such a revision. */
export async function readChange(
  git: RunGit,
  folder: string,
  revision: string | undefined,
): Promise<Outcome<Change>> {
  const topResult = await findTop(git, folder, revision)
  if (!topResult.ok) return topResult
  const point = revision === undefined ? await findBranchPoint(git, topResult.value) : undefined
  const commit = point ?? (await findCommit(git, topResult.value, revision ?? 'HEAD'))
  if (commit === undefined) return err(invalidBase(JSON.stringify(revision ?? 'no commit')))
  const top = realpathSync(topResult.value)
  const [changes, hidden] = await Promise.all([readChanges(top, commit, git), listHidden(git, top, commit)])
  const files = await Promise.all(changes.map((file) => pathOfChange(git, top, commit, file)))
  const known = new Set(files.map(({ path }) => path))
  const others = hidden.filter((path) => !known.has(path)).map((path) => wholeOf(path, top))
  const isBaseKnown = revision !== undefined || point !== undefined
  return ok({ top, base: revision ?? commit.slice(0, HASH_CHARS), isBaseKnown, files: [...files, ...others] })
}

/** The present text of a file of a work tree; undefined if it is none. */
export const readTreeFile = (top: string, file: string): string | undefined =>
  readFileBelow(join(top, file), top, FILE_LIMIT_BYTES)?.toString('utf8')

// --- internal ---

const editTimeOf = (path: string, top: string): number | undefined => readStats(join(top, path))?.mtimeMs

/** The paths that may have changes of which no lines are shown: pictures, what an attribute of git hides, and new files that are many or large. */
async function listHidden(anyGit: RunGit, top: string, commit: string): Promise<readonly string[]> {
  const { git } = await withoutOwnFilters(anyGit, top)
  const [counted, added] = await Promise.all([
    git(top, ['diff', '--no-ext-diff', '--no-textconv', '--no-renames', '--numstat', '-z', commit, '--']),
    git(top, ['ls-files', '--others', '--exclude-standard', '-z']),
  ])
  const binary = counted.stdout.split('\0').flatMap((row) => /^-\t-\t([^]+)$/.exec(row)?.[1] ?? [])
  return [...binary, ...added.stdout.split('\0').filter(Boolean)]
}

/** All lines of a file are changed where nothing tells which. */
function wholeOf(path: string, top: string): ChangedPath {
  const content = readContent(path, top)
  const lines = content === undefined ? [] : splitLines(content).map((_, index) => index + 1)
  const hash = hashOf(path, top)
  return { path, change: 'added', content, hash, lines, removals: [], editedAt: editTimeOf(path, top) }
}

function hashOf(path: string, top: string): string | undefined {
  const bytes = isCode(path) ? undefined : readFileBelow(join(top, path), top, BYTES_LIMIT)
  return bytes && hashBytes(bytes)
}

function readContent(path: string, top: string): string | undefined {
  const bytes = readFileBelow(join(top, path), top, FILE_LIMIT_BYTES)
  return bytes && !bytes.includes(0) ? bytes.toString('utf8') : undefined
}

async function pathOfChange(
  git: RunGit,
  top: string,
  commit: string,
  { path, hunks }: ChangedFile,
): Promise<ChangedPath> {
  const content = readContent(path, top)
  const isGone = !existsSync(join(top, path))
  const before = await git(top, ['cat-file', 'blob', `${commit}:${path}`])
  const baseContent = before.isOk ? before.stdout : undefined
  const changes = hunks.flatMap((hunk) => hunk.changes)
  const isShown = hunks.length > 0 || content === undefined
  const lines = isShown
    ? changes.filter(({ change }) => change === 'added').map(({ line }) => line)
    : splitLines(content).map((_, index) => index + 1)
  return {
    ...{
      path,
      content,
      hash: hashOf(path, top),
      baseContent,
      lines,
      removals: hunks.flatMap(removalsOf),
      editedAt: editTimeOf(path, top),
    },
    change: isGone ? 'removed' : baseContent === undefined ? 'added' : 'edited',
  }
}

function removalsOf({ text, start, oldStart, end }: ChangedFile['hunks'][number]): readonly RemovedLines[] {
  const found: RemovedLines[] = []
  let [line, oldLine, count, isReplaced] = [start, oldStart, 0, false]
  const close = () => {
    if (count > 0 && !isReplaced)
      found.push({ line: Math.max(1, Math.min(line, end - 1)), oldLine: oldLine - count, count })
    count = 0
    isReplaced = false
  }
  for (const row of text.split('\n').slice(1)) {
    if (row.startsWith('-')) {
      count += 1
      oldLine += 1
    } else if (row.startsWith('+')) {
      isReplaced = true
      line += 1
    } else if (!row.startsWith('\\')) {
      close()
      line += 1
      oldLine += 1
    }
  }
  close()
  return found
}
