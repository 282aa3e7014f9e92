// Starting one browser process. Playwright is loaded here, at the first launch, and nowhere before.

import process from 'node:process'
import type { Browser, BrowserType } from 'playwright'
import { launchOptionsFor, type BrowserExecutable, type LaunchRequest } from './launch-options.ts'
import { findDescendants, isOwnChild, killAll } from '../playwright/browser-processes.ts'
import { executableProblem, findExecutable } from './find-executable.ts'
import { installCommandFor } from './install-command.ts'
import { throttleWorkers } from './throttle-workers.ts'
import { attempt, messageOf, stripColors, browserError } from '../playwright/errors.ts'
import { engineOf, type BrowserName } from '../../base/browser-names.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { race } from '../../base/system/race-deadline.ts'
import { readProcFile, readSocketInodes, readTcpSockets } from '../../base/system/proc-files.ts'
import { internalsOf } from '../playwright/internals.ts'

export async function launchBrowser(request: LaunchRequest): Promise<Outcome<Browser>> {
  if (request.browser === 'firefox' && request.userProxy?.scheme === 'https')
    return err(FIREFOX_PROXY_FAILURE)
  const playwright = await import('playwright')
  const browserType = playwright[engineOf(request.browser)]
  const executable = resolveExecutable(request, browserType)
  if (!executable.ok) return executable
  const hasGuardedPort = request.browser === 'firefox' && process.platform === 'linux'
  const guard = hasGuardedPort ? guardDebuggingPorts(killWithGroup) : undefined
  const launching = start(browserType, request, executable.value).then((browser) => {
    acknowledgeMessages(browser)
    for (const { onLaunch } of request.features ?? []) onLaunch?.(browser)
    throttleWorkers(browser)
    return browser
  })
  const result = await attempt(launching, (error) => launchFailure(error, request, executable.value))
  guard?.stop()
  return guard?.isIntruded() ? err(INTRUSION_FAILURE) : result
}

async function start(
  browserType: BrowserType,
  request: LaunchRequest,
  executable: BrowserExecutable,
): Promise<Browser> {
  const launchOptions = launchOptionsFor(request, executable)
  if (!request.profile) return browserType.launch(launchOptions)
  const { folder, contextOptions } = request.profile
  const options = { ...launchOptions, ...contextOptions }
  const browser = (await browserType.launchPersistentContext(folder, options)).browser()
  if (!browser) throw new Error('The profile has no browser.')
  return browser
}

/** All executables of this browser on this machine, and the one that would be used. */
export async function findInstalledBrowser(
  browser: BrowserName,
  headless: boolean,
): Promise<ReturnType<typeof findExecutable>> {
  const playwright = await import('playwright')
  return findExecutable({ browser, headless }, playwrightBuildPath(browser, playwright[engineOf(browser)]))
}

const FIREFOX_PROXY_FAILURE: Failure = {
  code: 'BROWSER_ERROR',
  text: 'Firefox cannot use a proxy that is reached over https',
  next: 'Use Chromium with this proxy.',
}

const INTRUSION_FAILURE: Failure = {
  code: 'BROWSER_ERROR',
  text: 'another user of this machine connected to the debugging port of Firefox while it started, so it was ended',
  next: 'Use Chromium, whose commands go through a pipe, and tell the user.',
}

function resolveExecutable(
  { browser, headless, executablePath, loadsExtension = false }: LaunchRequest,
  browserType: BrowserType,
): Outcome<BrowserExecutable> {
  const install = installCommandFor(browser)
  if (executablePath !== undefined) {
    const problem = executableProblem(executablePath)
    return problem === undefined
      ? ok({ path: executablePath, isPlaywrightBuild: false })
      : err({ code: 'BROWSER_NOT_INSTALLED', browser, looked: [executablePath], install, problem })
  }
  const { path, source, looked } = findExecutable(
    // The headless shell has no extensions.
    { browser, headless: headless && !loadsExtension },
    playwrightBuildPath(browser, browserType),
  )
  return path === undefined
    ? err({ code: 'BROWSER_NOT_INSTALLED', browser, looked, install })
    : ok({ path, isPlaywrightBuild: source === 'playwright' && browser !== 'chromium' })
}

// Chromium of any revision can be driven; Playwright's Firefox and WebKit must be of the revision that it names.
const playwrightBuildPath = (browser: BrowserName, browserType: BrowserType): string | undefined =>
  engineOf(browser) === 'chromium' ? undefined : browserType.executablePath()

