// What the outside must offer, as types only. Tools and the desk know these; browser/ implements them over Playwright.

import type { Failure, Outcome } from '../core/failure.ts'
import type { Session } from '../core/session.ts'

export type BrowserName = 'chromium' | 'firefox' | 'webkit' | 'chrome' | 'msedge'

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
}

export interface StorageState {
  readonly cookies: readonly Record<string, unknown>[]
  readonly origins: readonly Record<string, unknown>[]
}

/** What every call carries: how long it may take, in milliseconds, and the signal that ends it early. */
export interface Call {
  readonly timeout: number
  readonly signal: AbortSignal
}

export type Target = { readonly selector: string } | { readonly ref: string }
export type WaitUntil = 'load' | 'domcontentloaded' | 'networkidle' | 'commit'
export type Modifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift'

export interface ClickOptions {
  readonly force?: boolean
  readonly clickCount?: number
  readonly button?: 'left' | 'right' | 'middle'
  readonly modifiers?: readonly Modifier[]
}

export interface TypeOptions {
  readonly delay?: number
  readonly clear?: boolean
  readonly submit?: boolean
}

export interface ScreenshotOptions {
  readonly fullPage?: boolean
  readonly target?: Target
  readonly format?: 'png' | 'jpeg'
  readonly maxWidth?: number
}

export interface Image {
  readonly bytes: Uint8Array
  readonly mimeType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

export interface Condition {
  readonly selector?: string
  readonly state?: 'attached' | 'detached' | 'visible' | 'hidden'
  readonly text?: string
  readonly textGone?: string
  readonly url?: string
}

export interface Page {
  url(): string
  title(call: Call): Promise<Outcome<string>>
  navigate(
    url: string,
    waitUntil: WaitUntil,
    call: Call,
  ): Promise<Outcome<{ title: string; url: string; status: number }>>
  click(target: Target, options: ClickOptions, call: Call): Promise<Outcome<void>>
  type(target: Target, text: string, options: TypeOptions, call: Call): Promise<Outcome<void>>
  count(target: Target, call: Call): Promise<Outcome<number>>
  waitFor(condition: Condition, call: Call): Promise<Outcome<void>>
  snapshot(options: { target?: Target; depth?: number }, call: Call): Promise<Outcome<string>>
  screenshot(options: ScreenshotOptions, call: Call): Promise<Outcome<Image>>
  evaluate(script: string, arg: unknown, target: Target | undefined, call: Call): Promise<Outcome<Evaluated>>
}

/** A value from the page: JSON, with notes on what JSON could not hold or what was cut. */
export interface Evaluated {
  readonly result: unknown
  readonly notes: readonly string[]
}

/** A page and everything that is released with it. `rescue` finds out whether the page still answers and frees it if it does not. */
export interface OwnedPage extends Page {
  rescue(): Promise<'answering' | 'freed' | 'stuck'>
  release(): Promise<void>
}

export interface Browsers {
  /** Opens a private context with one page. `lost` is called once if its browser dies before `release`. */
  open(options: PageOptions, lost: (failure: Failure) => void): Promise<Outcome<OwnedPage>>
  end(): Promise<void>
}

export interface SessionRequest extends PageOptions {
  readonly name?: string
  readonly actionTimeout?: number
  readonly sessionTimeout?: number
}

/** The sessions as tools see them. `key` is an id or a name; undefined means the owner's only session where that is allowed. */
export interface Desk {
  create(owner: string, request: SessionRequest, signal: AbortSignal): Promise<Outcome<Session>>
  close(owner: string, key: string): Promise<Outcome<Session>>
  list(owner: string): readonly Session[]
  onPage<T>(
    visit: Visit,
    use: (page: Page, call: Call, session: Session) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>>
}

/** One call on one session. `timeout` is the caller's; without it the session's or the server's default of that `pace` holds. */
export interface Visit {
  readonly owner: string
  readonly key: string | undefined
  readonly signal: AbortSignal
  readonly doing: string
  readonly pace: 'action' | 'navigation'
  readonly timeout?: number
  /** Milliseconds after `timeout` in which the page may still explain itself. */
  readonly grace: number
}

/** Where results go that are too large to answer with. Returns the path written. */
export interface Files {
  write(name: string, bytes: Uint8Array): Promise<Outcome<string>>
}
