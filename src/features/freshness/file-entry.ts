// One file of a project: its content, known by a hash, and since when it has it. It is read only if its size or times differ. Only another
// content is a change, so that a touched file is none, and one that was moved here with an old time is.

import { type Stats } from 'node:fs'
import { hashContent } from '../../core/base/files/hash-content.ts'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { readStats } from '../../core/base/files/read-stats.ts'
import type { FileChange } from '../../core/sessions/types/freshness.ts'

const HASH_LIMIT_BYTES = 1_000_000
/** A write within this time of a reading may leave the same times. */
export const CLOCK_STEP_MS = 50
const READ_ATTEMPTS = 3
const KEPT_CONTENTS = 4
/** What is there for less time is a file of an editor. */
const SHORT_LIFE_MS = 5000

interface Content {
  /** Undefined if it is not known; empty if the file is not there. */
  readonly hash: string | undefined
  /** Unix milliseconds. */
  readonly since: number
}

export interface FileEntry extends Content {
  readonly stats: Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'> | undefined
  readonly readAt: number
  readonly appearedAt?: number
  /** The newest last. */
  readonly earlier: readonly (Content & { readonly until: number })[]
}

export const isPresent = (entry: FileEntry | undefined): boolean => entry?.stats !== undefined

export function changeOf({ hash, since, earlier }: FileEntry): FileChange {
  const same = hash === undefined ? undefined : earlier.findLast((content) => content.hash === hash)
  const earlierHashes = earlier.flatMap((content) => content.hash || [])
  return {
    at: since,
    same: same && { from: same.since, until: same.until },
    ...(hash && { hash }),
    ...(earlierHashes.length > 0 && { earlierHashes }),
  }
}

// Of the two only the time of modification can be set, also to one that is still to come.
function timeOf({ mtimeMs, ctimeMs }: Pick<Stats, 'mtimeMs' | 'ctimeMs'>): number {
  const now = Date.now()
  return Math.min(now, mtimeMs > now ? ctimeMs : Math.max(mtimeMs, ctimeMs))
}

export const firstEntryOf = (stats: Stats): FileEntry => ({
  stats,
  hash: undefined,
  since: timeOf(stats),
  readAt: 0,
  earlier: [],
})

// A file that was moved here has its old times.
export function newEntryOf(path: string, stats: Stats, lookedAt: number, appearedAt: number): FileEntry {
  const time = timeOf(stats)
  const since = time > lookedAt ? time : Math.min(Date.now(), appearedAt)
  return { ...readContent(path, stats), since, appearedAt: since, earlier: [] }
}

/** The same entry if nothing changed, undefined if it is to be forgotten. */
export function lookAgain(
  path: string,
  entry: FileEntry,
  readFolderTime: () => number,
): FileEntry | undefined {
  const stats = readStats(path)
  if (!stats?.isFile()) {
    if (!entry.stats) return entry
    const now = Date.now()
    if (entry.appearedAt !== undefined && now - entry.appearedAt < SHORT_LIFE_MS) return undefined
    const since = Math.max(entry.since, Math.min(now, readFolderTime() || now))
    return changed(entry, { stats: undefined, hash: '', readAt: now }, since)
  }
  const isRacy =
    entry.stats && entry.readAt > 0 && entry.readAt - Math.max(stats.mtimeMs, stats.ctimeMs) < CLOCK_STEP_MS
  if (entry.stats && isSame(entry.stats, stats) && !isRacy) return entry
  const content = readContent(path, stats)
  if (content.hash !== undefined && content.hash === entry.hash) return { ...entry, ...content }
  // Nothing tells the contents of a large file apart, or the first one was not read yet.
  if (content.hash === undefined && entry.stats && isSame(entry.stats, content.stats))
    return { ...entry, ...content }
  return changed(entry, content, timeOf(content.stats))
}

type Reading = Pick<FileEntry, 'stats' | 'hash' | 'readAt'>

function changed({ hash, since, earlier, appearedAt }: FileEntry, reading: Reading, at: number): FileEntry {
  const contents = [...earlier, { hash, since, until: at }].slice(-KEPT_CONTENTS)
  return { ...reading, since: at, earlier: contents, appearedAt }
}

/** The content, with the times that it had before and after. */
function readContent(path: string, before: Stats): Reading & { readonly stats: Stats } {
  let stats = before
  for (let attempt = 0; attempt < READ_ATTEMPTS && stats.size <= HASH_LIMIT_BYTES; attempt += 1) {
    const readAt = Date.now()
    const hash = hashOf(path)
    const after = readStats(path)
    if (hash === undefined || !after) break
    if (isSame(stats, after)) return { stats, hash, readAt }
    stats = after
  }
  return { stats, hash: undefined, readAt: 0 }
}

const isSame = (a: NonNullable<FileEntry['stats']>, b: NonNullable<FileEntry['stats']>): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino

function hashOf(path: string): string | undefined {
  const content = readRegularFile(path, HASH_LIMIT_BYTES)
  return content && hashContent(content)
}

/** The entry with its first content, unless it was changed before that was read. */
export function withContent(path: string, entry: FileEntry): FileEntry {
  const stats = entry.hash === undefined && entry.stats ? readStats(path) : undefined
  if (!entry.stats || !stats || !isSame(entry.stats, stats)) return entry
  const content = readContent(path, stats)
  return isSame(entry.stats, content.stats) ? { ...entry, ...content } : entry
}
