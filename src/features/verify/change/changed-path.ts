/** A path of the work tree, or of a repository inside, that differs from the base. */
export interface ChangedPath {
  /** Relative to the top, as git writes it. */
  readonly path: string
  readonly change: 'added' | 'edited' | 'removed' | 'renamed'
  /** What a renamed one was. */
  readonly from?: string | undefined
  /** Its present text, without a mark of byte order. */
  readonly content?: string | undefined
  /** Why there is none, such as `binary`, although it is there. */
  readonly noContent?: string | undefined
  /** The hash of its present bytes, of a file in no language that runs. */
  readonly hash?: string | undefined
  /** The text of the base, of a renamed file too. */
  readonly baseContent?: string | undefined
  /** Those that were added or changed; all of them where nothing tells which. */
  readonly lines: readonly number[]
  /** Where lines were removed with nothing in their place. */
  readonly removals: readonly RemovedLines[]
  /** In Unix milliseconds. */
  readonly editedAt?: number | undefined
}

export interface RemovedLines {
  /** The line that stands there now; the last one for those after it, 0 where no line is left. */
  readonly line: number
  /** The first of them in the base. */
  readonly oldLine: number
  readonly count: number
}
