import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Removes a folder with all that is in it, and returns whether it no longer exists. What another program holds open cannot be removed on
 * Windows, and nowhere what belongs to another user. */
export function removeFolder(folder: string, maxRetries = 0): boolean {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries })
  } catch (error) {
    // Bun's recursive removal has a call that Wine lacks.
    if ((error as NodeJS.ErrnoException).code === 'EFAULT') removeEntry(folder)
    // What is left is removed by the next run.
  }
  return !existsSync(folder)
}

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something else is in it.
  }
}

/** Removes a file, a link without what it points to, or a folder entry by entry, as far as that is possible. */
export function removeEntry(path: string): void {
  try {
    if (!lstatSync(path).isDirectory()) return unlinkSync(path)
    for (const name of readdirSync(path)) removeEntry(join(path, name))
    rmdirSync(path)
  } catch {
    // Another program holds it open.
  }
}
