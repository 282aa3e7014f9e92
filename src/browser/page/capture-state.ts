import type { BrowserContext } from 'playwright'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Outcome } from '../../core/failure.ts'
import type { StorageState } from '../../runtime/ports/page/storage-state.ts'

/** Cookies and storage of all origins of a context. IndexedDB is omitted if a value in it cannot be saved. */
export function captureState(context: BrowserContext): Promise<Outcome<StorageState>> {
  const capture = context.storageState({ indexedDB: true }).catch(() => context.storageState())
  return attempt(capture as Promise<unknown> as Promise<StorageState>, browserError)
}
