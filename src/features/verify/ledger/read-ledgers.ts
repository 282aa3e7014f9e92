// The ledgers of a work tree as a process finds them that is not the one which wrote them: servers of several folders may have written each
// its own.

import { dirname, resolve } from 'node:path'
import { isBelow, resolveRealPath } from '../../../core/base/files/workspace-roots.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import { firstOf, type LedgerContents, openLedger } from './ledger-file.ts'

/** Reads those in the output folders of `folder` and of the folders around it, up to `top`, the real path of the work tree. */
export async function readLedgers(
  folder: string,
  top: string,
  outputDir: string,
  git: RunGit,
): Promise<LedgerContents> {
  const outputFolders = new Set(
    foldersUpTo(resolveRealPath(folder), top).map((one) => resolve(one, outputDir)),
  )
  const contents = await Promise.all(
    [...outputFolders].map((outputFolder) => openLedger(outputFolder, top, { git }).read()),
  )
  return {
    entries: contents.flatMap(({ entries }) => entries).toSorted((a, b) => a.at - b.at),
    passedOver: contents.flatMap(({ passedOver }) => passedOver),
    isUnreadable: contents.some(({ isUnreadable }) => isUnreadable),
    firstAt: firstOf(contents.flatMap(({ firstAt }) => firstAt ?? [])),
  }
}

// --- internal ---

function foldersUpTo(folder: string, top: string): readonly string[] {
  const folders = [top]
  for (let at = folder; at !== top && isBelow(at, top); at = dirname(at)) folders.push(at)
  return folders
}
