// What a session in the user's own browser cannot have. The browser has its own network, profile and windows, so these options would
// have no effect, or one on other tabs.

import type { InvalidParameter } from '../../core/base/failure-records.ts'
import { type Failure, invalidParameter } from '../../core/base/failure.ts'

const REASONS: Readonly<Record<string, string>> = {
  allowedDomains:
    'host rules cannot hold there, because that browser connects without the proxy of Footlight',
  storageState: 'it would replace the cookies of the user',
  restore: 'it would replace the cookies of the user',
  profile: 'that browser has the profile of its user',
  extension: 'that browser has the extensions of its user',
  headless: 'that browser is running already',
  isolation: 'that browser is running already',
  viewport: 'the tabs have the size of its window; emulate {viewport} changes that of a page',
  device: 'it cannot be set for tabs of a running browser',
  userAgent: 'it cannot be set for tabs of a running browser',
  locale: 'it cannot be set for tabs of a running browser',
  timezone: 'it cannot be set for tabs of a running browser',
  ignoreHTTPSErrors: 'that browser checks certificates as it does for its user',
}

const ATTACHABLE_BROWSERS: readonly unknown[] = ['chrome', 'chromium', 'msedge']

/** The first option of an attached session that cannot be combined with `attach`, with the reason. */
export function findAttachConflict(options: Readonly<Record<string, unknown>>): InvalidParameter | undefined {
  if (options['attach'] !== true) return undefined
  const { browser } = options
  if (browser !== undefined && !ATTACHABLE_BROWSERS.includes(browser))
    return invalidParameter('browser', 'chrome, chromium or msedge with attach', JSON.stringify(browser))
  const field = Object.keys(REASONS).find((name) => options[name] !== undefined && options[name] !== false)
  if (field === undefined) return undefined
  return invalidParameter(field, `none with attach: ${REASONS[field]}`, field, 'Omit it, or omit attach.')
}

/** The failure of an attached session while host rules apply to the whole server. */
export const attachDenial: Failure = {
  code: 'ACCESS_DENIED',
  subject: 'attach',
  rule: 'host rules of this server cannot hold in a running browser, which connects without the proxy of Footlight',
  allowed:
    'sessions without attach; the user can remove the host rules (--allowed-hosts, --ask-hosts, over HTTP --private-hosts allow)',
}
