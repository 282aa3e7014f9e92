// The records of the tabs that relays have opened, one file per relay, in a folder of the user.

import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import {
  formatChange,
  formatRecordName,
  openingUrlOf,
  parseRecordName,
  type RecordName,
} from '../../core/attach/target-records.ts'
import { RELAY_COMMAND } from '../../core/attach/relay-lines.ts'

/** The record of a relay that has ended without closing its tabs. */
export interface LeftRecord extends RecordName {
  readonly path: string
  readonly text: string
}

export interface RecordFile {
  readonly openingUrl: string
  /** Notes a tab before anything is done with it. */
  add(change: 'opened' | 'gone', targetId: string): void
  remove(): void
}

/** The tabs of a browser that has ended are never found again. */
const RECORD_AGE_LIMIT_MS = 30 * 86_400_000

/** The record of this process, created at once so that a tab can be recognized by its URL. */
export function createRecordFile(folder: string): RecordFile {
  const tag = crypto.randomUUID()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, formatRecordName({ pid: process.pid, tag }))
  appendFileSync(path, '', { mode: 0o600 })
  return {
    openingUrl: openingUrlOf(tag),
    add: (change, targetId) => appendFileSync(path, formatChange(change, targetId)),
    remove: () => rmSync(path, { force: true }),
  }
}

/** The records of relays that have ended. Those of browsers that ended long ago are removed. */
export function findLeftRecords(folder: string): LeftRecord[] {
  return readdirSync(folder).flatMap((name) => {
    const recordName = parseRecordName(name)
    const path = join(folder, name)
    if (!recordName || isRelay(recordName.pid)) return []
    if (Date.now() - statSync(path).mtimeMs > RECORD_AGE_LIMIT_MS) {
      rmSync(path, { force: true })
      return []
    }
    return [{ ...recordName, path, text: readFileSync(path, 'utf8') }]
  })
}

export const removeRecord = ({ path }: LeftRecord): void => rmSync(path, { force: true })

// --- internal ---

/** Whether a process is a relay. Its pid may have been reused; only Linux shows the command of another process. */
function isRelay(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(RELAY_COMMAND)
  } catch {
    return true
  }
}
