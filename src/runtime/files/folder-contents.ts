import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The files below a folder, as relative paths, without symbolic links; undefined if it is not a folder. */
export async function filesBelow(folder: string): Promise<readonly string[] | undefined> {
  // Not with `recursive: true`, because Bun then follows links to folders.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (!entries) return undefined
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    files.push(...((await filesBelow(join(folder, name))) ?? []).map((path) => join(name, path)))
  return files
}

/** The folders that a path is in, the nearest one first. */
export function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}
