// A page as tools use it. browser/ implements it over Playwright.

import type { StorageState } from './storage-state.ts'
import type { Outcome } from '../../core/failure.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'

/** How long a call may take: `timeout` milliseconds from its start, less when `signal` aborts. */
export interface Deadline {
  readonly timeout: number
  readonly signal: AbortSignal
  /** Milliseconds left, at least 1. */
  remaining(): number
}

/** What Playwright needs of a deadline. */
export type Call = Pick<Deadline, 'timeout' | 'signal'>

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

/** What a screenshot shows: one picture, or the first parts of a tall one, whose `whole` is too large to be shown. */
export interface Capture {
  readonly images: readonly Image[]
  readonly whole?: Image
  /** What was scaled, cut or encoded otherwise. */
  readonly notes: readonly string[]
}

export interface Condition {
  readonly selector?: string
  readonly state?: 'attached' | 'detached' | 'visible' | 'hidden'
  readonly text?: string
  readonly textGone?: string
  /** `text` is what was asked for. */
  readonly url?: { readonly text: string; readonly matches: (address: string) => boolean }
}

/** Where a page is; status 0 means that no response was involved. */
export interface Arrived {
  readonly title: string
  readonly url: string
  readonly status: number
}

export interface Dialog {
  readonly type: string
  readonly message: string
  /** What a prompt suggests. */
  readonly suggestion?: string
}

export interface TabInfo {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly active: boolean
}

export interface DomNode {
  readonly tag: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly text?: string
  readonly children?: readonly DomNode[]
}

export interface Emulation {
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly offline?: boolean
  readonly colorScheme?: 'light' | 'dark' | 'no-preference'
  readonly geolocation?: { readonly latitude: number; readonly longitude: number; readonly accuracy?: number }
  readonly headers?: Readonly<Record<string, string>>
}

export interface ContentOptions {
  readonly target?: Target
  readonly format: 'html' | 'text' | 'markdown'
  readonly from: number
  readonly maxChars: number
}

/** A part of a content that has `total` characters, redacted; `end` is where the next part begins. */
export interface Content {
  readonly text: string
  readonly total: number
  readonly end: number
}

/** One side's headers and body of a request and of its response; a body that could not be had says why in `note`. */
export interface Message {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly note?: string
}

/** Real paths of files, or of one folder; then `below` are the files in it, as paths from there. */
export interface Upload {
  readonly paths: readonly string[]
  readonly below?: readonly string[]
}

/** The active tab of a session, and what belongs to all of them. */
export interface Page {
  url(): string
  title(call: Call): Promise<Outcome<string>>
  navigate(url: string, waitUntil: WaitUntil, call: Call): Promise<Outcome<Arrived>>
  history(direction: 'back' | 'forward' | 'reload', call: Call): Promise<Outcome<Arrived>>

  /** The answers of click, type and drag are notes on what else happened, mostly empty. */
  click(target: Target, options: ClickOptions, call: Call): Promise<Outcome<string>>
  /** Without a target the text goes to what has the focus. */
  type(target: Target | undefined, text: string, options: TypeOptions, call: Call): Promise<Outcome<string>>
  /** Sets a field to a value: checkboxes to a boolean, selects to options, everything else to a text. */
  fill(target: Target, value: FieldValue, call: Call): Promise<Outcome<void>>
  /** Submits the form that the target is in, or presses Enter in it. */
  submit(target: Target, call: Call): Promise<Outcome<void>>
  select(target: Target, values: readonly string[], call: Call): Promise<Outcome<readonly string[]>>
  hover(target: Target, call: Call): Promise<Outcome<void>>
  drag(from: Target, to: Target, call: Call): Promise<Outcome<string>>
  press(key: string, target: Target | undefined, call: Call): Promise<Outcome<void>>
  upload(target: Target, given: Upload, call: Call): Promise<Outcome<Uploaded>>

  count(target: Target, call: Call): Promise<Outcome<number>>
  waitFor(condition: Condition, call: Call): Promise<Outcome<void>>
  /** Whether the page has reported its secrets within `ms` milliseconds, so that what it made others say may be shown. */
  isReported(ms: number): Promise<boolean>
  /** Waits until the requests that the last action caused have ended, for a little while at most; gives those without a response then,
   * as method and url. */
  settle(call: Call): Promise<readonly string[]>
  /** Waits until what moves for a moment only has come to its place. */
  animated(): Promise<void>
  tree(options: { target?: Target; depth?: number }, call: Call): Promise<Outcome<AriaTree>>
  content(options: ContentOptions, call: Call): Promise<Outcome<Content>>
  dom(
    options: { target?: Target; maxNodes: number },
    call: Call,
  ): Promise<Outcome<{ nodes: readonly DomNode[]; truncated: boolean }>>
  screenshot(options: ScreenshotOptions, call: Call): Promise<Outcome<Capture>>
  evaluate(script: string, arg: unknown, target: Target | undefined, call: Call): Promise<Outcome<Evaluated>>
  /** The headers or the body of one request, by its number in the traffic. */
  exchange(seq: number, part: 'headers' | 'body'): Promise<Outcome<{ request: Message; response: Message }>>
  pdf(call: Call): Promise<Outcome<Uint8Array>>

  dialog(): Dialog | undefined
  answerDialog(accept: boolean, promptText: string | undefined, call: Call): Promise<Outcome<Dialog>>
  tabs(call: Call): Promise<Outcome<readonly TabInfo[]>>
  openTab(call: Call): Promise<Outcome<string>>
  selectTab(id: string): Outcome<void>
  closeTab(id: string | undefined, call: Call): Promise<Outcome<void>>

  emulate(settings: Emulation, call: Call): Promise<Outcome<void>>
  state(call: Call): Promise<Outcome<StorageState>>
  restore(state: StorageState, call: Call): Promise<Outcome<void>>
  startTrace(): Promise<Outcome<void>>
  /** Ends the trace into a file at `path`; with `go on` a new one begins at once. */
  stopTrace(path: string, then: 'go on' | 'end'): Promise<Outcome<void>>
}

/** Given to a field or a chooser, or dropped. */
export type Uploaded = 'chosen' | 'dropped'

export type FieldValue = string | boolean | readonly string[]

/** A value from the page: JSON, with notes on what JSON could not hold or what was cut. */
export interface Evaluated {
  readonly result: unknown
  readonly notes: readonly string[]
}
