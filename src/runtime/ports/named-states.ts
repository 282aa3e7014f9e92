// States that are saved under a name for later sessions.

import type { StorageState } from './page/storage-state.ts'
import type { Outcome } from '../../core/failure.ts'

/** A state as one session uses it. */
export interface NamedState {
  readonly name: string
  /** Undefined if nothing has been saved under this name. */
  readonly state: StorageState | undefined
  /** Whether this session saves it; another one that is open does otherwise. */
  readonly isSaved: boolean
  /** Replaces the file; a session that does not save it does nothing. */
  save(state: StorageState): Promise<Outcome<void>>
  /** Lets other sessions save it. */
  release(): Promise<void>
}

export interface NamedStates {
  /** Fails with INVALID_PARAMETERS for a wrong name or a damaged file, with RESOURCE_EXHAUSTED for errors of the file system. */
  open(name: string, owner: string): Promise<Outcome<NamedState>>
}
