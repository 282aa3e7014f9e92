// Playwright never answers when the process of a page ends while the page is opened.

import { expect, test } from 'bun:test'
import { createDeferred } from '../../../../src/core/base/system/settle-within.ts'
import { launchBrowser } from '../../../../src/core/browser/process/launch-browser.ts'
import { openContext } from '../../../../src/core/browser/process/open-context.ts'
import type { BrowserPoolOptions } from '../../../../src/core/browser/process/pool-options.ts'
import {
  createSharedBrowsers,
  createWarmContexts,
} from '../../../../src/core/browser/process/shared-browsers.ts'
import { until } from '../../../support/leftovers.ts'

test('a context that does not open in time is not waited for, and is closed when it opens late', async () => {
  const launched = await launchBrowser({
    browser: 'chromium',
    headless: true,
    timeout: 60_000,
    onNotice: () => {},
  })
  if (!launched.ok) throw new Error(JSON.stringify(launched.error))
  const browser = launched.value
  const permission = createDeferred()
  const warm = createWarmContexts(
    1,
    async () => {
      await permission.promise
      return openContext(browser, {}, [])
    },
    50,
  )
  warm.fill()
  warm.stop()
  expect(await warm.take()).toBeUndefined()
  const closed = createDeferred()
  browser.on('context', (context) => context.on('close', () => closed.resolve()))
  permission.resolve()
  await closed.promise
  expect(browser.contexts()).toEqual([])
  await browser.close()
}, 120_000)

test('a browser that is replaced keeps no contexts that nobody takes', async () => {
  const options = {
    browser: 'chromium',
    headless: true,
    hasDisplay: false,
    isProxied: false,
    warm: 2,
    recycleAfter: 1,
    features: [],
  }
  const launch = () =>
    launchBrowser({ browser: 'chromium', headless: true, timeout: 60_000, onNotice: () => {} })
  const browsers = createSharedBrowsers(options as unknown as BrowserPoolOptions, launch)
  browsers.prepare()
  const lease = await browsers.acquire({}, 0)
  if (!lease.ok) throw new Error(JSON.stringify(lease.error))
  const { browser, openContext: openTabInContext, release } = lease.value
  const tab = await openTabInContext()
  if (!tab.ok) throw new Error(JSON.stringify(tab.error))
  expect(await until(() => browser.contexts().length === 1)).toBe(true)
  expect(browser.contexts()).toEqual([tab.value.context])
  await release()
  expect(await until(() => !browser.isConnected())).toBe(true)
}, 120_000)
