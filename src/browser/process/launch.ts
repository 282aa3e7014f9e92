// Starting one browser process. Playwright is loaded here, at the first launch, and nowhere before.

import { delimiter, join } from 'node:path'
import process from 'node:process'
import type { Browser, BrowserType, LaunchOptions } from 'playwright'
import { findExecutable, isExecutable } from '../find/find-executable.ts'
import { attempt, messageOf, stripColors } from '../playwright/errors.ts'
import { installCommand } from '../find/install-command.ts'
import { sandboxFacts, sandboxProblem } from './sandbox.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { BrowserName } from '../../runtime/ports/browsers.ts'

export interface LaunchRequest {
  readonly browser: BrowserName
  readonly headless: boolean
  /** Set where every session has a proxy of its own: the address of the one that refuses what is sent outside of sessions. */
  readonly refusing?: string
  readonly executablePath?: string
  /** Milliseconds until a browser that does not come up is killed. */
  readonly timeout: number
  /** Told once that something about the machine changed how the browser runs. */
  readonly notice: (text: string) => void
}

export const PLAYWRIGHT = '1.64.1'

export async function launch(request: LaunchRequest): Promise<Outcome<Browser>> {
  const playwright = await import('playwright')
  const type = playwright[engineOf(request.browser)]
  const found = find(request, type)
  if (!found.ok) return found
  return attempt(type.launch(settings(request, found.value)), (error) => failed(error, request, found.value))
}

/** The engine behind a browser's name, as Playwright calls it. */
export const engineOf = (browser: BrowserName): 'chromium' | 'firefox' | 'webkit' =>
  browser === 'firefox' || browser === 'webkit' ? browser : 'chromium'

/** All that is found for this browser, and the one that would be used. */
export async function available(
  browser: BrowserName,
  headless: boolean,
): Promise<ReturnType<typeof findExecutable>> {
  const playwright = await import('playwright')
  return findExecutable({ browser, headless }, ownBuild(browser, playwright[engineOf(browser)]))
}

// --- internal ---

type Found = { path: string; own: boolean }

function find({ browser, headless, executablePath }: LaunchRequest, type: BrowserType): Outcome<Found> {
  if (executablePath !== undefined) {
    if (isExecutable(executablePath)) return ok({ path: executablePath, own: false })
    return err({ code: 'BROWSER_NOT_INSTALLED', browser, looked: [executablePath], install: next(browser) })
  }
  const { found, source, looked } = findExecutable({ browser, headless }, ownBuild(browser, type))
  if (found) return ok({ path: found, own: source === 'playwright' && browser !== 'chromium' })
  return err({ code: 'BROWSER_NOT_INSTALLED', browser, looked, install: next(browser) })
}

const ownBuild = (browser: BrowserName, type: BrowserType): string | undefined =>
  browser === 'firefox' || browser === 'webkit' ? type.executablePath() : undefined

// Playwright does not notice over BiDi that a page came back from Firefox's cache of pages.
const firefoxUserPrefs = { 'fission.bfcacheInParent': false, 'browser.sessionhistory.max_total_viewers': 0 }

// WebRTC and QUIC know no proxy, and full Chromium obeys one of the two WebRTC flags, its headless shell the other. No name is resolved
// in the browser.
const guardedFlags = [
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

// Chromium writes what pages say to its stderr too, which Playwright reads line by line: an error of a million lines stopped everybody.
// The headless shell obeys the level only where the place is named too.
const quietFlags = ['--enable-logging=stderr', '--log-level=2']

// The proxy of the process stands wherever that of a session's context does not, also once the context is gone.
function guardedPrefs(refusing: string): Record<string, string | number | boolean> {
  const { hostname, port } = new URL(refusing)
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

function settings(
  { browser, headless, refusing, timeout, notice }: LaunchRequest,
  { path, own }: Found,
): LaunchOptions {
  const proxy = refusing === undefined ? {} : { proxy: { server: refusing, bypass: '<-loopback>' } }
  const common = {
    executablePath: path,
    headless,
    timeout,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  }
  // Stock Firefox speaks WebDriver BiDi; only Playwright's own build speaks its older protocol.
  if (browser === 'firefox')
    return own
      ? { ...common, ...proxy }
      : {
          ...common,
          channel: 'moz-firefox',
          firefoxUserPrefs: { ...firefoxUserPrefs, ...(refusing !== undefined && guardedPrefs(refusing)) },
        }
  if (browser === 'webkit') return { ...common, ...proxy }
  const problem = sandboxProblem(sandboxFacts(path))
  if (problem) notice(`Chromium runs without its sandbox: ${problem}`)
  const args = [...quietFlags, ...(refusing === undefined ? [] : guardedFlags)]
  return { ...common, ...proxy, args, chromiumSandbox: problem === undefined }
}

async function failed(error: Error, { browser, timeout }: LaunchRequest, { path }: Found): Promise<Failure> {
  const log = stripColors(error.message)
  // Playwright gives up on a browser that never answers, but leaves its process running.
  const pid = /<launched> pid=(\d+)/.exec(log)?.[1]
  if (pid) kill(Number(pid))
  const told = log.split('\n').filter((line) => /\[err\]/.test(line))
  const last = told.slice(-3).map((line) => line.replace(/^.*\[err\] ?/, '').trim())
  const reason =
    error.name === 'TimeoutError' ? `did not start within ${timeout} ms` : messageOf(error).split('\n')[0]
  return { code: 'BROWSER_ERROR', text: [`${browser} (${path}) ${reason}`, ...last].join('\n').slice(0, 800) }
}

function kill(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // it is gone already
    }
  }
}

/** The command that puts this browser on this machine. */
export function next(browser: BrowserName): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const known = ['apt-get', 'dnf', 'pacman', 'apk', 'zypper']
  const tools = known.filter((tool) => folders.some((folder) => isExecutable(join(folder, tool))))
  return installCommand(
    browser,
    { platform: process.platform, root: process.getuid?.() === 0, tools },
    PLAYWRIGHT,
  )
}
