import type { LaunchOptions } from 'playwright'
import { readSandboxFacts, sandboxProblem } from './sandbox.ts'
import type { BrowserName } from '../../core/browser-names.ts'

export interface LaunchRequest {
  readonly browser: BrowserName
  readonly headless: boolean
  /** Set where every session has a proxy of its own: the URL of the proxy that refuses what is sent outside of sessions. */
  readonly refusingProxy?: string
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
  { browser, headless, refusingProxy, timeout, onNotice }: LaunchRequest,
  { path, isPlaywrightBuild }: BrowserExecutable,
): LaunchOptions {
  const proxy = refusingProxy === undefined ? {} : { proxy: { server: refusingProxy, bypass: '<-loopback>' } }
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
      ? { ...common, ...proxy }
      : {
          ...common,
          channel: 'moz-firefox',
          firefoxUserPrefs: {
            ...FIREFOX_PREFS,
            ...(refusingProxy !== undefined && firefoxProxyPrefs(refusingProxy)),
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

// WebRTC and QUIC ignore the proxy. Full Chromium obeys one of the two WebRTC flags, its headless shell the other. No name is resolved
// in the browser.
const CHROMIUM_PROXY_FLAGS = [
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

// Chromium also writes console messages to its stderr, which Playwright reads line by line: an error of a million lines blocked every
// session. The headless shell obeys the level only if the destination is set too.
const CHROMIUM_LOG_FLAGS = ['--enable-logging=stderr', '--log-level=2']

// The proxy of the process applies wherever that of a session's context does not, also once the context is closed.
function firefoxProxyPrefs(refusingProxy: string): Record<string, string | number | boolean> {
  const { hostname, port } = new URL(refusingProxy)
  return {
    'network.proxy.type': 1,
    'network.proxy.http': hostname,
    'network.proxy.http_port': Number(port),
    'network.proxy.ssl': hostname,
    'network.proxy.ssl_port': Number(port),
    'network.proxy.no_proxies_on': '',
    'network.proxy.allow_hijacking_localhost': true,
    'network.proxy.failover_direct': false,
    'media.peerconnection.enabled': false,
    'network.http.http3.enable': false,
    'network.dns.disablePrefetch': true,
    'network.predictor.enabled': false,
    'network.http.speculative-parallel-limit': 0,
    'network.trr.mode': 5,
  }
}
