import type { Browser } from 'playwright'
import type { BrowserName } from '../../base/browser-names.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import type { UserProxy } from '../../base/network/user-proxy.ts'
import type { EgressProxies } from '../../sessions/types/egress-proxy.ts'
import type { OwnedPage, PageOptions } from '../../sessions/types/browsers.ts'
import type { RemoteBrowsers } from '../playwright/browser-source.ts'
import type { Tab } from '../tab/tab.ts'
import type { FeatureParts } from '../../tool/feature.ts'

declare module '../../tool/feature.ts' {
  interface FeatureParts {
    /** Why no session can be opened with these options. */
    readonly findLimit?: (options: PageOptions, pool: BrowserPoolOptions) => Failure | undefined
    /** Called with the folder of the profile of a browser that is about to start. */
    readonly onProfile?: (folder: string, options: PageOptions) => void
    /** Called with the page of a session that is open, and listens already; releases it where it fails. */
    readonly completePage?: (page: OwnedPage, pool: BrowserPoolOptions) => Promise<Outcome<OwnedPage>>
  }

  interface StartedFeature extends Pick<FeatureParts, 'findLimit' | 'completePage' | 'launch'> {}
}

export interface BrowserPoolOptions {
  readonly browser: BrowserName
  readonly headless: boolean
  /** Without a display every browser runs headless. */
  readonly hasDisplay: boolean
  readonly isolation: 'context' | 'browser'
  readonly executablePath?: string
  /** Number of contexts opened ahead. */
  readonly warm: number
  readonly launchTimeout: number
  /** Number of sessions after which a browser is replaced, because its memory grows. */
  readonly recycleAfter: number
  /** Whether every session goes through a proxy. */
  readonly isProxied: boolean
  readonly userProxy?: UserProxy
  readonly egressProxies: Pick<EgressProxies, 'openRefusingProxy' | 'reservePort'>
  /** The attribute that names elements for tests, as in Playwright. */
  readonly testIdAttribute: string
  /** Set when browsers are not started here. */
  readonly remote?: RemoteBrowsers
  /** Undefined where no session gets tabs in the user's own browser. */
  readonly attach?: AttachedBrowsers | undefined
  readonly features: readonly FeatureParts[]
  /** Called before each start of a browser. */
  readonly onStart: () => void
  /** Called with each launch that the machine changes. */
  readonly onLaunchNotice: (text: string) => void
  readonly onNotice: (text: string) => void
}

/** A running browser as one session uses it. */
export interface BrowserLease {
  readonly browser: Browser
  /** Opens a private context with one tab. */
  openContext(): Promise<Outcome<Tab>>
  /** Ends the use. The browser is closed when no other session can use it. */
  release(): Promise<void>
}

/** Tabs in the browser of the user. */
export interface AttachedBrowsers {
  /** A connection to it for one session. */
  open(options: PageOptions): Promise<Outcome<BrowserLease>>
  /** Closes all tabs and the connection. */
  end(): Promise<void>
}
