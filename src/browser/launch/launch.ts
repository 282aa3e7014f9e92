// Starting one browser process. Playwright is loaded here, at the first launch, and nowhere before.

import process from 'node:process'
import type { Browser, BrowserType } from 'playwright'
import { launchOptionsFor, type BrowserExecutable, type LaunchRequest } from './launch-options.ts'
import { guardDebuggingPorts } from './port-guard.ts'
import { isOwnChild } from '../playwright/browser-processes.ts'
import { executableProblem, findExecutable } from '../find/find-executable.ts'
import { installCommandFor } from '../find/install-command.ts'
import { acknowledgeMessages } from '../playwright/acknowledge-messages.ts'
import { paceMessages } from './pace-messages.ts'
import { attempt, messageOf, stripColors } from '../playwright/errors.ts'
import { engineOf, type BrowserName } from '../../core/browser-names.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

export async function launchBrowser(request: LaunchRequest): Promise<Outcome<Browser>> {
  if (request.browser === 'firefox' && request.userProxy?.scheme === 'https')
    return err(FIREFOX_PROXY_FAILURE)
  const playwright = await import('playwright')
  const browserType = playwright[engineOf(request.browser)]
  const executable = resolveExecutable(request, browserType)
  if (!executable.ok) return executable
  const hasGuardedPort = request.browser === 'firefox' && process.platform === 'linux'
  const guard = hasGuardedPort ? guardDebuggingPorts(killWithGroup) : undefined
  const launching = browserType.launch(launchOptionsFor(request, executable.value)).then((browser) => {
    acknowledgeMessages(browser)
    paceMessages(browser)
    return browser
  })
  const result = await attempt(launching, (error) => launchFailure(error, request, executable.value))
  guard?.stop()
  return guard?.isIntruded() ? err(INTRUSION_FAILURE) : result
}

/** All executables of this browser on this machine, and the one that would be used. */
export async function findInstalledBrowser(
  browser: BrowserName,
  headless: boolean,
): Promise<ReturnType<typeof findExecutable>> {
  const playwright = await import('playwright')
  return findExecutable({ browser, headless }, playwrightBuildPath(browser, playwright[engineOf(browser)]))
}

// --- internal ---

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
  { browser, headless, executablePath }: LaunchRequest,
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
    { browser, headless },
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

function killWithGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It has exited already.
    }
  }
}
