// Starts browser processes, locally or on a remote machine, and checks that they keep answering.

import type { Browser } from 'playwright'
import { connectRemote } from './connect-remote.ts'
import { reserveDebuggingPort } from './debugging-port.ts'
import { watchHealth } from './health-check.ts'
import { launchBrowser } from '../launch/launch.ts'
import type { BrowserPoolOptions } from './pool-options.ts'
import { createStartBreaker } from './start-breaker.ts'
import type { Outcome } from '../../core/failure.ts'
import type { PageOptions } from '../../runtime/ports/browsers.ts'

export interface BrowserStarter {
  start(options: PageOptions): Promise<Outcome<Browser>>
  /** Records that the browser has just sent an event: the health check counts it as an answer. */
  recordActivity(browser: Browser): void
  /** Whether the last start of the default browser succeeded, or none was attempted yet. */
  isUsable(): boolean
  startCount(): number
}

export function createBrowserStarter(options: BrowserPoolOptions): BrowserStarter {
  const { remote, launchTimeout, egressProxies, userProxy } = options
  const breaker = createStartBreaker()
  const lastActivityAt = new WeakMap<Browser, number>()

  function watch(browser: Browser, name: string): void {
    reserveDebuggingPort(browser, egressProxies.reservePort)
    const text = `A ${name} stopped responding and was terminated; a new one is started`
    void watchHealth(
      browser,
      () => lastActivityAt.get(browser) ?? 0,
      () => options.onNotice(text),
    )
  }

  return {
    start({ browser = options.browser, headless = options.headless, proxy }) {
      const executablePath = browser === options.browser ? options.executablePath : undefined
      const isProxied = options.isProxied || proxy !== undefined
      return breaker.run(browser, async () => {
        options.onStart()
        const { selectors } = await import('playwright')
        selectors.setTestIdAttribute(options.testIdAttribute)
        if (remote) return connectRemote(remote, browser, launchTimeout)
        const launchResult = await launchBrowser({
          browser,
          headless,
          timeout: launchTimeout,
          onNotice: options.onLaunchNotice,
          ...(executablePath !== undefined && { executablePath }),
          ...(userProxy && { userProxy }),
          ...(isProxied && { refusingProxy: await egressProxies.openRefusingProxy() }),
        })
        if (launchResult.ok) watch(launchResult.value, browser)
        return launchResult
      })
    },
    recordActivity: (browser) => void lastActivityAt.set(browser, performance.now()),
    isUsable: () => breaker.isUsable(options.browser),
    startCount: breaker.startCount,
  }
}
