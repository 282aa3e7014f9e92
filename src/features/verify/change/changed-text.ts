/** A file of the work tree that differs from the base. */
export interface ChangedText {
  /** Relative to the top of the work tree. */
  readonly path: string
  /** As it is now; undefined for one that is no text, or too large. */
  readonly content?: string | undefined
  /** The lines that are added or changed. */
  readonly lines: readonly number[]
  /** In Unix milliseconds. */
  readonly editedAt?: number
}
