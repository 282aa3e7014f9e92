// The ledger of a work tree: one file in the output folder, to which every process of the user may append. Nobody's death in the middle of a
// line makes a wrong entry of it: what is no whole line of JSON is passed over.

import { constants } from 'node:fs'
import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import {
  appendToFile,
  createNewFile,
  readKeptFile,
  replaceFile,
  withFile,
} from '../../../core/base/files/kept-files.ts'
import { diskFailure, openFolder } from '../../../core/base/files/output-folder.ts'
import { err, ok } from '../../../core/base/result.ts'
import { race } from '../../../core/base/system/race-deadline.ts'
import { formatEntry, type LedgerEntry, parseEntry } from './entry.ts'
import { keepNewest } from './keep-newest.ts'
import { hashText } from './text-hash.ts'

export interface Ledger {
  readonly path: string
  /** Fails with RESOURCE_EXHAUSTED or ACCESS_DENIED where nothing can be written. */
  append(entries: readonly LedgerEntry[]): Promise<Outcome<void>>
  /** Oldest first. */
  read(): readonly LedgerEntry[]
}

export const LEDGER_FOLDER = 'verify'

/** `top` is the real path of the work tree. */
export function openLedger(outputFolder: string, top: string): Ledger {
  const tree = hashText(top)
  const name = `${tree}.jsonl`
  const path = join(outputFolder, LEDGER_FOLDER, name)
  return {
    path,
    async append(entries) {
      const folder = await openFolder(outputFolder, LEDGER_FOLDER)
      if (!folder.ok) return folder
      try {
        const size = await appendToFile(join(folder.value, name), `\n${format(entries, tree)}\n`)
        if (size > SIZE_LIMIT_BYTES) await shrink(join(folder.value, name), tree)
        return ok(undefined)
      } catch (error) {
        return err(diskFailure(path, error))
      }
    },
    read() {
      const file = readKeptFile(path, READ_LIMIT_BYTES)
      return parseAll((file.ok && file.value?.toString('utf8')) || '', tree)
    },
  }
}

// --- internal ---

const SIZE_LIMIT_BYTES = 1_000_000
const KEPT_CHARS = 500_000
const READ_LIMIT_BYTES = 8_000_000

/** Each line names its work tree: the ledger of another one says nothing of this. */
const format = (entries: readonly LedgerEntry[], tree: string): string =>
  entries.map((entry) => `${tree} ${formatEntry(entry)}`).join('\n')

const parseAll = (text: string, tree: string): readonly LedgerEntry[] =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith(`${tree} `) ? (parseEntry(line.slice(tree.length)) ?? []) : []))

const LOCK_LIFETIME_MS = 10_000
const LATE_WRITER_MS = 50

/** Writes the file anew with what its newest entries say, in one process at a time. */
async function shrink(path: string, tree: string): Promise<void> {
  const lock = `${path}.lock`
  if (!(await takeLock(lock))) return
  try {
    await withFile(path, constants.O_RDONLY, async (before) => {
      // Of one that is too large nothing is kept: reading it would take all memory.
      const last = readKeptFile(path, READ_LIMIT_BYTES)
      const text = (last.ok && last.value?.toString('utf8')) || ''
      const { size } = last.ok && last.value ? { size: last.value.length } : await before.stat()
      await replaceFile(path, `${format(keepNewest(parseAll(text, tree), KEPT_CHARS), tree)}\n`)
      // Another process may have opened the old file just before.
      await race(LATE_WRITER_MS, [], () => new Promise<never>(() => {}))
      const late = await before.read({ buffer: Buffer.alloc(READ_LIMIT_BYTES), position: size })
      const lateText = late.buffer.toString('utf8', 0, late.bytesRead).trim()
      if (lateText) await appendToFile(path, `\n${lateText}\n`)
    })
  } finally {
    await rm(lock, { force: true })
  }
}

async function takeLock(lock: string): Promise<boolean> {
  const create = () =>
    createNewFile(lock, '').then(
      () => true,
      () => false,
    )
  if (await create()) return true
  const stats = await lstat(lock).catch(() => undefined)
  if (!stats || Date.now() - stats.mtimeMs < LOCK_LIFETIME_MS) return false
  await rm(lock, { force: true })
  return create()
}
