import type { Deadline } from '../deadline.ts'
import type { OriginStorage, StorageQuery, StorageState } from './storage-state.ts'
import type { CurrentEmulation, EmulationChange } from '../../../core/emulation.ts'
import type { Outcome } from '../../../core/failure.ts'

/** The methods of a page for what all tabs of its session share: emulation, cookies and storage. */
export interface PageState {
  /** Applies the change to all tabs, also to those that are opened later; returns what is set then. */
  emulate(change: EmulationChange, deadline: Deadline): Promise<Outcome<CurrentEmulation>>
  storageState(deadline: Deadline): Promise<Outcome<StorageState>>
  setStorageState(state: StorageState, deadline: Deadline): Promise<Outcome<void>>
  /** Reads, sets or clears cookies and storage of the current origin; the value has the items that were read, set or cleared. */
  changeStorage(
    action: 'read' | 'set' | 'clear',
    query: StorageQuery,
    value: string | undefined,
    deadline: Deadline,
  ): Promise<Outcome<OriginStorage>>
}
