// What the work tree has changed since the base: each file as it is now, with the lines that are added or changed.

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'
import { readStats } from '../../../core/base/files/read-stats.ts'
import { err, ok } from '../../../core/base/result.ts'
import { type RunGit, withoutOwnFilters } from '../../../core/devserver/process/run-git.ts'
import type { ChangedFile } from '../../lib/changes/changed-file.ts'
import {
  findBranchPoint,
  findCommit,
  findTop,
  invalidBase,
  isBareCommit,
} from '../../lib/changes/find-base.ts'
import { readChanges } from '../../lib/changes/read-changes.ts'
import { splitLines } from '../ledger/entry.ts'
import type { ChangedText } from './changed-text.ts'

export interface Change {
  /** The real path of the top of the work tree. */
  readonly top: string
  /** As it was asked for, else the short hash of the commit. */
  readonly base: string
  readonly files: readonly ChangedText[]
  readonly removals: readonly Removal[]
}

/** A file of which lines were removed, or that is gone. */
interface Removal {
  readonly path: string
  /** The lines beside removed ones. */
  readonly besides: readonly number[]
  /** In Unix milliseconds. */
  readonly editedAt?: number | undefined
}

const FILE_LIMIT_BYTES = 2_000_000
const HASH_CHARS = 9
const NO_HISTORY =
  'Nothing tells where this branch began. Fetch its history (fetch-depth: 0, or GIT_DEPTH: 0), or pass base.'

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
  const files = changes.flatMap((file) => textOf(file, top) ?? [])
  const known = new Set(files.map(({ path }) => path))
  const others = hidden.filter((path) => !known.has(path)).flatMap((path) => wholeOf(path, top) ?? [])
  const dated = [...files, ...others].map((file) => {
    const editedAt = editTimeOf(file.path, top)
    return { ...file, ...(editedAt !== undefined && { editedAt }) }
  })
  const removals = changes.flatMap((file) => removalOf(file, top) ?? [])
  const isGuess = revision === undefined && point === undefined && dated.length + removals.length === 0
  // What was changed may be in that very commit.
  if (isGuess && (await isBareCommit(git, top))) return err(invalidBase('no base', NO_HISTORY))
  return ok({ top, base: revision ?? commit.slice(0, HASH_CHARS), files: dated, removals })
}

/** Its lines are also those beside removed ones. */
export type ChangedLines = Omit<ChangedText, 'content'>

/** The lines of a change that a test can meet. */
export function changedLinesOf({ files, removals }: Change): readonly ChangedLines[] {
  const byPath = new Map<string, ChangedLines>(files.map((file) => [file.path, file]))
  for (const { path, besides, editedAt } of removals) {
    const lines = [...(byPath.get(path)?.lines ?? []), ...besides]
    byPath.set(path, {
      path,
      lines: [...new Set(lines)].toSorted((a, b) => a - b),
      ...(editedAt !== undefined && { editedAt }),
    })
  }
  return [...byPath.values()]
}

/** The present text of a file of a work tree; undefined if it is none. */
export const readTreeFile = (top: string, file: string): string | undefined =>
  readFileBelow(join(top, file), top, FILE_LIMIT_BYTES)?.toString('utf8')

// --- internal ---

const editTimeOf = (path: string, top: string): number | undefined => readStats(join(top, path))?.mtimeMs

function removalOf({ path, hunks }: ChangedFile, top: string): Removal | undefined {
  const changes = hunks.flatMap((hunk) => hunk.changes)
  const added = new Set(changes.flatMap(({ change, line }) => (change === 'added' ? line : [])))
  // What stands in the place of removed lines says it all.
  const removed = changes.filter(({ change, line }) => change === 'removed' && !added.has(line))
  if (removed.length === 0) return undefined
  const besides = new Set(removed.flatMap(({ line }) => [line - 1, line]))
  return { path, besides: [...besides].filter((line) => line > 0), editedAt: editTimeOf(path, top) }
}

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
function wholeOf(path: string, top: string): ChangedText | undefined {
  const content = readContent(path, top)
  if (content === undefined) return existsSync(join(top, path)) ? { path, content, lines: [] } : undefined
  return { path, content, lines: splitLines(content).map((_, index) => index + 1) }
}

function readContent(path: string, top: string): string | undefined {
  const bytes = readFileBelow(join(top, path), top, FILE_LIMIT_BYTES)
  return bytes && !bytes.includes(0) ? bytes.toString('utf8') : undefined
}

/** Undefined for a file that is gone, or of which lines are only removed: nothing of that can run. */
function textOf({ path, hunks, isTooLong }: ChangedFile, top: string): ChangedText | undefined {
  const content = readContent(path, top)
  const lines = hunks.flatMap(({ changes }) =>
    changes.filter(({ change }) => change === 'added').map(({ line }) => line),
  )
  if (isTooLong) return { path, content: undefined, lines: [] }
  return lines.length === 0 ? undefined : { path, content, lines }
}
