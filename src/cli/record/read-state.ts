import { readFile } from 'node:fs/promises'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { StorageState } from '../../runtime/ports/page/storage-state.ts'
import { parseStorageState } from '../../tools/define/storage-state.ts'

/** The state in a file that `storage_state` or `login` has written; undefined without a path. */
export async function readState(path: string | undefined): Promise<Outcome<StorageState | undefined>> {
  if (path === undefined) return ok(undefined)
  const expected = 'a file that storage_state or footlight login has saved'
  try {
    return parseStorageState(JSON.parse(await readFile(path, 'utf8')), 'storageState')
  } catch (error) {
    return err(invalidParameter('storageState', expected, `${path}: ${(error as Error).message}`))
  }
}
