// What the ledger keeps of a file of which nobody counts lines: that a page has received its bytes.

import type { CommonEntry } from './flow-entry.ts'

/** `content` is the hash of the bytes. */
export interface SeenEntry extends CommonEntry {
  readonly kind: 'seen'
  /** The call during which it came. */
  readonly call: string
}
