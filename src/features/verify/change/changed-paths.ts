// Which files of a work tree differ from the base, looked up again where an edit may have come.

import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createBoundedMap } from '../../../core/base/bounded-collections.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import { findBase, findTop } from '../../lib/changes/find-base.ts'
import { listChanges } from '../../lib/changes/list-changes.ts'

export interface ChangedPaths {
  /** The real path of the top of the work tree; undefined outside of a repository, where nothing is changed. */
  readonly top: Promise<string | undefined>
  /** Settles when it has looked once. */
  readonly ready: Promise<void>
  /** Relative to the top, as far as they are known. */
  readonly current: () => ReadonlySet<string>
  /** Takes a file for changed until the next look. */
  add(path: string): void
  /** Looks again. Looks that come while one waits are one. */
  refresh(): Promise<void>
}

/** Watches folders. All who watch one share its looks, so that many sessions do not start many git at once. */
export function createChangedPaths(
  git: () => RunGit,
  findBegan: FindBegan,
): (folder: string) => ChangedPaths {
  const watched = createBoundedMap<string, Watched>(FOLDER_LIMIT)
  return (folder) => {
    const known = watched.get(folder)
    if (known && (known.top === undefined || isTopOf(known.top, folder)))
      return { ...known.paths, ready: known.paths.refresh() }
    const entry: Watched = { paths: watchChangedPaths(git(), folder, findBegan) }
    watched.set(folder, entry)
    void entry.paths.top.then((top) => {
      entry.top = top
      // It may become a repository.
      if (top === undefined && watched.get(folder) === entry) watched.delete(folder)
    })
    return entry.paths
  }
}

// --- internal ---

const FOLDER_LIMIT = 100

type FindBegan = (top: string) => Promise<string | undefined>

interface Watched {
  readonly paths: ChangedPaths
  /** Once it is known. */
  top?: string | undefined
}

/** Whether it is still the top: its repository may have gone, or another one begun below it. */
function isTopOf(top: string, folder: string): boolean {
  if (!existsSync(folder)) return false
  let path = realpathSync(folder)
  while (!existsSync(join(path, '.git')) && path !== dirname(path)) path = dirname(path)
  return path === top
}

function watchChangedPaths(git: RunGit, folder: string, findBegan: FindBegan): ChangedPaths {
  let paths: ReadonlySet<string> = new Set()
  const top = findTop(git, folder).then(
    (result) => (result.ok ? realpathSync(result.value) : undefined),
    () => undefined,
  )
  const look = async () => {
    const root = await top
    if (root !== undefined) paths = (await listChanged(git, root, await findBegan(root))) ?? paths
  }
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = () => {
    running = look()
      .catch(() => {})
      .finally(() => (running = undefined))
    return running
  }
  return {
    top,
    ready: start(),
    current: () => paths,
    add(path) {
      paths = new Set([...paths, path])
    },
    refresh() {
      if (!running) return start()
      next ??= running.then(() => {
        next = undefined
        return start()
      })
      return next
    },
  }
}

/** Undefined where git does not tell: what was known stays. */
async function listChanged(
  git: RunGit,
  top: string,
  began: string | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const base = await findBase(git, top, { began })
  if (!base.ok) return undefined
  const listed = await listChanges(git, top, base.value.commit)
  if (!listed.ok) return undefined
  return new Set(listed.value.flatMap(({ prefix, changes }) => changes.map(({ path }) => prefix + path)))
}
