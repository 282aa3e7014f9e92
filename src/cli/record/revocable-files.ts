// The files that a recording writes. None is written after the person has said no, and those written before are removed again.

import { lstatSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { Files } from '../../runtime/ports/files.ts'

export interface RevocableFiles {
  readonly files: Files
  /** Removes what was created, and the folders that were created for it. */
  revoke(): Promise<void>
}

export function createRevocableFiles(files: Files, interruption: AbortSignal): RevocableFiles {
  const creations: { readonly missing: readonly string[]; readonly outcome: Promise<Outcome<string>> }[] = []
  return {
    files: {
      ...files,
      async create(path, ...rest) {
        if (interruption.aborted) return err({ code: 'CANCELLED' })
        const missing = missingFolders(dirname(files.resolve(path)))
        const outcome = files.create(path, ...rest)
        creations.push({ missing, outcome })
        return outcome
      },
    },
    async revoke() {
      for (const { missing, outcome } of creations.reverse()) {
        const created = await outcome
        if (created.ok) rmSync(created.value, { force: true })
        missing.forEach(removeIfEmpty)
      }
    },
  }
}

// --- internal ---

/** The folder and those above it that do not exist, the deepest one first. */
function missingFolders(folder: string): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) || dirname(folder) === folder) return []
  return [folder, ...missingFolders(dirname(folder))]
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something else is in it.
  }
}
