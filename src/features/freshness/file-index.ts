// What changed in the files of a project, and when. Nothing is watched: the files are looked at when somebody asks, and folders are read
// again when something was added to them or removed.

import { basename, dirname, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readStats } from '../../core/base/files/read-stats.ts'
import type { FileChange, ProjectFiles } from '../../core/sessions/types/freshness.ts'
import {
  changeOf,
  CLOCK_STEP_MS,
  type FileEntry,
  firstEntryOf,
  isPresent,
  lookAgain,
  newEntryOf,
  withContent,
} from './file-entry.ts'
import type { FileList, FileLister } from './list-files.ts'

export interface FileIndex {
  /** The files as they are now, and from now on these too, by absolute path: a page may have loaded what lies elsewhere. */
  look(others?: readonly string[]): Promise<ProjectFiles>
}

const BATCH_SIZE = 50
const CONTENT_BATCH_SIZE = 8
const IGNORED_LIMIT = 50_000

/** `folder` is where the server was started; paths are relative to it. The first contents are read in the background. */
export function createFileIndex(folder: string, lister: FileLister): FileIndex {
  const index: Index = {
    pathOf: (path) => relative(folder, path).replaceAll(sep, '/'),
    files: new Map(),
    folders: new Map(),
    ignored: new Set(),
    unlisted: new Set(),
    changes: new Map(),
    isComplete: true,
    lookedAt: 0,
  }
  const { changes } = index
  const since = Date.now()
  let last: Promise<unknown> | undefined

  async function look(others: readonly string[]): Promise<ProjectFiles> {
    const startedAt = Date.now()
    if (index.lookedAt === 0) {
      addFiles(index, await lister.list())
      void readFirstContents(index)
    } else {
      await addNewFiles(index, lister)
      if (await lookAtFiles(index)) {
        index.ignored.clear()
        addFiles(index, await lister.list(), startedAt)
      }
    }
    const unknown = others.filter((path) => !index.files.has(path))
    if (unknown.length > 0) {
      for (const path of unknown) index.unlisted.add(path)
      addFiles(index, { files: new Set(unknown), folders: new Set(), isComplete: true })
      for (const path of unknown) {
        const entry = index.files.get(path)
        if (entry) setEntry(index, path, withContent(path, entry))
      }
    }
    index.lookedAt = startedAt
    return { changes, isComplete: index.isComplete, since }
  }

  return {
    // One after the other: a caller gets a look that began after its call.
    look(others = []) {
      const next = (last ?? Promise.resolve()).then(() => look(others))
      last = next.catch(() => {})
      return next
    },
  }
}

// --- internal ---

/** By absolute path, but for the changes. */
interface Index {
  readonly pathOf: (path: string) => string
  readonly files: Map<string, FileEntry>
  /** When an entry of each was added or removed last. */
  readonly folders: Map<string, number>
  readonly ignored: Set<string>
  readonly unlisted: Set<string>
  readonly changes: Map<string, FileChange>
  isComplete: boolean
  /** When the last look began. */
  lookedAt: number
}

function setEntry(
  { files, changes, unlisted, pathOf }: Index,
  path: string,
  entry: FileEntry | undefined,
): void {
  if (entry) {
    files.set(path, entry)
    changes.set(pathOf(path), {
      ...changeOf(entry),
      ...(unlisted.has(path) && { isUnlisted: true as const }),
    })
  } else {
    files.delete(path)
    changes.delete(pathOf(path))
  }
}

/** `appearedAt` is when they came, if they were not there at first. */
function addFiles(index: Index, list: FileList, appearedAt?: number): void {
  index.isComplete &&= list.isComplete
  for (const path of list.folders)
    if (!index.folders.has(path)) index.folders.set(path, stableTime(folderTime(path)))
  for (const path of list.files) {
    const stats = index.files.has(path) ? undefined : readStats(path)
    if (!stats?.isFile()) continue
    const entry =
      appearedAt === undefined ? firstEntryOf(stats) : newEntryOf(path, stats, index.lookedAt, appearedAt)
    setEntry(index, path, entry)
  }
}

async function addNewFiles(index: Index, lister: FileLister): Promise<void> {
  const { files, folders, ignored } = index
  const changed = [...folders].filter(([path, time]) => folderTime(path) !== time)
  for (const [path] of changed) {
    const time = folderTime(path)
    if (time === 0) {
      folders.delete(path)
      continue
    }
    folders.set(path, stableTime(time))
    const unknown: string[] = []
    const isKnown = (entry: string) => {
      const known = isPresent(files.get(entry)) || folders.has(entry) || ignored.has(entry)
      if (!known) unknown.push(entry)
      return known
    }
    const list = await lister.listNew(path, isKnown)
    addFiles(index, list, time)
    for (const entry of unknown) if (!files.has(entry) && !folders.has(entry)) ignored.add(entry)
    if (ignored.size > IGNORED_LIMIT) ignored.clear()
  }
}

/** Whether the rules of git have changed. */
async function lookAtFiles(index: Index): Promise<boolean> {
  let haveRulesChanged = false
  const paths = [...index.files.keys()]
  for (let start = 0; start < paths.length; start += BATCH_SIZE) {
    // Without threads, in which a look at a file costs ten times as much; other calls run between two batches.
    if (start > 0) await setImmediate()
    for (const path of paths.slice(start, start + BATCH_SIZE)) {
      const entry = index.files.get(path)
      const next = entry && lookAgain(path, entry, () => folderTime(dirname(path)))
      if (next === entry) continue
      setEntry(index, path, next)
      haveRulesChanged ||= basename(path) === '.gitignore'
    }
  }
  return haveRulesChanged
}

async function readFirstContents(index: Index): Promise<void> {
  const { files } = index
  const paths = [...files.keys()]
  for (let start = 0; start < paths.length; start += CONTENT_BATCH_SIZE) {
    await setImmediate()
    for (const path of paths.slice(start, start + CONTENT_BATCH_SIZE)) {
      const entry = files.get(path)
      if (entry) setEntry(index, path, withContent(path, entry))
    }
  }
}

// Another entry may come within the same step of the clock: the folder is read once more then.
const stableTime = (time: number): number => (Date.now() - time < CLOCK_STEP_MS ? time - 1 : time)

/** When an entry of a folder was added or removed; 0 if it is gone. */
const folderTime = (path: string): number => readStats(path)?.mtimeMs ?? 0
