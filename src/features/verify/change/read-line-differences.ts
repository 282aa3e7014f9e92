// Which lines of files differ from the base, as git compares them: with its own line ends and the filters of the user.

import { setImmediate } from 'node:timers/promises'
import type { Outcome } from '../../../core/base/failure.ts'
import { ok } from '../../../core/base/result.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import { pathOf } from '../../lib/changes/changed-file.ts'
import type { ChangedPath } from './changed-path.ts'

export type LineDifference = Pick<ChangedPath, 'lines' | 'besides' | 'replaced'>

interface ComparedText {
  readonly path: string
  /** What a renamed one was. */
  readonly from: string | undefined
  /** Of the present text and that of the base. */
  readonly size: number
}

/** By path. The files are known to be texts, whatever attributes say. */
export async function readLineDifferences(
  git: RunGit,
  folder: string,
  base: string,
  changes: readonly ComparedText[],
): Promise<Outcome<ReadonlyMap<string, LineDifference>>> {
  const differences = new Map<string, LineDifference>()
  for (const batch of batchesOf(changes)) {
    const format = ['-p', '-M', '--text', '--unified=0', '--src-prefix=a/', '--dst-prefix=b/']
    const paths = batch.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))
    const answer = await git(folder, ['diff-index', ...format, base, '--', ...paths])
    if (!answer.ok) return answer
    for (const { path } of batch) differences.set(path, { lines: [], besides: [], replaced: [] })
    for (const section of answer.value.split(/(?<![^\n])diff --git /)) {
      const path = pathOf(section.slice(0, headerEndOf(section)))
      if (path !== undefined) differences.set(path, differenceOf(section))
      await setImmediate()
    }
  }
  return ok(differences)
}

// --- internal ---

/** What a command line has room for, also on Windows. */
const BATCH_LIMIT_CHARS = 20_000
/** What is parsed without a pause, and far less than an answer may be. */
const BATCH_LIMIT_SIZE = 4_000_000

function* batchesOf(changes: readonly ComparedText[]): Generator<readonly ComparedText[]> {
  let batch: ComparedText[] = []
  let [chars, size] = [0, 0]
  for (const change of changes) {
    const own = change.path.length + (change.from?.length ?? 0) + 2
    if (batch.length > 0 && (chars + own > BATCH_LIMIT_CHARS || size + change.size > BATCH_LIMIT_SIZE)) {
      yield batch
      batch = []
      ;[chars, size] = [0, 0]
    }
    batch.push(change)
    chars += own
    size += change.size
  }
  if (batch.length > 0) yield batch
}

const headerEndOf = (section: string): number => {
  const start = section.search(/(?<![^\n])@@ -/)
  return start < 0 ? 0 : start
}

function differenceOf(section: string): LineDifference {
  const lines: number[] = []
  const besides: { line: number; count: number }[] = []
  const replaced: { line: number; count: number }[] = []
  for (const [, removed = '1', start = '', added = '1'] of section.matchAll(HUNK)) {
    const [first, count, removedCount] = [Number(start), Number(added), Number(removed)]
    for (let line = first; line < first + count; line += 1) lines.push(line)
    // Without a line in their place git names the one before.
    if (count === 0) besides.push({ line: first + 1, count: removedCount })
    else if (removedCount > 0) replaced.push({ line: first, count: removedCount })
  }
  return { lines, besides, replaced }
}

const HUNK = /(?<![^\n])@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/g
