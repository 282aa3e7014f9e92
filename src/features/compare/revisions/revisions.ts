// Revisions of the user's repository, beside the work tree. git-revisions.ts implements it.

import type { Failure, Outcome } from '../../../core/base/failure.ts'
import type { ChangedFile } from '../../lib/changes/changed-file.ts'

declare module '../../../core/tool/tool.ts' {
  interface CallContext {
    readonly revisions: Revisions
  }
}

/** A revision in a folder of its own, which ends with this process at the latest. */
export interface Checkout {
  /** The commit in full, and what it was asked for as. */
  readonly commit: string
  readonly name: string
  /** The folder in it that stands for the one that was asked for. */
  readonly folder: string
  /** The top folder of the work tree that it stands for. */
  readonly workTree: string
  /** What it has from the work tree though it is another one in the revision: it cannot differ. A sentence each. */
  readonly shared: readonly string[]
  /** What it does not have because it is not in git: a difference may come from that. A sentence each. */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
  /** A path in the work tree, or a text with such paths, with those of the checkout in their place. */
  translate(text: string): string
  remove(): Promise<void>
}

export interface Revisions {
  /** COMMAND_NOT_ALLOWED where clients may start certain programs only, and git is none of them. */
  findObstacle(): Failure | undefined
  /** Whether it names a commit of the repository that `folder` is in. */
  isRevision(folder: string, revision: string): Promise<boolean>
  /** Why nothing of git can be said for the folder: INVALID_PARAMETERS, field base. */
  findRepositoryProblem(folder: string, revision: string): Promise<Failure | undefined>
  isFolder(path: string): boolean
  /** Checks out a revision, by default the one where the branch left the main one, with the packages of the work tree. Fails with
   * INVALID_PARAMETERS, field base, or with RESOURCE_EXHAUSTED. */
  checkOut(folder: string, revision: string | undefined, signal: AbortSignal): Promise<Outcome<Checkout>>
  /** How the work tree that `folder` is in differs from a commit, with files that git does not know yet; paths are relative to `folder`. Fails as
   * git does. */
  readChanges(folder: string, commit: string): Promise<Outcome<readonly ChangedFile[]>>
}
