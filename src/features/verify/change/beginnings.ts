// Where the work of a work tree began, as far as its ledger or the opening of a session tells: for work that is committed on the default branch.

import { createBoundedMap } from '../../../core/base/bounded-collections.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import { findCommit } from '../../lib/changes/find-base.ts'
import type { Ledger, LedgerContents } from '../ledger/ledger-file.ts'

export interface Beginnings {
  /** The commit with which the ledger of a work tree begins, or that of now: a session opens. */
  note(top: string): Promise<string | undefined>
  /** The same without a session, if the ledger or one that was opened before tells. */
  of(top: string): Promise<string | undefined>
}

export function createBeginnings(
  git: () => RunGit,
  ledgerOf: (top: string) => Pick<Ledger, 'read'>,
): Beginnings {
  const known = createBoundedMap<string, Promise<string | undefined>>(TREE_LIMIT)
  const note = async (top: string) =>
    (await findLedgerStart(git(), top, await ledgerOf(top).read())) ?? commitOf(git(), top, 'HEAD')
  return {
    note(top) {
      const commit = known.get(top) ?? note(top)
      known.set(top, commit)
      return commit
    },
    of: async (top) => known.get(top) ?? findLedgerStart(git(), top, await ledgerOf(top).read()),
  }
}

/** The last commit before the first entry of a ledger. */
export async function findLedgerStart(
  git: RunGit,
  top: string,
  { firstAt }: Pick<LedgerContents, 'firstAt'>,
): Promise<string | undefined> {
  if (firstAt === undefined) return undefined
  const until = `--min-age=${Math.floor(firstAt / 1000)}`
  const answer = await git(top, ['rev-list', '--max-count=1', '--first-parent', until, 'HEAD'])
  return answer.ok ? answer.value.trim() || undefined : undefined
}

// --- internal ---

const TREE_LIMIT = 100

async function commitOf(git: RunGit, top: string, revision: string): Promise<string | undefined> {
  const answer = await findCommit(git, top, revision)
  return answer.ok ? answer.value : undefined
}
