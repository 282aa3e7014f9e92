/** A path of the work tree, or of a repository inside, that differs from the base. */
export interface ChangedPath {
  /** Relative to the top, as git writes it. */
  readonly path: string
  readonly change: 'added' | 'edited' | 'removed' | 'renamed'
  /** What a renamed one was. */
  readonly from?: string
  /** Its present text, without a mark of byte order. */
  readonly content?: string
  /** Why there is none, such as `binary`, although it is there. */
  readonly noContent?: string
  /** The text of the base, of a renamed file too. */
  readonly baseContent?: string
  /** Those that were added or changed; all of them where nothing tells which. */
  readonly lines: readonly number[]
  /** How many lines were removed where this one is now; the last line for those after it, 0 where no line is left. */
  readonly besides: readonly LinesAt[]
  /** How many lines were removed in whose place others are, of which this is the first. */
  readonly replaced: readonly LinesAt[]
  /** In Unix milliseconds. */
  readonly editedAt?: number
}

interface LinesAt {
  readonly line: number
  readonly count: number
}
