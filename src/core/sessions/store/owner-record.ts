// What is kept about an owner beyond the end of its sessions.

import type { Failure } from '../../base/failure.ts'
import {
  nextSessionName,
  NO_SESSION_NUMBERS,
  reserveSessionName,
  type SessionNumbers,
} from './session-name.ts'

interface OwnerRecord {
  readonly numbers: SessionNumbers
  /** Why the last session of the owner ended, if it was not closed. */
  readonly lastFailure?: Failure
}

export type OwnerRecords = ReadonlyMap<string, OwnerRecord>

const OWNER_LIMIT = 10_000

/** The name of the owner's next session: the requested one, or one that no session of the owner had before. `activeOwners` are those with
 * a session. */
export function assignName(
  owners: OwnerRecords,
  owner: string,
  requestedName: string | undefined,
  activeOwners: ReadonlySet<string>,
): { readonly name: string; readonly owners: OwnerRecords } {
  const { numbers = NO_SESSION_NUMBERS, ...rest } = owners.get(owner) ?? {}
  const next =
    requestedName === undefined
      ? nextSessionName(numbers)
      : { name: requestedName, numbers: reserveSessionName(numbers, requestedName) }
  const record = { ...rest, numbers: next.numbers }
  return { name: next.name, owners: putOwner(owners, owner, record, activeOwners) }
}

/** Notes why the owner's last session ended; a session that was closed leaves no failure. */
export function putLastFailure(owners: OwnerRecords, owner: string, cause: Failure | 'closed'): OwnerRecords {
  const { numbers = NO_SESSION_NUMBERS } = owners.get(owner) ?? {}
  return new Map(owners).set(owner, { numbers, ...(cause !== 'closed' && { lastFailure: cause }) })
}

// --- internal ---

// The owner becomes the newest. Above the limit the oldest one without a session is removed; its names start again at s1.
function putOwner(
  owners: OwnerRecords,
  owner: string,
  record: OwnerRecord,
  activeOwners: ReadonlySet<string>,
): OwnerRecords {
  const next = new Map(owners)
  next.delete(owner)
  next.set(owner, record)
  if (next.size <= OWNER_LIMIT) return next
  const removed = [...next.keys()].find((candidate) => candidate !== owner && !activeOwners.has(candidate))
  if (removed !== undefined) next.delete(removed)
  return next
}
