// The ledger of a work tree: one file in the output folder, to which every process of the user may append. Nobody's death in the middle of a
// line makes a wrong entry of it: what is no whole line of JSON is passed over.

import { constants } from 'node:fs'
import { lstat, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import { diskFailure, openFolder } from '../../../core/base/files/output-folder.ts'
import { readRegularFile } from '../../../core/base/files/read-regular-file.ts'
import { err, ok } from '../../../core/base/result.ts'
import { race } from '../../../core/base/system/race-deadline.ts'
import { formatEntry, type LedgerEntry, parseEntry } from './entry.ts'
import { keepNewest } from './keep-newest.ts'
import { countNamedLines } from './line-ranges.ts'
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
        const size = await appendText(join(folder.value, name), format(entries, tree))
        if (size > SIZE_LIMIT_BYTES) await shrink(join(folder.value, name), tree)
        return ok(undefined)
      } catch (error) {
        return err(diskFailure(path, error))
      }
    },
    read: () => parseAll(readRegularFile(path, READ_LIMIT_BYTES)?.toString('utf8') ?? '', tree),
  }
}

// --- internal ---

const SIZE_LIMIT_BYTES = 1_000_000
const KEPT_CHARS = 500_000
const READ_LIMIT_BYTES = 8_000_000
/** Of sources, in the newest entries: `0-99999` is a hundred thousand. */
const NAMED_LINES_LIMIT = 2_000_000

/** Each line names its work tree: the ledger of another one says nothing of this. */
const format = (entries: readonly LedgerEntry[], tree: string): string =>
  entries.map((entry) => `${tree} ${formatEntry(entry)}`).join('\n')

function parseAll(text: string, tree: string): readonly LedgerEntry[] {
  let rest = NAMED_LINES_LIMIT
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${tree} `))
    .reverse()
    .filter((line) => (rest -= countNamedLines(line)) >= 0)
    .reverse()
    .flatMap((line) => parseEntry(line.slice(tree.length)) ?? [])
}

/** Returns the size of the file then. The line break before it ends what another process may have left. */
async function appendText(path: string, text: string): Promise<number> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Error('it is no regular file')
    // A disk that is full takes a part, and says so only to who writes the rest.
    await file.writeFile(`\n${text}\n`)
    return stats.size + text.length
  } finally {
    await file.close()
  }
}

const LOCK_LIFETIME_MS = 10_000
const LATE_WRITER_MS = 50

/** Writes the file anew with what its newest entries say, in one process at a time. */
async function shrink(path: string, tree: string): Promise<void> {
  const lock = `${path}.lock`
  if (!(await takeLock(lock))) return
  try {
    const before = await open(path, 'r')
    try {
      const { size } = await before.stat()
      // Others may have made a file of any size of it: the newest entries are at its end.
      const bytes = Buffer.alloc(Math.min(size, 2 * SIZE_LIMIT_BYTES))
      await before.read({ buffer: bytes, position: size - bytes.length })
      const next = `${lock}.new`
      const entries = keepNewest(parseAll(bytes.toString('utf8'), tree), KEPT_CHARS)
      await writeFile(next, `${format(entries, tree)}\n`, { mode: 0o600 })
      await rename(next, path)
      // Another process may have opened the old file just before.
      await race(LATE_WRITER_MS, [], () => new Promise<never>(() => {}))
      const late = await before.read({
        buffer: Buffer.alloc(READ_LIMIT_BYTES),
        position: size,
      })
      const lateText = late.buffer.toString('utf8', 0, late.bytesRead).trim()
      if (lateText) await appendText(path, lateText)
    } finally {
      await before.close()
    }
  } finally {
    await rm(lock, { force: true })
  }
}

async function takeLock(lock: string): Promise<boolean> {
  const create = () =>
    writeFile(lock, '', { flag: 'wx', mode: 0o600 }).then(
      () => true,
      () => false,
    )
  if (await create()) return true
  const stats = await lstat(lock).catch(() => undefined)
  if (!stats || Date.now() - stats.mtimeMs < LOCK_LIFETIME_MS) return false
  await rm(lock, { force: true })
  return create()
}
