// Whether programs watch a folder for new files, as dev servers watch their project.

import { statSync } from 'node:fs'
import process from 'node:process'
import { listFolder, readFile, readLink } from '../system/proc-files.ts'

/** Whether another process watches one of these folders. Known on Linux only, and of processes of this user. */
export function isFolderWatched(folders: readonly string[]): boolean {
  if (process.platform !== 'linux') return false
  const inodes = new Set(folders.flatMap(inodeOf))
  const others = listFolder('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return others.some((pid) =>
    listFolder(`/proc/${pid}/fd`).some(
      (fd) =>
        readLink(`/proc/${pid}/fd/${fd}`) === 'anon_inode:inotify' &&
        watchedInodes(`/proc/${pid}/fdinfo/${fd}`).some((inode) => inodes.has(inode)),
    ),
  )
}

// --- internal ---

const watchedInodes = (path: string): string[] =>
  [...readFile(path).matchAll(/^inotify wd:\S+ ino:([\da-f]+) /gm)].map((match) => match[1] ?? '')

function inodeOf(path: string): string[] {
  try {
    return [statSync(path).ino.toString(16)]
  } catch {
    return []
  }
}
