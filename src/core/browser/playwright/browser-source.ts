// Sources of browsers that Footlight does not start itself: a Grid, endpoints, a service that creates them.

import type { Browser } from 'playwright'
import type { BrowserName } from '../../base/browser-names.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import type { PageOptions } from '../../sessions/types/browsers.ts'

export interface BrowserRequest {
  readonly browser: BrowserName
  readonly headless: boolean
  /** The index of the place that it is to come from. */
  readonly place: number
}

export interface BrowserSource {
  open(request: BrowserRequest): Promise<Outcome<Browser>>
  /** Releases what the browsers were, once they are closed. */
  end(): Promise<void>
}

/** The browsers of a source, as they are known before it is loaded. */
export interface BrowserPlaces {
  readonly places: readonly RemotePlace[]
  /** Whether each session has a browser of its own. */
  readonly isExclusive: boolean
  /** Whether a session gets the kind of browser that it asks for, and a window where it wants one. */
  readonly choosesBrowser: boolean
  /** Whether pages may be opened before sessions need them. */
  readonly opensAhead: boolean
  readonly load: () => Promise<BrowserSource>
}

export interface RemoteBrowsers extends BrowserPlaces {
  /** Why no session can be opened with these options. */
  findLimit(options: PageOptions): Failure | undefined
  /** What is said of options that have no effect. */
  describeIgnored(options: PageOptions): string | undefined
  /** Opens a page at a place, or at another one if that fails. */
  open<T>(openAt: (place: PlaceUse) => Promise<Outcome<T>>): Promise<Outcome<T>>
}

export interface PlaceUse {
  readonly index: number
  /** The session has ended. */
  end(): void
  fail(): void
}

interface RemotePlace {
  /** Whether it is on another machine. */
  readonly isElsewhere: boolean
  /** Whether pages reach the servers of this machine at localhost nevertheless. */
  readonly exposesLoopback?: boolean
  /** The address by which its browser is driven, which pages may not reach. */
  readonly cdpEndpoint?: string
}

// Why browsers were disconnected. Playwright does not tell.
const losses = new WeakMap<Browser, string>()

/** Notes the first reason for which a browser is disconnected. */
export function noteLoss(browser: Browser, reason: string): void {
  if (!losses.has(browser)) losses.set(browser, reason)
}

export const lossOf = (browser: Browser): string | undefined => losses.get(browser)
