// What a person does in a window, as it is noticed there.

import type { RecordedAction } from './recorded-step.ts'

/** `at` is in milliseconds of a monotonic clock, `url` that of the tab when it happened. */
export type PersonEvent =
  | {
      readonly kind: 'action'
      readonly tab: string
      readonly url: string
      readonly at: number
      readonly action: RecordedAction
    }
  /** The page was rendered by a server, and attaches its handlers later. */
  | { readonly kind: 'hydrated'; readonly tab: string }
  /** The field that was typed into last has its final value. */
  | { readonly kind: 'settle' }
  /** Without an opener the person opened it. */
  | {
      readonly kind: 'opened'
      readonly tab: string
      readonly opener?: string
      readonly url: string
      readonly at: number
    }
  | {
      readonly kind: 'closed'
      readonly tab: string
      readonly opener?: string
      readonly url: string
      readonly at: number
    }
  | {
      readonly kind: 'moved'
      readonly tab: string
      readonly url: string
      readonly at: number
      /** Whether it may have been the person, as far as the browser says. */
      readonly isUnexplained?: boolean
    }
