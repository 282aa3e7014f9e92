// What a failed start says of the browser: nothing where a caller has asked for what no browser has.

import { expect, test } from 'bun:test'
import type { BrowserPoolOptions } from '../../../../src/core/browser/process/pool-options.ts'
import { createBrowserStarter } from '../../../../src/core/browser/process/start-browser.ts'
import type { PageOptions } from '../../../../src/core/sessions/types/browsers.ts'

const starter = (more: Partial<BrowserPoolOptions> = {}) =>
  createBrowserStarter({
    browser: 'chromium',
    headless: true,
    hasDisplay: false,
    isolation: 'context',
    warm: 0,
    launchTimeout: 20_000,
    recycleAfter: 100,
    isProxied: false,
    testIdAttribute: 'data-testid',
    features: [],
    // Every start fails.
    executablePath: '/bin/false',
    onStart: () => {},
    onLaunchNotice: () => {},
    onNotice: () => {},
    ...more,
  } as BrowserPoolOptions)

const failTimes = async (one: ReturnType<typeof starter>, options: PageOptions, times = 4) => {
  const codes: string[] = []
  for (let time = 0; time < times; time += 1) {
    const outcome = await one.start(options, 0)
    codes.push(outcome.ok ? 'ok' : outcome.error.code)
  }
  return codes
}

test('a browser that does not start as it is asked to by default is not usable, until a session opens or the pause is over', async () => {
  const one = starter()
  expect(one.isUsable()).toBe(true)
  await failTimes(one, {})
  expect(one.isUsable()).toBe(false)
  one.recordSession({}, 0)
  expect(one.isUsable()).toBe(true)
}, 60_000)

test.each<[string, PageOptions, string]>([
  ['a time zone', { profileFolder: '/nowhere', timezone: 'No/Where' }, 'INVALID_PARAMETERS'],
  ['a locale', { profileFolder: '/nowhere', locale: 'not a locale' }, 'INVALID_PARAMETERS'],
  ['a profile', { profileFolder: '/proc/nowhere' }, 'BROWSER_ERROR'],
])(
  'with %s that does not work others still start browsers',
  async (_, options, code) => {
    const one = starter()
    expect(await failTimes(one, options)).toEqual([code, code, code, code])
    expect(one.isUsable()).toBe(true)
  },
  60_000,
)
