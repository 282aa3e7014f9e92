// A page as tools use it. src/browser implements it with Playwright.

import type { Deadline } from '../deadline.ts'
import type { Modifier, MouseAction, MouseButton, MouseResult } from './mouse.ts'
import type {
  ContentOptions,
  ContentPart,
  DomNode,
  EvalResult,
  HttpMessage,
  TreeOptions,
} from './page-content.ts'
import type { PageMocks } from './page-mocks.ts'
import type { PageState } from './page-state.ts'
import type { RecordedPage } from './recorded-page.ts'
import type {
  ComparisonOptions,
  ScreenshotComparison,
  ScreenshotImages,
  ScreenshotOptions,
} from './screenshots.ts'
import type { LoadedScript } from '../source-locator.ts'
import type { Target } from './target.ts'
import type { Upload, UploadMethod } from './upload.ts'
import type { WaitCondition } from './wait-condition.ts'
import type { Outcome } from '../../../core/failure.ts'
import type { FieldContent } from '../../../core/text/field-content.ts'
import type { ElementOrigin } from '../../../core/source/element-origin.ts'
import type { AriaTree } from '../../../core/snapshot/snapshot-lines.ts'

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
