// What tools read of a page: its tree, its content, the messages of its requests, the values of its scripts.

import type { Target } from './target.ts'

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