async function launchFailure(
  error: Error,
  { browser, timeout }: LaunchRequest,
  { path }: BrowserExecutable,
): Promise<Failure> {
  const log = stripColors(error.message)
  // Playwright gives up on a browser that never answers, but leaves its process running. One that has ended may have given its number to
  // another; that of a child is its own until the child is reaped.
  const pid = /<launched> pid=(\d+)/.exec(log)?.[1]
  if (pid && isOwnChild(Number(pid))) killWithGroup(Number(pid))
  const stderr = log.split('\n').filter((line) => /\[err\]/.test(line))
  const lastLines = stderr.slice(-3).map((line) => line.replace(/^.*\[err\] ?/, '').trim())
  const reason =
    error.name === 'TimeoutError' ? `did not start within ${timeout} ms` : messageOf(error).split('\n')[0]
  const text = [`${browser} (${path}) ${reason}`, ...lastLines].join('\n').slice(0, 800)
  return { code: 'BROWSER_ERROR', text }
}

const killWithGroup = (pid: number): void => killAll([-pid, pid])

const CLOSE_TIMEOUT_MS = 5000

/** Starts the browser, opens a page, reads its title and closes the browser. `ms` is the time from the start to the title. */
export async function checkLaunch(request: LaunchRequest): Promise<Outcome<{ version: string; ms: number }>> {
  const startedAt = performance.now()
  const launchResult = await launchBrowser(request)
  if (!launchResult.ok) return launchResult
  const browser = launchResult.value
  const openResult = await race(request.timeout, [], () =>
    attempt(
      (async () => {
        const page = await browser.newPage()
        await page.setContent('<title>footlight</title>')
        return page.title()
      })(),
      browserError,
    ),
  )
  const ms = Math.round(performance.now() - startedAt)
  const version = browser.version()
  await race(CLOSE_TIMEOUT_MS, [], () => browser.close().catch(() => {}))
  if ('stopReason' in openResult)
    return err({ code: 'BROWSER_ERROR', text: `no page was opened within ${request.timeout} ms` })
  return openResult.value.ok ? ok({ version, ms }) : openResult.value
}

// While Firefox starts, whoever connects to its debugging port first has its one session, with the rights of the user who started it. So the
// connections of other users are looked for, and one to the port of such a browser ends it. Only Linux tells the users of connections.
/** To open a session and read a file takes another user about ten times as long. */
const CHECK_INTERVAL_MS = 4

/** Guards the browsers that this process starts with a debugging port from now on, until it is stopped. `end` is called with one to whose
 * port another user has connected. A browser that was there before has its session. */
export function guardDebuggingPorts(end: (pid: number) => void) {
  let isIntruded = false
  const earlier = findBrowsers()
  const timer = setInterval(() => {
    for (const port of findForeignConnections())
      for (const pid of findListeners(port).filter((listener) => !earlier.includes(listener))) {
        isIntruded = true
        end(pid)
      }
  }, CHECK_INTERVAL_MS)
  return { isIntruded: (): boolean => isIntruded, stop: (): void => clearInterval(timer) }
}

const LOOPBACK_PATTERN = /^(0100007F|00000000000000000000000001000000|0000000000000000FFFF00000100007F)$/

/** The ports of this machine to which other users are connected. A connection that has ended is shown as one of root. */
function findForeignConnections(): number[] {
  const users = [0, process.getuid?.(), process.geteuid?.()]
  return readTcpSockets()
    .filter(({ remote, user }) => LOOPBACK_PATTERN.test(remote.address) && !users.includes(user))
    .map(({ remote }) => remote.port)
}

function findListeners(port: number): number[] {
  const listeners = readTcpSockets().filter(({ local, isListening }) => local.port === port && isListening)
  const inodes = listeners.map(({ inode }) => inode)
  return findBrowsers().filter((pid) => readSocketInodes(pid).some((inode) => inodes.includes(inode)))
}

const findBrowsers = (): number[] =>
  findDescendants(process.pid).filter((pid) =>
    readProcFile(pid, 'cmdline').includes('--remote-debugging-port'),
  )

// Firefox sends its messages through a socket with Nagle's algorithm: a second message waits until the first is acknowledged. The
// operating system delays the acknowledgement by 40 ms unless something is sent, so a click waited four to six times. An unsolicited pong is
// the smallest frame that a WebSocket client may send at any time (RFC 6455, 5.5.3).
interface ServerBrowser {
  readonly _connection: { readonly _transport: { readonly _ws: ProtocolSocket } }
}

interface ProtocolSocket {
  readonly readyState: number
  on(event: 'message', listener: () => void): void
  pong(): void
}

const OPEN_STATE = 1

/** Acknowledges each batch of messages of a browser at once. Does nothing where it is not driven over a WebSocket. */
function acknowledgeMessages(browser: Browser): void {
  const socket = internalsOf<Partial<ServerBrowser>>(browser)?._connection?._transport?._ws
  if (!socket?.pong) return
  let isScheduled = false
  const acknowledge = () => {
    isScheduled = false
    if (socket.readyState === OPEN_STATE) socket.pong()
  }
  socket.on('message', () => {
    if (!isScheduled) setImmediate(acknowledge)
    isScheduled = true
  })
}
