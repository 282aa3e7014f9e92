// A page as tools use it. src/browser implements it with Playwright.

import type { Deadline } from './deadline.ts'
import type {
  RecordedPage,
  ComparisonOptions,
  ScreenshotComparison,
  ScreenshotImages,
  ScreenshotOptions,
  Target,
  OriginStorage,
  StorageQuery,
  StorageState,
} from './page-values.ts'
import type { LoadedScript } from './source-locator.ts'
import type { Outcome } from '../../core/failure.ts'
import type { FieldContent } from '../../core/text/field-content.ts'
import type { ElementOrigin } from '../../core/source/element-origin.ts'
import type { AriaTree } from '../../core/snapshot/snapshot-lines.ts'
import type { HarLog } from '../../core/network/har.ts'
import type { SocketPush } from '../../core/network/socket.ts'
import type { CurrentEmulation, EmulationChange } from '../../core/session/emulation.ts'
import type { ElementCheck } from '../../core/snapshot/element-check.ts'
import type { ExpectedLine } from '../../core/snapshot/find-lines.ts'

export type WaitUntil = 'load' | 'domcontentloaded' | 'networkidle' | 'commit'

export interface ClickOptions {
  readonly force?: boolean
  readonly clickCount?: number
  readonly button?: MouseButton
  readonly modifiers?: readonly Modifier[]
  /** Where to click, relative to the top left corner of the element; its middle without it. */
  readonly position?: { readonly x: number; readonly y: number }
}

export interface TypeOptions {
  readonly delay?: number
  readonly clear?: boolean
  readonly submit?: boolean
}

/** The page after a navigation; status 0 means that there was no response. */
export interface NavigationResult {
  readonly title: string
  readonly url: string
  readonly status: number
}

export interface Dialog {
  readonly type: string
  readonly message: string
  /** The default value of a prompt. */
  readonly suggestion?: string
}

export interface TabInfo {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly active: boolean
}

/** The active tab of a session, and the methods for all of its tabs. */
export interface Page extends PageMocks, RecordedPage, PageState {
  url(): string
  title(deadline: Deadline): Promise<Outcome<string>>
  navigate(url: string, waitUntil: WaitUntil, deadline: Deadline): Promise<Outcome<NavigationResult>>
  history(direction: 'back' | 'forward' | 'reload', deadline: Deadline): Promise<Outcome<NavigationResult>>

  /** The results of click and drag are notes on side effects, mostly empty. */
  click(target: Target, options: ClickOptions, deadline: Deadline): Promise<Outcome<string>>
  /** Without a target the text is typed into the focused element. */
  type(
    target: Target | undefined,
    text: string,
    options: TypeOptions,
    deadline: Deadline,
  ): Promise<Outcome<TypeResult>>
  /** Sets the value of a field: a boolean for checkboxes, options for selects, a string for others. */
  fill(target: Target, value: FieldValue, deadline: Deadline): Promise<Outcome<void>>
  /** What fields have now; undefined for one that is gone or cannot be read. */
  readFields(fields: readonly FilledField[]): Promise<readonly (FieldContent | undefined)[]>
  /** Submits the form that the target is in, or presses Enter in it. */
  submit(target: Target, deadline: Deadline): Promise<Outcome<void>>
  select(target: Target, values: readonly string[], deadline: Deadline): Promise<Outcome<readonly string[]>>
  hover(target: Target, deadline: Deadline): Promise<Outcome<void>>
  drag(from: Target, to: Target, deadline: Deadline): Promise<Outcome<string>>
  press(key: string, target: Target | undefined, holdMs: number, deadline: Deadline): Promise<Outcome<void>>
  mouse(action: MouseAction, deadline: Deadline): Promise<Outcome<MouseResult>>
  upload(target: Target, files: Upload, deadline: Deadline): Promise<Outcome<UploadMethod>>

