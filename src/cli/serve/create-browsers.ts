import { join } from 'node:path'
import { hasDisplay } from './display.ts'
import type { Log } from './create-log.ts'
import { selfCommand } from '../client/self-command.ts'
import { isHttpTransport } from '../options/option-conflicts.ts'
import { userProxyOf } from '../options/user-proxy-option.ts'
import type { Settings } from '../options/options.ts'
import { createBrowserPool, type BrowserPool } from '../../browser/process/browser-pool.ts'
import type { BrowserPoolOptions } from '../../browser/process/pool-options.ts'
import { createAttachRelay } from '../../devserver/process/relay-process.ts'
import { RELAY_COMMAND } from '../../core/attach/relay-lines.ts'
import { findStateFolder } from '../../runtime/files/state-folder.ts'
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
    ...userProxyOf(settings),
    egressProxies: proxies,
    ...((settings.connect ?? settings.cdpEndpoint) && { remote: settings }),
    attach: attachOptionsOf(settings),
    onStart,
    onLaunchNotice: log.warnOnce,
    onNotice: (text) => log.warn(text),
    ...(settings.executablePath !== undefined && { executablePath: settings.executablePath }),
  })
}

function attachOptionsOf(settings: Settings): BrowserPoolOptions['attach'] {
  const { command, args } = selfCommand([RELAY_COMMAND])
  return {
    relay: createAttachRelay([command, ...args]),
    endpoint: settings.cdpEndpoint,
    isSearchAllowed: !isHttpTransport(settings),
    recordFolder: join(findStateFolder(), 'attached'),
    timeoutMs: settings.launchTimeout,
  }
}
