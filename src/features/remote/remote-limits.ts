// What browsers that Footlight does not start cannot do for a session.

import { engineOf } from '../../core/base/browser-names.ts'
import type { Failure } from '../../core/base/failure.ts'
import type { BrowserPlaces } from '../../core/browser/playwright/browser-source.ts'
import type { PageOptions } from '../../core/sessions/types/browsers.ts'

/** Why no session can be opened with these options. */
export function findRemoteLimit(
  { proxy, profileFolder, extension }: PageOptions,
  { places }: BrowserPlaces,
): Failure | undefined {
  if (extension !== undefined)
    return {
      code: 'BROWSER_ERROR',
      text: 'an extension is for browsers that Footlight starts itself',
      next: 'Omit extension.',
    }
  if (profileFolder !== undefined)
    return {
      code: 'BROWSER_ERROR',
      text: 'a profile is for browsers that Footlight starts itself',
      next: 'Omit profile: restore keeps a login in any browser.',
    }
  if (proxy === undefined || !places.some(({ isElsewhere }) => isElsewhere)) return undefined
  return {
    code: 'BROWSER_ERROR',
    text: 'allowedDomains cannot be enforced in a browser on another machine, which does not reach the proxy of this one',
    next: 'Omit allowedDomains.',
  }
}

/** What is said of options that have no effect. */
export function describeIgnoredOptions(
  { browser, headless }: PageOptions,
  { choosesBrowser }: BrowserPlaces,
): string | undefined {
  const ignored = [
    ...(headless === undefined ? [] : ['headless']),
    ...(browser === undefined || browser === engineOf(browser) ? [] : [`browser ${browser}`]),
  ]
  if (choosesBrowser || ignored.length === 0) return undefined
  return `No effect: ${ignored.join(', ')}. The browsers of an endpoint run as it starts them.`
}