  count(target: Target, deadline: Deadline): Promise<Outcome<number>>
  waitFor(condition: WaitCondition, deadline: Deadline): Promise<Outcome<void>>
  /** Whether the page reports its secret fields within `ms` milliseconds, so that its output may be shown. */
  isReported(ms: number): Promise<boolean>
  /** Waits for the requests that the last action caused, briefly or until `end` resolves; returns those without a response, as method and
   * URL. */
  settle(deadline: Deadline, end?: Promise<void>): Promise<readonly string[]>
  /** Waits until the short animations of the page have ended. */
  waitForAnimations(): Promise<void>
  tree(options: TreeOptions, deadline: Deadline): Promise<Outcome<AriaTree>>
  /** What frameworks have noted about the source of one element. */
  origin(target: Target, deadline: Deadline): Promise<Outcome<ElementOrigin>>
  content(options: ContentOptions, deadline: Deadline): Promise<Outcome<ContentPart>>
  dom(
    options: { target?: Target; maxNodes: number },
    deadline: Deadline,
  ): Promise<Outcome<{ nodes: readonly DomNode[]; truncated: boolean }>>
  screenshot(options: ScreenshotOptions, deadline: Deadline): Promise<Outcome<ScreenshotImages>>
  /** Takes screenshots until two in a row agree, and compares the last one with the baseline. Fails with TIMEOUT on a page that keeps
   * changing, with INVALID_PARAMETERS if the baseline is no PNG. */
  compareScreenshot(options: ComparisonOptions, deadline: Deadline): Promise<Outcome<ScreenshotComparison>>
  evaluate(
    script: string,
    arg: unknown,
    target: Target | undefined,
    deadline: Deadline,
  ): Promise<Outcome<EvalResult>>
  /** The headers or the bodies of one request and its response; `seq` is that of the network log. */
  readRequest(
    seq: number,
    part: 'headers' | 'body',
  ): Promise<Outcome<{ request: HttpMessage; response: HttpMessage }>>
  /** The first KB of a failed response to a script, redacted; undefined if it is not known. */
  readFailedBody(seq: number): Promise<string | undefined>
  /** The text of a script; undefined if the browser no longer has it or if it is too large. `seq` is that of the network log. */
  readScript(seq: number): Promise<LoadedScript | undefined>
  pdf(deadline: Deadline): Promise<Outcome<Uint8Array>>

  dialog(): Dialog | undefined
  answerDialog(accept: boolean, promptText: string | undefined, deadline: Deadline): Promise<Outcome<Dialog>>
  tabs(deadline: Deadline): Promise<Outcome<readonly TabInfo[]>>
  openTab(deadline: Deadline): Promise<Outcome<string>>
  selectTab(id: string): Outcome<void>
  closeTab(id: string | undefined, deadline: Deadline): Promise<Outcome<void>>

  startTrace(): Promise<Outcome<void>>
  /** Stops the trace and saves it at `path`; with `go on` a new one is started. */
  stopTrace(path: string, then: 'go on' | 'end'): Promise<Outcome<void>>
}

export type FieldValue = string | boolean | readonly string[]

/** A field that was set to a value. */
export interface FilledField {
  readonly target: Target
  readonly value: FieldValue
}

export interface TypeResult {
  /** On a side effect; mostly empty. */
  readonly note: string
  /** What the field was to have, and what it has. */
  readonly field?: { readonly entered: string; readonly content: FieldContent }
}

// --- internal ---

// What the mouse does at coordinates of the viewport, in CSS pixels.
interface Point {
  readonly x: number
  readonly y: number
}

export type MouseButton = 'left' | 'right' | 'middle'

export type Modifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift'

export type MouseAction = { readonly point: Point; readonly modifiers?: readonly Modifier[] } & (
  | { readonly kind: 'move' }
  | { readonly kind: 'click'; readonly button: MouseButton; readonly clickCount: number }
  | { readonly kind: 'down' | 'up'; readonly button: MouseButton }
  | { readonly kind: 'drag'; readonly button: MouseButton; readonly to: Point }
  | { readonly kind: 'wheel'; readonly deltaX: number; readonly deltaY: number }
)

