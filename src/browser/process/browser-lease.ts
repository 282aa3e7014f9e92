import type { Browser } from 'playwright'
import type { Tab } from '../tab/tab.ts'
import type { Outcome } from '../../core/failure.ts'

/** A running browser as one session uses it. */
export interface BrowserLease {
  readonly browser: Browser
  /** Opens a private context with one tab. */
  openContext(): Promise<Outcome<Tab>>
  /** Ends the use. The browser is closed when no other session can use it. */
  release(): Promise<void>
}
