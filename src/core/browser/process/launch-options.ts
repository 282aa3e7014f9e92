import type { Browser, BrowserContextOptions, LaunchOptions } from 'playwright'
import { readSandboxFacts, sandboxProblem } from './sandbox.ts'
import type { BrowserName } from '../../base/browser-names.ts'
import type { UserProxy } from '../../base/network/user-proxy.ts'
import type { FeatureParts } from '../../tool/feature.ts'

declare module '../../tool/feature.ts' {
  interface FeatureParts {
    /** Called with each browser that is launched on this machine, before its first page. */
    readonly onLaunch?: (browser: Browser) => void
    /** With what a browser is launched besides. */
    readonly launch?: (request: LaunchRequest) => LaunchAdditions
  }
}

type FirefoxPrefs = Record<string, string | number | boolean>

interface LaunchAdditions {
  /** Of Chromium. */
  readonly args?: readonly string[]
  readonly chromiumFeatures?: readonly string[]
  readonly ignoreDefaultArgs?: string[]
  readonly firefoxUserPrefs?: FirefoxPrefs
}

export interface LaunchRequest {
  readonly browser: BrowserName
  readonly headless: boolean
  /** Set where every session has a proxy of its own: the URL of the proxy that refuses what is sent outside of sessions. */
  readonly refusingProxy?: string
  /** Not together with `refusingProxy`. */
  readonly userProxy?: UserProxy
  readonly executablePath?: string
  readonly profile?: PersistentProfile
  /** Whether it loads an extension later. */
  readonly loadsExtension?: boolean
  /** Milliseconds until a browser that does not come up is killed. */
  readonly timeout: number
  /** Called when something about the machine changes how the browser runs. */
  readonly onNotice: (text: string) => void
  /** In the order in which each gets the browser. */
  readonly features?: readonly FeatureParts[]
}

/** A profile on disk, and the options of its one context. */
export interface PersistentProfile {
  readonly folder: string
  readonly contextOptions: BrowserContextOptions
  /** Whether it goes with the browser. */
  readonly isTemporary: boolean
}

export interface BrowserExecutable {
  readonly path: string
  /** Whether it is Firefox or WebKit as Playwright builds it. */
  readonly isPlaywrightBuild: boolean
}

/** The options with which Playwright launches this executable. */
export function launchOptionsFor(
  request: LaunchRequest,
  { path, isPlaywrightBuild }: BrowserExecutable,
): LaunchOptions {
  const { browser, headless, refusingProxy, userProxy, timeout, onNotice, features = [] } = request
  const additions = features.flatMap(({ launch }) => launch?.(request) ?? [])
  const chromiumFeatures = additions.flatMap((added) => added.chromiumFeatures ?? [])
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
  const addedPrefs: FirefoxPrefs = Object.assign({}, ...additions.map((added) => added.firefoxUserPrefs))
  // Stock Firefox speaks WebDriver BiDi; only Playwright's own build speaks its older protocol.
  if (browser === 'firefox')
    return isPlaywrightBuild
      ? { ...common, ...proxy, firefoxUserPrefs: { ...FIREFOX_PRIVACY_PREFS, ...addedPrefs } }
      : {
          ...common,
          channel: 'moz-firefox',
          // For the requests that Playwright sends itself.
          ...(userProxy && userProxyOptions(userProxy)),
          firefoxUserPrefs: {
            ...FIREFOX_PREFS,
            ...FIREFOX_PRIVACY_PREFS,
            ...addedPrefs,
            ...(userProxy && firefoxUserProxyPrefs(userProxy)),
            ...(refusingProxy !== undefined && firefoxRefusingProxyPrefs(refusingProxy)),
          },
        }
  const problem = sandboxProblem(readSandboxFacts(path))
  if (problem) onNotice(`Chromium runs without its sandbox: ${problem}`)
  const args = [
    ...CHROMIUM_LOG_FLAGS,
    ...(refusingProxy === undefined ? [] : CHROMIUM_PROXY_FLAGS),
    ...(chromiumFeatures.length > 0
      ? [`--enable-features=${[PLAYWRIGHT_FEATURE, ...chromiumFeatures].join()}`]
      : []),
    ...additions.flatMap((added) => added.args ?? []),
  ]
  const ignoreDefaultArgs = additions.flatMap((added) => added.ignoreDefaultArgs ?? [])
  const chromiumSandbox = problem === undefined
  return {
    ...common,
    ...proxy,
    args,
    chromiumSandbox,
    ...(ignoreDefaultArgs.length > 0 && { ignoreDefaultArgs }),
  }
}

