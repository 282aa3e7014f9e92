// Implements the port `Revisions` with git, which is loaded with the first comparison.

import { isFolder } from '../../../core/base/files/read-stats.ts'
import type { ProgramLimits } from '../../../core/devserver/process/allowed-programs.ts'
import type { ServerContext } from '../../../core/devserver/process/start-context.ts'
import { findGitObstacle } from '../../lib/changes/find-base.ts'
import type { Revisions } from './revisions.ts'

interface RevisionsOptions {
  readonly createContext: () => ServerContext
  /** Set if clients may start only certain commands: git is one of them. */
  readonly limits?: ProgramLimits | undefined
}

export function createRevisions({ createContext, limits }: RevisionsOptions): Revisions {
  const git = async () =>
    (await import('../../../core/devserver/process/run-git.ts')).createRunGit(createContext())
  return {
    findObstacle: () => findGitObstacle(limits),
    isFolder,
    async isRevision(folder, revision) {
      const { findCommit } = await import('../../lib/changes/find-base.ts')
      const commit = await findCommit(await git(), folder, revision)
      return commit.ok && commit.value !== undefined
    },
    async findRepositoryProblem(folder, revision) {
      const { findTop } = await import('../../lib/changes/find-base.ts')
      const top = await findTop(await git(), folder, revision)
      return top.ok ? undefined : top.error
    },
    async checkOut(folder, revision, signal) {
      const { checkOut } = await import('./check-out.ts')
      return checkOut(folder, revision, createContext(), signal)
    },
    async readChanges(folder, commit) {
      const { readChanges } = await import('../../lib/changes/read-changes.ts')
      return readChanges(folder, commit, await git())
    },
  }
}
