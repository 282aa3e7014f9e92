// The ledgers of a work tree as a process finds them that is not the one which wrote them: servers of several folders may have written each
// its own.

import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isBelow, resolveRealPath } from '../../../core/base/files/workspace-roots.ts'
import type { LedgerEntry } from './entry.ts'
import { openLedger } from './ledger-file.ts'

export interface LedgerContents {
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[]
  /** Whether there is a ledger of which nothing can be read. */
  readonly isUnreadable: boolean
}

/** Reads those in the output folders of `folder` and of the folders around it, up to `top`, the real path of the work tree. */
export function readLedgers(folder: string, top: string, outputDir: string): LedgerContents {
  const outputFolders = new Set(
    foldersUpTo(resolveRealPath(folder), top).map((one) => resolve(one, outputDir)),
  )
  const ledgers = [...outputFolders].map((outputFolder) => openLedger(outputFolder, top))
  const contents = ledgers.map((ledger) => ({ ledger, entries: ledger.read() }))
  return {
    entries: contents.flatMap(({ entries }) => entries).toSorted((a, b) => a.at - b.at),
    isUnreadable: contents.some(({ ledger, entries }) => entries.length === 0 && hasContent(ledger.path)),
  }
}

// --- internal ---

function foldersUpTo(folder: string, top: string): readonly string[] {
  const folders = [top]
  for (let at = folder; at !== top && isBelow(at, top); at = dirname(at)) folders.push(at)
  return folders
}

function hasContent(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (!stats.isFile() || stats.size > 0)
}
