import { createBoundedMap } from '../base/bounded-collections.ts'

const OWNER_LIMIT = 10_000

/** Numbers the refs of snapshots: the sessions of an owner continue one series, so that a ref of a session that has ended is none of a later
 * one. */
export function createRefNumbers(): (owner: string) => number {
  const lastNumbers = createBoundedMap<string, number>(OWNER_LIMIT)
  return (owner) => {
    const number = (lastNumbers.get(owner) ?? 0) + 1
    lastNumbers.set(owner, number)
    return number
  }
}
