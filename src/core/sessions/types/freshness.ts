// Whether a page shows the source files as they are now, and what is known about the server for that. src/features/freshness judges it.

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

/** `stale`: the page was loaded before the change. `reload`: so it was, and the server has been started anew with the change. `pending`: it
 * may show the change soon, which is not certain yet. `restart`: a process of the server read the file before the change, and nothing
 * starts it anew. `failed`: the build after the change failed. `unknown`: nothing tells whether the page shows it. `unloaded`: the page
 * failed to load, and shows no file at all. Ages are milliseconds since the change. */
export type Freshness =
  | { readonly state: 'fresh' | 'unloaded' }
  | {
      readonly state: 'stale' | 'reload' | 'pending' | 'restart' | 'failed' | 'unknown'
      /** Relative to the working directory of the dev server; empty if there are too many files to look at all. */
      readonly file: string
      readonly ageMs: number
      /** With `failed`: the line of the dev server that says why. */
      readonly line?: string
      /** With `unknown`: a service worker or a cache answered in place of the server. */
      readonly isStored?: true
      /** With `unknown`: what the page received is neither the file nor what it was before. */
      readonly isAltered?: true
      /** With `restart`: a process of the server watches files, or may look at them. */
      readonly isWatched?: true
      /** With `stale`: the page has a connection over which it may learn of the change. */
      readonly isConnected?: true
    }

export interface ServerCode {
  /** The absolute path of the folder of its command. */
  readonly folder: string
  /** That of the process that serves the pages, relative to it. */
  readonly pageFolder: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** When it was ready; until then it writes what it needs. */
  readonly readyAt?: number
  /** When the process that serves the pages was started: what it reads at its start is as it was then. */
  readonly listenerStartedAt?: number | undefined
  /** Whether a process of the server watches files; undefined if unknown, as of one that looks at them again and again. */
  readonly watchesFiles: boolean | undefined
  /** The programs that its processes run now. */
  readonly programs: readonly ServerProgram[]
  /** The files that its processes have open to write. */
  readonly written?: ReadonlySet<string>
}

/** A program that a process of the server runs, with what it has read at its start. */
export interface ServerProgram {
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Its source files, relative to the working directory of the server. */
  readonly files: ReadonlySet<string>
  /** Whether it listens, or has had the time to. */
  readonly isUp: boolean
  /** Whether it takes changes without a start. */
  readonly isHot?: boolean
}
