import type { ElementCheck } from '../../../core/checks/element-check.ts'
import type { ExpectedLine } from '../../../core/checks/find-lines.ts'

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
