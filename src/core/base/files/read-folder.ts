import { type Dirent, readdirSync } from 'node:fs'

/** The entries of a folder; none if it cannot be read. */
export function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
