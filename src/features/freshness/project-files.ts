// What the files of a project are, as far as a page is concerned.

/** When a file got its present content, in Unix milliseconds. */
export interface FileChange {
  readonly at: number
  /** When it had the same content before. */
  readonly same?: { readonly from: number; readonly until: number }
  /** Of its present content, if that is known. */
  readonly hash?: string
  /** Those of the contents that it had before. */
  readonly earlierHashes?: readonly string[]
}

export interface ProjectFiles {
  /** By path relative to the folder of the server; a file that did not change has the time that it had first. */
  readonly changes: ReadonlyMap<string, FileChange>
  /** Whether these are all. */
  readonly isComplete: boolean
}
