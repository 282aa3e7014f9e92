// A page as tools use it. src/core/browser implements it with Playwright.

import type { ActionKind, ActionOf, ActionResults, Dialog, Target } from '../../base/action.ts'
import type { Outcome } from '../../base/failure.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { ScreenshotImages, ScreenshotOptions } from './page-values.ts'
import type { AriaTree } from './snapshot.ts'

/** What features add to a page.
 * @public Features add theirs. */
export interface FeaturePage {}

/** The active tab of a session, and the methods for all of its tabs. */
export interface Page extends FeaturePage {
  /** Performs an action: it changes the page or waits for it. */
  perform<K extends ActionKind>(action: ActionOf<K>, deadline: Deadline): Promise<Outcome<ActionResults[K]>>

  url(): string
  title(deadline: Deadline): Promise<Outcome<string>>
  count(target: Target): Promise<Outcome<number>>
  tree(options: TreeOptions, deadline: Deadline): Promise<Outcome<AriaTree>>
  screenshot(options: ScreenshotOptions, deadline: Deadline): Promise<Outcome<ScreenshotImages>>
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

  /** Whether the page reports its secret fields within `ms` milliseconds, so that its output may be shown. */
  isReported(ms: number): Promise<boolean>
  /** Waits for the requests that the last action caused, briefly or until `end` resolves; returns those without a response, as method and
   * URL. */
  settle(end?: Promise<void>): Promise<readonly string[]>
  /** The changes since the last tree that was reported to the client; undefined without any. An action begins, which waits for that. */
  readNews(deadline: Deadline): Promise<PageNews | undefined>
  /** Whether the page has begun something since then that has not ended, as far as that can be known. */
  isPending(): Promise<boolean>
  /** Waits until the short animations of the page have ended. */
  waitForAnimations(): Promise<void>
  /** Waits until what the page has printed until now has arrived, briefly. */
  waitForOutput(): Promise<void>

  dialog(): Dialog | undefined
  tabs(): Promise<Outcome<readonly TabInfo[]>>
  selectTab(id: string): Outcome<void>
  /** The ids of the tabs, in order of their opening. */
  tabIds(): { readonly active: string; readonly all: readonly string[] }
}

export interface TabInfo {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly active: boolean
}

/** `boxes` adds the box of each element. */
export interface TreeOptions {
  readonly target?: Target
  readonly depth?: number
  readonly boxes?: boolean
  /** Whether what an animation removes after an action is waited for, briefly; a page event names what is still there. */
  readonly awaitsExit?: boolean
  /** Whether it is reported to the client: later changes are news. */
  readonly isSeen?: boolean
  /** Whether the client does not see it: the document remembers what it saw before. */
  readonly isInternal?: boolean
}

/** What came to a page. */
export interface PageNews {
  /** The page at the beginning of the action. */
  readonly tree: AriaTree
  /** Messages for the user that were shown and have gone again, each after its role. */
  readonly messages: readonly string[]
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
