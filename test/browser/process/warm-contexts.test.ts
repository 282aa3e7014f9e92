// Playwright never answers when the process of a page ends while the page is opened.

import { expect, test } from 'bun:test'
import { openContext } from '../../../src/browser/process/open-context.ts'
import { launchBrowser } from '../../../src/browser/launch/launch.ts'
import { createWarmContexts } from '../../../src/browser/process/warm-contexts.ts'
import { createDeferred } from '../../../src/runtime/calls/deferred.ts'

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
      return openContext(browser, {})
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
