import { type Stats, statSync } from 'node:fs'

/** What is known of a file; undefined where there is none, and for a path that no file can have, such as one that a page has made up. */
export function readStats(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

export const isFolder = (path: string): boolean => readStats(path)?.isDirectory() === true
