import { existsSync, rmSync } from 'node:fs'

/** Removes a folder with all that is in it, and returns whether it no longer exists. What another program holds open cannot be removed on
 * Windows, and nowhere what belongs to another user. */
export function removeFolder(folder: string, maxRetries = 0): boolean {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries })
  } catch {
    // What is left is removed by the next run.
  }
  return !existsSync(folder)
}
