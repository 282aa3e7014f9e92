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
  /** Whether it is looked at only because a page may have loaded it. */
  readonly isUnlisted?: true
}

export interface ProjectFiles {
  /** By path relative to the folder of the server; a file that did not change has the time that it had first. */
  readonly changes: ReadonlyMap<string, FileChange>
  /** Whether these are all. */
  readonly isComplete: boolean
  /** When they were looked at first: what changed since is an edit. */
  readonly since: number
}

/** Why the page is known to show an edit. `received`: it holds the present content of the file, and has evaluated it. `announced`: the server
 * named the file in an update that the page has applied. `built`: a build that names the file began and ended after the edit, and the page has
 * loaded its output. `started`: the programs that read the file were started after the edit, and the page was loaded after that. */
export type Ground = 'received' | 'announced' | 'built' | 'started'

/** An edited file; its path is relative to the working directory of the dev server. */
export interface EditedFile {
  readonly file: string
  /** Since its last edit. */
  readonly ageMs: number
}

export interface ShownFile extends EditedFile {
  readonly ground: Ground
}

/** What would tell whether the page shows it: `reload` the page, `restart` the server, or `look` at what is expected. */
export interface UntoldFile extends EditedFile {
  readonly step: 'reload' | 'restart' | 'look'
  /** `unnamed`: nothing that the page loaded or the server reported names it. `stored`: a service worker or a cache answered in place of the
   * server. `altered`: what the page received is neither the file nor what it was before. `hot`: a program has read it that may take changes
   * without a start. `loaded`: the page was loaded while the program was started. `exited`: the server does not run. */
  readonly reason: 'unnamed' | 'stored' | 'altered' | 'hot' | 'loaded' | 'exited'
}

/** `stale`: the page is older than the edit. `reload`: so it is, and the server has what the page needs. `pending`: it may show the edit soon,
 * which is not certain yet. `restart`: the server keeps what it read before the edit. `failed`: the build after the edit failed. `unknown`:
 * nothing tells whether the page shows it. `unloaded`: the page failed to load, and shows no file at all. */
export type Freshness =
  | { readonly state: 'unloaded' }
  | { readonly state: 'fresh'; readonly freshFiles?: readonly ShownFile[] }
  | OldFile
  | {
      readonly state: 'unknown'
      /** The newest edit first; empty if there are too many files to look at all. */
      readonly untold: readonly UntoldFile[]
      readonly freshFiles: readonly ShownFile[]
    }

/** What a wait for a page that shows the latest sources has found. */
export interface FreshPage {
  /** Why it cannot be told, and what would tell. */
  readonly note?: string
  readonly freshFiles: readonly ShownFile[]
}

export interface OldFile extends EditedFile {
  readonly state: 'stale' | 'reload' | 'pending' | 'restart' | 'failed'
  /** With `failed`: the line of the dev server that says why. */
  readonly line?: string
  /** With `stale`: the page has a connection over which it may learn of the edit. */
  readonly isConnected?: true
}

export interface ServerCode {
  /** The absolute path of the folder of its command. */
  readonly folder: string
  /** That of the process that serves the pages, relative to it. */
  readonly pageFolder: string
  /** Of its last start, in Unix milliseconds. */
  readonly startedAt: number
  /** When it was ready, in Unix milliseconds. */
  readonly readyAt: number
  /** Whether a process of the server is seen to watch files, or starts its own script again. */
  readonly isWatching: boolean
  /** The programs that its processes run now. */
  readonly programs: readonly ServerProgram[]
  /** The files that its processes have or had open to write. */
  readonly written: ReadonlySet<string>
}

/** A program that a process of the server runs, with what it has read at its start. */
export interface ServerProgram {
  /** Unix milliseconds; 0 if it has ended. */
  readonly startedAt: number
  /** Its source files, relative to the working directory of the server. */
  readonly files: ReadonlySet<string>
  /** Whether it listens, or has had the time to. */
  readonly isUp: boolean
  /** Whether it watches files itself: it may take changes without a start. */
  readonly isHot?: boolean
}
