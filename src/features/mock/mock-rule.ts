// A mock: which requests it stands for, and what they get. The rule is a plain record, so that a program can be written from it.

import type { MergePatch } from './merge-patch.ts'

declare module '../../core/base/action.ts' {
  interface ActionTypes<E> {
    /** `mock` has what the paths of the rule stand for. Returns notes on side effects. */
    mock: ActionType<{ readonly rule: MockRule; readonly mock?: Mock }, readonly string[]>
    /** Sets the date and time that pages see, in ISO 8601; undefined lets the clock run again. */
    clock: ActionType<{ readonly time: string | undefined }>
    /** Seeds the random numbers of documents that are opened from now on; undefined ends that. */
    seed: ActionType<{ readonly seed: number | undefined }>
  }
}

export interface StreamEvent {
  readonly data?: unknown
  readonly event?: string | undefined
  readonly id?: string | undefined
}

/** What a request gets. Without any field it is only counted. */
export interface MockAnswer {
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly json?: MergePatch | undefined
  /** The path of the file whose content is the body, as the caller gave it. */
  readonly path?: string | undefined
  readonly stream?: readonly StreamEvent[] | undefined
  /** It stands for WebSockets; the other requests are left to other mocks. What the page gets when one opens: texts, or values that are sent
   * as JSON. */
  readonly socket?: readonly unknown[] | undefined
  /** Milliseconds. */
  readonly delay?: number | undefined
  /** How many requests get it; later ones are not answered by this mock. */
  readonly times?: number | undefined
  readonly fail?: boolean | undefined
  /** The response of the server, with these changes: `json` is merged into its body. */
  readonly change?: boolean | undefined
}

export interface MockRule {
  /** The text, glob or regular expression for the URL; all URLs without it. */
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly answer?: MockAnswer | undefined
  /** The path of the HAR file that has the responses. */
  readonly har?: string | undefined
}

/** A file whose content is a body. */
export interface BodyFile {
  readonly bytes: Uint8Array
  readonly mimeType: string
}

/** A response from a HAR file; a failure if the request failed when it was recorded. */
export interface HarResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64: boolean
  /** For a page that was redirected: its last URL. */
  readonly redirectUrl?: string
}

export interface HarRequest {
  readonly method: string
  readonly url: string
  readonly postData: string
  readonly isNavigation: boolean
}

/** A rule with what its paths and patterns stand for. */
export interface Mock {
  readonly rule: MockRule
  readonly matchesUrl: (url: string) => boolean
  readonly file?: BodyFile
  readonly findResponse?: (request: HarRequest) => Promise<HarResponse | undefined>
  /** Called once when it is removed. */
  readonly close?: () => void
}

export const isCounter = ({ answer = {}, har }: MockRule): boolean =>
  har === undefined && Object.keys(answer).every((name) => name === 'times')

/** Whether a mock stands for WebSockets. */
export const isForSockets = ({ answer }: MockRule): boolean => answer?.socket !== undefined

export const hasResponse = ({ status, headers, body, json, path, stream }: MockAnswer): boolean =>
  [status, headers, body, json, path, stream].some((field) => field !== undefined)
