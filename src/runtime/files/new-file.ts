import { open, rm, type FileHandle } from 'node:fs/promises'

/** Creates a file; fails with EEXIST if there is one. Nothing remains of a file that cannot be written, as on a full disk. */
export async function createNewFile(
  path: string,
  mode: number,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, 'wx', mode)
  const error = await write(file).then(
    () => undefined,
    (reason: Error) => reason,
  )
  await file.close()
  if (error === undefined) return
  await rm(path, { force: true })
  throw error
}
