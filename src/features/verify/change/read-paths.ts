// The texts and lines of changed paths. What is beyond the limits is named without them.

import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Outcome } from '../../../core/base/failure.ts'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'
import { ok } from '../../../core/base/result.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import type { ListedRepository } from '../../lib/changes/list-changes.ts'
import type { RawChange } from '../../lib/changes/raw-change.ts'
import { hashBytes } from '../ledger/text-hash.ts'
import { isCode } from '../source/source-structure.ts'
import type { ChangedPath } from './changed-path.ts'
import { decodeText } from './decode-text.ts'
import { readBaseTexts } from './read-base-texts.ts'
import { type LineDifference, readLineDifferences } from './read-line-differences.ts'

export const FILE_LIMIT_BYTES = 2_000_000

export async function readPaths(
  git: RunGit,
  top: string,
  repositories: readonly ListedRepository[],
): Promise<Outcome<readonly ChangedPath[]>> {
  const present = await readPresent(top, repositories)
  const files: ChangedPath[] = []
  for (const repository of repositories) {
    const { folder, base, changes, prefix } = repository
    const texts = await readBaseTexts(
      git,
      folder,
      base,
      changes.filter(({ oldMode }) => isFileMode(oldMode)),
    )
    if (!texts.ok) return texts
    const compared = changes.filter(isCompared).flatMap((change) => {
      const [now, then] = [present.get(change)?.content, texts.value.get(change)]
      const isChanged = now !== undefined && then !== undefined && now !== then
      return isChanged ? { path: change.path, from: change.from, size: now.length + then.length } : []
    })
    const differences = await readLineDifferences(git, folder, base, compared)
    if (!differences.ok) return differences
    const pause = createPause()
    for (const change of changes) {
      await pause()
      const now = present.get(change)
      if (now)
        files.push(toPath(prefix, change, now, texts.value.get(change), differences.value.get(change.path)))
    }
  }
  return ok(joinMoved([...new Map(files.map((file) => [file.path, file])).values()]))
}

// --- internal ---

const SUM_LIMIT_BYTES = 20_000_000
const FILE_LIMIT = 5000
/** The longest piece of work for which all sessions wait. */
const PIECE_MS = 10

interface Present extends Pick<ChangedPath, 'content' | 'noContent' | 'hash' | 'editedAt'> {
  readonly isGone: boolean
}

const isFileMode = (mode: string): boolean => mode.startsWith('100')
const isCompared = ({ status, isHidden, oldMode, newMode }: RawChange): boolean =>
  (status === 'M' || status === 'R') && !isHidden && isFileMode(oldMode) && isFileMode(newMode)

/** Lets the event loop go on when it has waited for a while. */
function createPause(): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < PIECE_MS) return
    await setImmediate()
    last = performance.now()
  }
}

/** What is there now, the smallest files first, so that a few large ones hide none. */
async function readPresent(
  top: string,
  repositories: readonly ListedRepository[],
): Promise<ReadonlyMap<RawChange, Present>> {
  const pause = createPause()
  const entries: { readonly change: RawChange; readonly path: string; readonly stats: Stats | undefined }[] =
    []
  for (const { folder, changes } of repositories)
    for (const change of changes) {
      await pause()
      const path = join(folder, change.path)
      entries.push({ change, path, stats: statsOf(path) })
    }
  const present = new Map<RawChange, Present>()
  const tooMany = `too many files (${entries.length})`
  let left = SUM_LIMIT_BYTES
  for (const { change, path, stats } of entries.toSorted(
    (a, b) => (a.stats?.size ?? 0) - (b.stats?.size ?? 0),
  )) {
    await pause()
    const isGone = change.status === 'D' || (stats === undefined && change.problem === undefined)
    const editedAt = isGone ? undefined : stats?.mtimeMs
    const isBeyond = (stats?.size ?? 0) > left || present.size >= FILE_LIMIT
    const text = isGone
      ? {}
      : change.problem !== undefined
        ? { noContent: change.problem }
        : readText(path, top, stats, isBeyond ? tooMany : undefined)
    left -= text.content === undefined ? 0 : (stats?.size ?? 0)
    present.set(change, { ...text, isGone, ...(editedAt !== undefined && { editedAt }) })
  }
  return present
}

function readText(
  path: string,
  top: string,
  stats: Stats | undefined,
  tooMany: string | undefined,
): Pick<Present, 'content' | 'noContent' | 'hash'> {
  if (stats?.isSymbolicLink()) return { noContent: `a link to ${readlinkSync(path)}` }
  if (!stats?.isFile()) return { noContent: 'no regular file' }
  if (stats.size > FILE_LIMIT_BYTES)
    return { noContent: `too large (${Math.ceil(stats.size / 1_000_000)} MB)` }
  if (tooMany !== undefined) return { noContent: tooMany }
  const bytes = readFileBelow(path, top, FILE_LIMIT_BYTES)
  if (!bytes) return { noContent: 'cannot be read' }
  const content = decodeText(bytes)
  const hash = isCode(path) ? undefined : hashBytes(bytes)
  return content === undefined ? { noContent: 'binary', hash } : { content, hash }
}

function toPath(
  prefix: string,
  { path, from, status, oldMode }: RawChange,
  { isGone, ...now }: Present,
  baseContent: string | undefined,
  difference: LineDifference | undefined,
): ChangedPath {
  const isNew =
    status === 'A' || status === '?' || (status === 'U' && oldMode === '000000' && baseContent === undefined)
  const change = isGone ? 'removed' : from !== undefined ? 'renamed' : isNew ? 'added' : 'edited'
  const shared: Omit<ChangedPath, keyof LineDifference> = {
    ...{ path: prefix + path, change },
    ...(from !== undefined && change === 'renamed' && { from: prefix + from }),
    ...now,
    ...(baseContent !== undefined && { baseContent }),
  }
  if (isGone) return { ...shared, ...NO_LINES }
  if (now.content === undefined || now.content === baseContent) return { ...shared, ...NO_LINES }
  const last = countLines(now.content)
  if (difference) {
    const removals = difference.removals.map((one) => ({ ...one, line: Math.min(one.line, last) }))
    return { ...shared, ...difference, removals }
  }
  const lines = Array.from({ length: last }, (_, index) => index + 1)
  const count = last === 0 ? countLines(baseContent ?? '') : 0
  return { ...shared, lines, removals: count > 0 ? [{ line: 0, oldLine: 1, count }] : [] }
}

/** Git knows a file that was moved only when both its names are in the index. */
function joinMoved(files: readonly ChangedPath[]): readonly ChangedPath[] {
  const removed = new Map(
    files.flatMap((file) =>
      file.change === 'removed' && file.baseContent ? [[file.baseContent, file] as const] : [],
    ),
  )
  const moved = new Set<ChangedPath>()
  const joined = files.map((file) => {
    const before = file.change === 'added' && file.content ? removed.get(file.content) : undefined
    if (!before || moved.has(before)) return file
    moved.add(before)
    return {
      ...file,
      change: 'renamed' as const,
      from: before.path,
      baseContent: file.content ?? '',
      ...NO_LINES,
    }
  })
  return joined.filter((file) => !moved.has(file))
}

const NO_LINES = { lines: [], removals: [] } as const

/** As git counts them. */
const countLines = (text: string): number =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
