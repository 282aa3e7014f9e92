// The browsers as sessions use them. src/core/browser implements them with Playwright.

import type { BrowserName } from '../../base/browser-names.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import type { Folder } from '../../base/files/files.ts'
import type { Size } from '../../base/geometry.ts'
import type { Redactor } from '../../base/redaction/redactor.ts'
import type { StorageState } from '../../base/storage.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { NewWebSocketFrame, RequestProgress, RequestStart } from '../journal/network-log.ts'
import type { LimitTransfer } from './egress-proxy.ts'
import type { Page } from './page.ts'

/** How a session's page is opened. Missing options have the server's defaults. */
export interface PageOptions {
  readonly browser?: BrowserName
  readonly headless?: boolean
  readonly isolation?: 'context' | 'browser'
  readonly viewport?: Size
  readonly device?: string
  readonly userAgent?: string
  readonly locale?: string
  readonly timezone?: string
  readonly storageState?: StorageState
  /** The folder of the profile that its browser keeps, and no other one uses. `storageState` is then that of its last session. */
  readonly profileFolder?: string
  /** The folder of an unpacked extension, which a browser of its own loads. */
  readonly extension?: string
  /** Whether its tabs are opened in the user's own running browser. */
  readonly attach?: boolean
  /** Whether every certificate is accepted. */
  readonly ignoreHTTPSErrors?: boolean
  readonly httpCredentials?: HttpCredentials
  /** Source text that runs in every document before the scripts of the page. */
  readonly initScript?: string
  /** The URL of the proxy for all connections of the page. */
  readonly proxy?: string
}

/** What a server gets that asks for HTTP authentication. Without an origin it is that of the session's dev server; no other one gets it. */
export interface HttpCredentials {
  readonly username: string
  readonly password: string
  readonly origin?: string
}

/** Whether a page responds. `freed`: a script blocked it and was terminated; `stuck`: one blocks it; `silent`: it does not, and no script is
 * known to be the reason. */
export type PageState = 'answering' | 'freed' | 'stuck' | 'silent'

/** A page and everything that is released with it. */
export interface OwnedPage extends Page {
  /** The id of the extension that its browser has loaded, whose pages it may open. */
  readonly extensionId?: string
  /** Allows pages of an origin to read the clipboard, if the browser supports it. All pages may write to it. */
  allowPasting(origin: string): Promise<void>
  /** Turns off the HTTP cache of all its tabs, where the browser is the session's own. */
  disableCache(): Promise<void>
  /** Names the origin of the session's dev server, which gets the HTTP credentials that have no origin of their own. */
  setServerOrigin(origin: string): Promise<void>
  /** Waits until the page responds, and terminates a script that blocks it. */
  recover(): Promise<PageState>
  /** The title of its active tab; empty while a dialog is open, and if the tab does not tell it within `ms` milliseconds. */
  currentTitle(ms: number): Promise<string>
  release(): Promise<void>
}

export interface PageHooks {
  /** Whether the page has a proxy; its tabs then navigate away before they are closed. */
  readonly isProxied?: boolean
  /** Whether its tabs are in the user's own browser, whose other cookies and storage are not the session's. */
  readonly isAttached?: boolean
  /** Whether the browser runs on another machine. */
  readonly isElsewhere?: boolean
  /** Whether the host rules refuse a URL; they hold for mocks too. */
  readonly isRefused?: (url: string) => boolean
  /** Limits what the page gets from a server; undefined without a proxy. */
  readonly limitTransfer?: LimitTransfer
  /** The number of the next ref; undefined for a series of its own. */
  readonly nextRef?: (() => number) | undefined
  /** Called once if its browser crashes before `release`. */
  onCrash(failure: Failure): void
  /** Called for console messages, failed requests and page events. */
  onEntry(entry: Omit<JournalEntry, 'seq' | 'at'>): void
  /** Called when a request starts; returns its `seq` in the network log. */
  onRequest(request: RequestStart): number
  /** Called when a WebSocket sends or receives a frame; `seq` is that of its request. */
  onWebSocketFrame(seq: number, frame: NewWebSocketFrame): void
  /** Called when the state of a request changes. */
  onRequestProgress(seq: number, progress: RequestProgress): void
  /** The redactor; undefined if nothing is redacted. */
  readonly secrets?: SecretHooks
  readonly folder: Pick<Folder, 'reserve' | 'finish' | 'remove'>
}

/** The part of the session's redactor that its pages use. */
export type SecretHooks = Pick<
  Redactor,
  'learn' | 'learnNames' | 'redactText' | 'redactData' | 'redactPart' | 'containsDeclared'
>

export interface Browsers {
  /** Opens a new context with one page. */
  open(options: PageOptions, hooks: PageHooks): Promise<Outcome<OwnedPage>>
  end(): Promise<void>
}