/** `element` is the tag and id of the element at the point, empty if it is unknown; `note` is on a side effect, mostly empty. */
export interface MouseResult {
  readonly element: string
  readonly note: string
}

// What tools read of a page: its tree, its content, the messages of its requests, the values of its scripts.
/** `boxes` adds the box of each element. */
export interface TreeOptions {
  readonly target?: Target
  readonly depth?: number
  readonly boxes?: boolean
}

export interface DomNode {
  readonly tag: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly text?: string
  readonly children?: readonly DomNode[]
}

export interface ContentOptions {
  readonly target?: Target
  readonly format: 'html' | 'text' | 'markdown'
  readonly from: number
  readonly maxChars: number
}

/** A redacted part of a content of `total` characters; `end` is the offset of the next part. */
export interface ContentPart {
  readonly text: string
  readonly total: number
  readonly end: number
}

/** Headers or body of a request or a response; `note` has the reason for a missing body. */
export interface HttpMessage {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly note?: string
}

/** A value from the page as JSON, with notes on values that JSON cannot represent or that were shortened. */
export interface EvalResult {
  readonly result: unknown
  readonly notes: readonly string[]
}

/** The methods of a page for the mocks of its session, which apply to all of its tabs. */
export interface PageMocks {
  /** Applies the mocks that the session has now. Returns notes on side effects. */
  applyMocks(deadline: Deadline): Promise<Outcome<readonly string[]>>
  /** Returns the number of WebSockets that it was sent to. Waits a few seconds for one; then fails with INVALID_PARAMETERS. */
  pushToSockets(push: SocketPush, deadline: Deadline): Promise<Outcome<number>>
  /** Sets the date and time that pages see, in Unix milliseconds; undefined lets the clock run again. */
  setFixedTime(time: number | undefined): Promise<Outcome<void>>
  /** Seeds the random numbers of documents that are opened from now on; undefined ends that. */
  seedRandom(seed: number | undefined): Promise<Outcome<void>>
  /** Starts recording requests. Fails with INVALID_PARAMETERS if a recording is running. Returns notes on side effects. */
  startHar(): Promise<Outcome<readonly string[]>>
  /** Ends the recording and returns it, with its secrets. Fails with INVALID_PARAMETERS if none is running. */
  stopHar(): Promise<Outcome<HarLog>>
}

/** The methods of a page for what all tabs of its session share: emulation, cookies and storage. */
interface PageState {
  /** Applies the change to all tabs, also to those that are opened later; returns what is set then. */
  emulate(change: EmulationChange, deadline: Deadline): Promise<Outcome<CurrentEmulation>>
  storageState(deadline: Deadline): Promise<Outcome<StorageState>>
  setStorageState(state: StorageState, deadline: Deadline): Promise<Outcome<void>>
  /** Reads, sets or clears cookies and storage of the current origin; the value has the items that were read, set or cleared. */
  changeStorage(
    action: 'read' | 'set' | 'clear',
    query: StorageQuery,
    value: string | undefined,
    deadline: Deadline,
  ): Promise<Outcome<OriginStorage>>
}

/** Real paths of files, or of one folder with the relative paths of its files. */
export interface Upload {
  readonly paths: readonly string[]
  readonly relativePaths?: readonly string[]
}

/** Whether files were set on a field or file chooser, or dropped on an element. */
export type UploadMethod = 'chosen' | 'dropped'

export interface WaitCondition {
  readonly element?: ElementCondition
  readonly text?: string
  readonly textGone?: string
  /** `text` is the requested URL or pattern. */
  readonly url?: { readonly text: string; readonly matches: (address: string) => boolean }
}

/** What must hold for an element at the same time, or with `not` the opposite of each. */
export interface ElementCondition {
  /** Without a target `aria` is about the whole page, and there are no checks. */
  readonly target?: { readonly selector: string } | { readonly ref: string }
  readonly checks: readonly ElementCheck[]
  /** Lines that its snapshot has. */
  readonly aria?: readonly ExpectedLine[]
  readonly not: boolean
}
