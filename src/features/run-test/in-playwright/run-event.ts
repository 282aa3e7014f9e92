// What the reporter within Playwright Test writes, one JSON document a line.

import type { Repair } from '../in-page/choose-mark.ts'

export type RunEvent =
  | BeginEvent
  | TestBeginEvent
  | TestEndEvent
  | OutputEvent
  | ErrorEvent
  | BrowserEvent
  | CoverageEvent
  | ElementsEvent
  | RepairEvent
  | MismatchEvent
  | FinishEvent

export interface BeginEvent {
  readonly type: 'begin'
  /** The number of tests that are selected. */
  readonly total: number
  readonly projects: readonly ProjectSummary[]
  /** The first of them. */
  readonly tests: readonly TestPosition[]
  /** Where its pages and its web servers are. */
  readonly urls?: readonly string[]
  /** The folders of its tests. */
  readonly testDirs?: readonly string[]
}

export interface TestPosition {
  readonly title: string
  readonly project: string
  readonly file: string
  readonly line: number
}

export interface ProjectSummary {
  readonly name: string
  readonly browser: string
  /** Whether its tests find a browser: their own, or one of Chromium's kind. */
  readonly isRunnable: boolean
  /** The browser of Playwright's own without which they find none. */
  readonly program?: string | undefined
  readonly testCount: number
}

interface TestBeginEvent {
  readonly type: 'testBegin'
  readonly id: string
  readonly title: string
}

/** The end of one attempt. */
export interface TestEndEvent extends TestPosition {
  readonly type: 'testEnd'
  readonly id: string
  /** `unexpected` may still become `flaky` by a later attempt. */
  readonly outcome: 'expected' | 'unexpected' | 'flaky' | 'skipped'
  readonly status: string
  /** Milliseconds. */
  readonly duration: number
  readonly errors: readonly ReportedError[]
  readonly attachments: readonly Attachment[]
  readonly output: string
}

interface Attachment {
  readonly name: string
  readonly path?: string
  /** The text of one without a file. */
  readonly body?: string
}

export interface ReportedError {
  readonly message: string
  readonly file?: string
  readonly line?: number
}

/** Output that belongs to no test: that of the web server. */
export interface OutputEvent {
  readonly type: 'output'
  readonly text: string
}

export interface ErrorEvent extends ReportedError {
  readonly type: 'error'
}

/** The browser of the project is not installed: another one runs in its place. */
interface BrowserEvent {
  readonly type: 'browser'
  readonly missing: string
  readonly path: string
}

/** A context of a browser was opened or, with the path of its report, closed. Several tests may share one. */
export interface CoverageEvent {
  readonly type: 'coverage'
  /** That of the context. */
  readonly id: string
  readonly testId?: string
  readonly file?: string
  readonly path?: string
  /** Whether all that ran in its pages is in the report. */
  readonly isWhole?: boolean
}

/** The marks of the elements that the locators of a test found, by the hashes of their selectors. */
interface ElementsEvent {
  readonly type: 'elements'
  readonly testId: string
  readonly marks: Readonly<Record<string, readonly string[]>>
}

/** A locator found nothing that had found an element before. */
export interface RepairEvent {
  readonly type: 'repair'
  readonly testId: string
  readonly locator: string
  readonly repair: Repair
}

/** What a check expected and got, as code. */
interface MismatchEvent {
  readonly type: 'mismatch'
  readonly testId: string
  readonly expected: string
  readonly received: string
}

export interface FinishEvent {
  readonly type: 'finish'
  readonly status: string
  readonly duration: number
}
