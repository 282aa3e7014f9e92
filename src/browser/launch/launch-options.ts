import type { LaunchOptions } from 'playwright'
import {
  CHROMIUM_PROXY_FLAGS,
  firefoxRefusingProxyPrefs,
  firefoxUserProxyPrefs,
  refusingProxyOptions,
  userProxyOptions,
} from './proxy-options.ts'
import { readSandboxFacts, sandboxProblem } from './sandbox.ts'
import type { BrowserName } from '../../core/browser-names.ts'
import type { UserProxy } from '../../core/network/user-proxy.ts'

export interface LaunchRequest {
  readonly browser: BrowserName
  readonly headless: boolean
  /** Set where every session has a proxy of its own: the URL of the proxy that refuses what is sent outside of sessions. */
  readonly refusingProxy?: string
  /** Not together with `refusingProxy`. */
  readonly userProxy?: UserProxy
  readonly executablePath?: string
  /** Milliseconds until a browser that does not come up is killed. */
  readonly timeout: number
  /** Called when something about the machine changes how the browser runs. */
  readonly onNotice: (text: string) => void
}

export interface BrowserExecutable {
  readonly path: string
  /** Whether it is Firefox or WebKit as Playwright builds it. */
  readonly isPlaywrightBuild: boolean
}

/** The options with which Playwright launches this executable. */
export function launchOptionsFor(
  { browser, headless, refusingProxy, userProxy, timeout, onNotice }: LaunchRequest,
  { path, isPlaywrightBuild }: BrowserExecutable,
): LaunchOptions {
  const proxy = {
    ...(userProxy && userProxyOptions(userProxy)),
    ...(refusingProxy !== undefined && refusingProxyOptions(refusingProxy)),
  }
  const common = {
    executablePath: path,
    headless,
    timeout,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  }
  if (browser === 'webkit') return { ...common, ...proxy }
  // Stock Firefox speaks WebDriver BiDi; only Playwright's own build speaks its older protocol.
  if (browser === 'firefox')
    return isPlaywrightBuild
      ? { ...common, ...proxy, firefoxUserPrefs: FIREFOX_PRIVACY_PREFS }
      : {
          ...common,
          channel: 'moz-firefox',
          // For the requests that Playwright sends itself.
          ...(userProxy && userProxyOptions(userProxy)),
          firefoxUserPrefs: {
            ...FIREFOX_PREFS,
            ...FIREFOX_PRIVACY_PREFS,
            ...(userProxy && firefoxUserProxyPrefs(userProxy)),
            ...(refusingProxy !== undefined && firefoxRefusingProxyPrefs(refusingProxy)),
          },
        }
  const problem = sandboxProblem(readSandboxFacts(path))
  if (problem) onNotice(`Chromium runs without its sandbox: ${problem}`)
  const args = [...CHROMIUM_LOG_FLAGS, ...(refusingProxy === undefined ? [] : CHROMIUM_PROXY_FLAGS)]
  return { ...common, ...proxy, args, chromiumSandbox: problem === undefined }
}

// --- internal ---

// Playwright does not notice over BiDi that a page came back from Firefox's cache of pages.
const FIREFOX_PREFS = { 'fission.bfcacheInParent': false, 'browser.sessionhistory.max_total_viewers': 0 }

// Firefox has one history, so a page could see which pages other sessions visited.
const FIREFOX_PRIVACY_PREFS = { 'layout.css.visited_links_enabled': false }

// Chromium also writes console messages to its stderr, which Playwright reads line by line: an error of a million lines blocked every
// session. The headless shell obeys the level only if the destination is set too.
const CHROMIUM_LOG_FLAGS = ['--enable-logging=stderr', '--log-level=2']
