/** Real paths of files, or of one folder with the relative paths of its files. */
export interface Upload {
  readonly paths: readonly string[]
  readonly relativePaths?: readonly string[]
}

/** Whether files were set on a field or file chooser, or dropped on an element. */
export type UploadMethod = 'chosen' | 'dropped'
