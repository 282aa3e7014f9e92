// The files of closed sessions over HTTP: those of a client stay up to a size, and the oldest session's go first.

import { lstat, readdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Folder } from './files.ts'
import { IGNORE_NAME } from './output-folder.ts'

/** Counts the files of a session that has closed. */
export type RetainFiles = (client: string, folder: Pick<Folder, 'list'>) => Promise<void>

interface ClosedSession {
  readonly paths: readonly string[]
  readonly bytes: number
}

interface RetentionLimits {
  readonly bytes: number
  readonly sessions: number
}

export const RETENTION_LIMITS: RetentionLimits = { bytes: 500_000_000, sessions: 1000 }

export function createFileRetention(limits: RetentionLimits): RetainFiles {
  const sessionsByClient = new Map<string, ClosedSession[]>()
  return async (client, folder) => {
    const paths = folder.list().map(({ path }) => path)
    if (paths.length === 0) return
    const sizes = await Promise.all(paths.map(sizeOf))
    const sessions = sessionsByClient.get(client) ?? []
    sessionsByClient.set(client, sessions)
    sessions.push({ paths, bytes: sum(sizes) })
    // Its answer has just named those of the last one.
    while (
      sessions.length > 1 &&
      (sessions.length > limits.sessions || sum(sessions.map(({ bytes }) => bytes)) > limits.bytes)
    )
      await removeFiles(sessions.shift()?.paths ?? [])
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
  for (const folder of new Set(paths.map(dirname))) {
    const names = await readdir(folder).catch(() => [])
    if (names.every((name) => name === IGNORE_NAME)) await rm(folder, { recursive: true, force: true })
  }
}
