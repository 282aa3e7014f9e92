// The ledger of a work tree: one file in the output folder, to which every process of the user may append. Nobody's death in the middle of a
// line makes a wrong entry of it: what has no signature of this user is passed over.

import { constants } from 'node:fs'
import { lstat, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Outcome } from '../../../core/base/failure.ts'
import {
  appendToFile,
  createNewFile,
  readKeptFile,
  replaceFile,
  withFile,
} from '../../../core/base/files/kept-files.ts'
import { diskFailure, openFolder } from '../../../core/base/files/output-folder.ts'
import { isBelow, resolveRealPath } from '../../../core/base/files/workspace-roots.ts'
import { err, ok } from '../../../core/base/result.ts'
import { race } from '../../../core/base/system/race-deadline.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import { findJobStart } from '../../lib/job-start.ts'
import { findStateFolder } from '../../lib/state-folder.ts'
import { formatEntry, type LedgerEntry, parseEntry } from './entry.ts'
import { keepNewest } from './keep-newest.ts'
import { createKey, findSignature, type Sign } from './ledger-key.ts'
import { countNamedLines } from './line-ranges.ts'
import { hashText } from './text-hash.ts'

export interface Ledger {
  readonly path: string
  /** Fails with RESOURCE_EXHAUSTED or ACCESS_DENIED where nothing can be written. */
  append(entries: readonly LedgerEntry[]): Promise<Outcome<void>>
  read(): Promise<LedgerContents>
}

export interface LedgerContents {
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[]
  /** What does not count, and why, a sentence each. */
  readonly passedOver: readonly string[]
  /** Whether nothing of it can be read although this user may have written it. */
  readonly isUnreadable: boolean
  /** When the first entry was made, in Unix milliseconds, also one that does not count. */
  readonly firstAt?: number | undefined
}

interface LedgerOptions {
  /** Tells whether a ledger is part of the repository. */
  readonly git?: RunGit
  readonly stateFolder?: string
}

export const LEDGER_FOLDER = 'verify'

/** `top` is the real path of the work tree. */
export function openLedger(
  outputFolder: string,
  top: string,
  { git, stateFolder = findStateFolder() }: LedgerOptions = {},
): Ledger {
  const name = `${hashText(top)}.jsonl`
  const path = join(outputFolder, LEDGER_FOLDER, name)
  const sign = () => findSignature(stateFolder, top)
  return {
    path,
    async append(entries) {
      const folder = await openFolder(outputFolder, LEDGER_FOLDER)
      if (!folder.ok) return folder
      try {
        await createKey(stateFolder, top)
        const file = join(folder.value, name)
        const size = await appendToFile(file, `\n${format(entries, sign())}\n`)
        if (size > SIZE_LIMIT_BYTES) await shrink(file, sign())
        return ok(undefined)
      } catch (error) {
        return err(diskFailure(path, error))
      }
    },
    async read() {
      const refuse = (reason: string, isUnreadable: boolean): LedgerContents => ({
        ...{ entries: [], isUnreadable },
        passedOver: [`The ledger ${path} does not count: ${reason}.`],
      })
      const file = readKeptFile(path, READ_LIMIT_BYTES)
      if (!file.ok) return refuse(file.error, true)
      if (!file.value) return { entries: [], passedOver: [], isUnreadable: false }
      if (git && (await isTracked(git, top, path))) return refuse('git tracks it', false)
      return contentsOf(path, parseAll(file.value.toString('utf8'), sign()))
    },
  }
}

/** The smallest; undefined without one. */
export const firstOf = (times: readonly number[]): number | undefined =>
  times.length === 0 ? undefined : times.reduce((first, time) => Math.min(first, time))

// --- internal ---

const SIZE_LIMIT_BYTES = 1_000_000
const KEPT_CHARS = 500_000
const READ_LIMIT_BYTES = 8_000_000
/** Of sources, in the newest entries: `0-99999` is a hundred thousand. */
const NAMED_LINES_LIMIT = 2_000_000

/** Also where git cannot tell. */
async function isTracked(git: RunGit, top: string, path: string): Promise<boolean> {
  const real = resolveRealPath(path)
  if (!isBelow(real, top)) return false
  const listed = await git(top, ['ls-files', '-z', '--', relative(top, real)])
  return !listed.ok || listed.value !== ''
}

function contentsOf(path: string, { entries, foreignCount }: ParsedLedger): LedgerContents {
  const jobStart = findJobStart()
  const own = entries.filter(({ at }) => at >= jobStart)
  const lines = (count: number, reason: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'line' : 'lines'} of the ledger ${path} ${reason}.`]
  return {
    entries: own,
    passedOver: [
      ...lines(foreignCount, 'did not count: the key of this user did not sign what is there'),
      ...lines(entries.length - own.length, 'did not count: they are from before this job'),
    ],
    isUnreadable: entries.length === 0 && foreignCount > 0,
    firstAt: firstOf(entries.map(({ at }) => at)),
  }
}

/** A signature is of a work tree: the ledger of another one says nothing of this. */
const format = (entries: readonly LedgerEntry[], sign: Sign = () => ''): string =>
  entries
    .map(formatEntry)
    .map((line) => `${sign(line)} ${line}`)
    .join('\n')

interface ParsedLedger {
  readonly entries: readonly LedgerEntry[]
  /** How many lines are not signed by this user. */
  readonly foreignCount: number
}

function parseAll(text: string, sign: Sign | undefined): ParsedLedger {
  const lines = text.split('\n').filter((line) => line !== '')
  const own = lines.flatMap((line) => {
    const at = line.indexOf(' ')
    return sign && sign(line.slice(at + 1)) === line.slice(0, at) ? line.slice(at + 1) : []
  })
  let rest = NAMED_LINES_LIMIT
  const newest = own.toReversed().filter((line) => (rest -= countNamedLines(line)) >= 0)
  const entries = newest.toReversed().flatMap((line) => parseEntry(line) ?? [])
  return { entries, foreignCount: lines.length - own.length }
}

const LOCK_LIFETIME_MS = 10_000
const LATE_WRITER_MS = 50

/** Writes the file anew with what its newest entries say, in one process at a time. */
async function shrink(path: string, sign: Sign | undefined): Promise<void> {
  const lock = `${path}.lock`
  if (!(await takeLock(lock))) return
  try {
    await withFile(path, constants.O_RDONLY, async (before) => {
      const { size } = await before.stat()
      // Others may have made a file of any size of it: the newest entries are at its end.
      const bytes = Buffer.alloc(Math.min(size, 2 * SIZE_LIMIT_BYTES))
      await before.read({ buffer: bytes, position: size - bytes.length })
      const { entries } = parseAll(bytes.toString('utf8'), sign)
      await replaceFile(path, `${format(keepNewest(entries, KEPT_CHARS), sign)}\n`)
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
