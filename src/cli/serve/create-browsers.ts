import process from 'node:process'
import type { Log } from './create-log.ts'
import type { Settings } from '../options/options.ts'
import { createBrowserPool, type BrowserPool } from '../../browser/process/browser-pool.ts'
import type { EgressProxies } from '../../runtime/ports/egress-proxy.ts'

/** The browsers as the options ask for them. Browsers have windows by default, but run headless on a machine without a display. `onStart` is
 * called before each start of a browser. */
export function createBrowsers(
  settings: Settings,
  proxies: EgressProxies,
  log: Log,
  onStart: () => void,
): BrowserPool {
  const isDisplayAvailable = hasDisplay()
  const headless = settings.headless || !isDisplayAvailable
  if (headless !== settings.headless) {
    log.warn('There is no display: browsers run headless (pass --headless to hide this warning)')
  }
  return createBrowserPool({
    browser: settings.browser,
    headless,
    hasDisplay: isDisplayAvailable,
    isolation: settings.isolation,
    warm: settings.warm ?? (headless ? 1 : 0),
    launchTimeout: settings.launchTimeout,
    recycleAfter: settings.recycleAfter,
    testIdAttribute: settings.testIdAttribute,
    isProxied: proxies.isAlwaysUsed,
    egressProxies: proxies,
    ...((settings.connect ?? settings.cdpEndpoint) && { remote: settings }),
    onStart,
    onNotice: (text) => log.warn(text),
    ...(settings.executablePath !== undefined && { executablePath: settings.executablePath }),
  })
}

function hasDisplay(): boolean {
  const { env, platform } = process
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}
