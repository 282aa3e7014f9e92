import type { BrowserName } from '../../core/browser-names.ts'
import type { UserProxy } from '../../core/network/user-proxy.ts'
import type { EgressProxies } from '../../runtime/ports/egress-proxy.ts'
import type { AttachOptions } from '../attach/attach-options.ts'
import type { RemoteBrowser } from './connect-remote.ts'

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
  /** Set when browsers run on another machine. */
  readonly remote?: RemoteBrowser | undefined
  /** How sessions get tabs in the user's own browser. */
  readonly attach: AttachOptions
  /** Called before each start of a browser. */
  readonly onStart: () => void
  /** Called with each launch that the machine changes. */
  readonly onLaunchNotice: (text: string) => void
  readonly onNotice: (text: string) => void
}
