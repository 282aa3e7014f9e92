/** A path that git reports as different from the base. */
export interface ChangedPath {
  /** Relative to the top of the work tree. */
  readonly path: string
  readonly change: 'added' | 'edited' | 'removed' | 'renamed'
  /** What it was called in the base. */
  readonly from?: string | undefined
  /** Its present text; undefined where it has none, or is gone. */
  readonly content?: string | undefined
  /** Why it has no text, such as `binary`. */
  readonly noContent?: string | undefined
  /** The hash of its present bytes. */
  readonly hash?: string | undefined
  /** Its text in the base. */
  readonly baseContent?: string | undefined
  /** The lines that are added or changed. */
  readonly lines: readonly number[]
  /** Where lines were removed with nothing in their place. */
  readonly removals: readonly RemovedLines[]
  /** In Unix milliseconds. */
  readonly editedAt?: number | undefined
}

export interface RemovedLines {
  /** The line that stands there now, or the last one. */
  readonly line: number
  /** The first of them in the base. */
  readonly oldLine: number
  readonly count: number
}
