// The files of closed sessions over HTTP: those of a client are kept up to a size, and the oldest session's go first.

import { lstat, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Folder } from './files.ts'

/** Counts the files of a session that has closed. */
export type KeepFiles = (client: string, folder: Pick<Folder, 'list'>) => Promise<void>

interface KeptSession {
  readonly paths: readonly string[]
  readonly bytes: number
}

export interface KeptLimits {
  readonly bytes: number
  readonly sessions: number
}

export const KEPT_LIMITS: KeptLimits = { bytes: 500_000_000, sessions: 1000 }

export function createKeptFiles(limits: KeptLimits): KeepFiles {
  const sessionsByClient = new Map<string, KeptSession[]>()
  return async (client, folder) => {
    const paths = folder.list().map(({ path }) => path)
    if (paths.length === 0) return
    const sizes = await Promise.all(paths.map(sizeOf))
    const kept = sessionsByClient.get(client) ?? []
    sessionsByClient.set(client, kept)
    kept.push({ paths, bytes: sum(sizes) })
    // Its answer has just named those of the last one.
    while (
      kept.length > 1 &&
      (kept.length > limits.sessions || sum(kept.map(({ bytes }) => bytes)) > limits.bytes)
    )
      await removeFiles(kept.shift()?.paths ?? [])
  }
}

// --- internal ---

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const sizeOf = (path: string): Promise<number> =>
  lstat(path).then(
    ({ size }) => size,
    () => 0,
  )

async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true }).catch(() => {})
  // Other files may be in a folder.
  for (const folder of new Set(paths.map(dirname))) await rmdir(folder).catch(() => {})
}