// --- internal ---

const FIREFOX_PREFS = {
  // Playwright does not notice over BiDi that a page came back from Firefox's cache of pages.
  'fission.bfcacheInParent': false,
  'browser.sessionhistory.max_total_viewers': 0,
  // The preview of a page that prints holds up all input.
  'print.enabled': false,
}

// Firefox has one history, so a page could see which pages other sessions visited.
const FIREFOX_PRIVACY_PREFS = { 'layout.css.visited_links_enabled': false }

// Chromium also writes console messages to its stderr, which Playwright reads line by line: an error of a million lines blocked every
// session. The headless shell obeys the level only if the destination is set too.
const CHROMIUM_LOG_FLAGS = ['--enable-logging=stderr', '--log-level=2']

// Of two such flags Chromium obeys the last one, so it has what Playwright enables too.
const PLAYWRIGHT_FEATURE = 'CDPScreenshotNewSurface'

/** Everything goes through a proxy on this machine, also what is sent to this machine. */
const refusingProxyOptions = (server: string): LaunchOptions => ({
  proxy: { server, bypass: '<-loopback>' },
})

// Playwright, which sends requests itself for a mock that changes their answers, knows neither ranges nor stars.
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]', '.localhost', '127.0.0.0/8']

/** This machine, with its dev servers, is reached without the proxy. */
const userProxyOptions = ({ server, bypass }: UserProxy): LaunchOptions => ({
  proxy: {
    server,
    bypass: [...LOOPBACK_HOSTS, ...bypass.map((host) => host.replace(/^\*\./, '.'))].join(','),
  },
})

// WebRTC and QUIC ignore the proxy. Full Chromium obeys one of the two WebRTC flags, its headless shell the other. No name is resolved
// in the browser.
const CHROMIUM_PROXY_FLAGS = [
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

/** The proxy of the process applies wherever that of a session's context does not, also once the context is closed. */
function firefoxRefusingProxyPrefs(refusingProxy: string): FirefoxPrefs {
  const { hostname, port } = new URL(refusingProxy)
  return {
    ...firefoxHttpProxyPrefs(hostname, Number(port)),
    'network.proxy.no_proxies_on': '',
    'network.proxy.allow_hijacking_localhost': true,
    'media.peerconnection.enabled': false,
    'network.http.http3.enable': false,
    'network.dns.disablePrefetch': true,
    'network.predictor.enabled': false,
    'network.http.speculative-parallel-limit': 0,
    'network.trr.mode': 5,
  }
}

/** Playwright gives Firefox an HTTP proxy for `http:` alone. */
const firefoxUserProxyPrefs = ({ scheme, host, port, bypass }: UserProxy): FirefoxPrefs => ({
  ...(scheme === 'socks4' || scheme === 'socks5'
    ? {
        'network.proxy.type': 1,
        'network.proxy.socks': host,
        'network.proxy.socks_port': port,
        'network.proxy.socks_version': scheme === 'socks4' ? 4 : 5,
        'network.proxy.socks_remote_dns': true,
      }
    : firefoxHttpProxyPrefs(host, port)),
  'network.proxy.no_proxies_on': bypass.join(','),
})

const firefoxHttpProxyPrefs = (host: string, port: number): FirefoxPrefs => ({
  'network.proxy.type': 1,
  'network.proxy.http': host,
  'network.proxy.http_port': port,
  'network.proxy.ssl': host,
  'network.proxy.ssl_port': port,
  'network.proxy.failover_direct': false,
})
