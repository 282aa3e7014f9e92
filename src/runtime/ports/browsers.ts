// Where pages come from, and what is released with them.

import type { Folder } from './files.ts'
import type { Image, Page } from './page.ts'
import type { StorageState } from './storage-state.ts'
import type { BrowserName } from '../../core/browser-names.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import type { Redactor } from '../../core/redaction/redactor.ts'
import type { NewWebSocketFrame, RequestProgress, RequestStart } from '../../core/session/network-log.ts'

/** How a session's page is opened. What is left out is the server's default. */
export interface PageOptions {
  readonly browser?: BrowserName
  readonly headless?: boolean
  readonly isolation?: 'context' | 'browser'
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly device?: string
  readonly userAgent?: string
  readonly locale?: string
  readonly timezone?: string
  readonly storageState?: StorageState
  /** Accepts every certificate. */
  readonly ignoreHTTPSErrors?: boolean
  /** The proxy that all its connections must go through. */
  readonly proxy?: string
}

/** What a person would look at first. Each part that could not be had is in `missing`, with the reason. */
export interface FailureView {
  readonly title?: string
  readonly image?: Image
  readonly candidates?: readonly Candidate[]
  readonly missing: Readonly<Record<string, string>>
}

/** An element that may be the one that was meant; its ref can be used. */
export interface Candidate {
  readonly role: string
  readonly name: string
  readonly ref: string
}

/** A page and everything that is released with it. `rescue` finds out whether the page still answers and frees it if it does not. */
export interface OwnedPage extends Page {
  /** Lets pages of an origin use the clipboard, as far as the browser can. */
  allowClipboard(origin: string): Promise<void>
  recover(): Promise<'answering' | 'freed' | 'stuck'>
  /** Gathers evidence within `ms`: a small picture, unless that is to have no pixels, and what comes closest to a missing target. Where
   * the engine cannot scale it, the picture has more pixels. */
  viewFailure(
    wanted: { readonly maximumPixels: number; readonly target?: string },
    ms: number,
  ): Promise<FailureView>
  release(): Promise<void>
}

export interface PageHooks {
  /** Whether it has a proxy, so that its tabs are left before they are closed. */
  readonly isProxied?: boolean
  /** Called once if its browser dies before `release`. */
  lost(failure: Failure): void
  /** What its console, its requests and it itself say. */
  observe(entry: Omit<JournalEntry, 'seq' | 'at'>): void
  /** A request began; the answer is its number. */
  requested(request: RequestStart): number
  /** A frame was sent or received on a WebSocket that was reported as a request. */
  framed(seq: number, frame: NewWebSocketFrame): void
  /** What has become known of a request. */
  progressed(seq: number, progress: RequestProgress): void
  /** What must not be shown; missing where everything may be. */
  readonly secrets?: SecretHooks
  readonly folder: Pick<Folder, 'place' | 'done' | 'drop'>
}

/** The session's redactor, as far as its pages need it. */
export type SecretHooks = Pick<
  Redactor,
  'learn' | 'learnNames' | 'redactText' | 'redactPart' | 'containsDeclared'
>

export interface Browsers {
  /** Opens a private context with one page. */
  open(options: PageOptions, hooks: PageHooks): Promise<Outcome<OwnedPage>>
  end(): Promise<void>
}
