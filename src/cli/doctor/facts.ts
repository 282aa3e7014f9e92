// What doctor finds on a machine, before anything is said about it.

import type { SandboxFacts } from '../../browser/process/sandbox.ts'
import type { Orphan } from '../../devserver/process/orphans.ts'
import type { BrowserName } from '../../core/browser-names.ts'

/** A browser that was looked for. The one that the settings name is started with one page. */
export interface BrowserFacts {
  readonly browser: BrowserName
  /** Whether it is the one that the settings name, on this machine. */
  readonly isUsed: boolean
  readonly path: string | undefined
  readonly reason: string
  /** Shown with windows, where another is used for that. */
  readonly headed: string | undefined
  readonly launch:
    { readonly version: string; readonly ms: number } | { readonly problem: string } | undefined
  readonly searchedCount: number
  /** What is wrong with the path that the settings name. */
  readonly pathProblem: string | undefined
  /** The command that gets it. */
  readonly install: string
}

export interface SettingsFacts {
  /** What is wrong with them. */
  readonly problem: string | undefined
  readonly config: string | undefined
  readonly variables: readonly string[]
  /** What is said of variables that no option has. */
  readonly misspelled: readonly string[]
  /** Browsers are elsewhere, at this address. */
  readonly remote: string | undefined
  readonly headless: boolean
}

export interface FontFacts {
  readonly config: boolean
  readonly files: number
  readonly emoji: boolean
  readonly cjk: boolean
  /** The browser that would be used brings a font of its own. */
  readonly kit: boolean
}

export interface LeftoverFacts {
  readonly folders: readonly string[]
  readonly processes: readonly Orphan[]
  /** What `--fix` removed and ended; undefined where that was not asked for. */
  readonly fixed: { readonly folders: number; readonly processes: number } | undefined
}

export interface Facts {
  readonly platform: NodeJS.Platform
  readonly browsers: readonly BrowserFacts[]
  readonly settings: SettingsFacts
  /** Of the Chromium that would be used. */
  readonly sandbox: SandboxFacts | undefined
  /** `socket` is false where DISPLAY names a local display that is not there. */
  readonly display: { readonly name: string | undefined; readonly socket: boolean }
  /** Bytes of /dev/shm; undefined where there is none. */
  readonly sharedMemory: number | undefined
  readonly fonts: FontFacts | undefined
  /** What went wrong when a port was opened there. */
  readonly loopback: { readonly v4: string | undefined; readonly v6: string | undefined }
  /** People with an account on this machine; undefined where that is not known. */
  readonly userCount: number | undefined
  readonly output: {
    readonly path: string
    readonly problem: string | undefined
    /** Pictures of failures in sessions that have ended. */
    readonly pictures: readonly string[]
    /** Those that `--fix` removed. */
    readonly removedCount: number
  }
  readonly leftovers: LeftoverFacts
  readonly clients: readonly { readonly client: string; readonly file: string }[]
}
