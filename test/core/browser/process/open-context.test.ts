// A context whose browser ends while it is being opened is a failure, not a rejection: contexts opened ahead have nobody to catch one.

import { expect, test } from 'bun:test'
import { launchBrowser } from '../../../../src/core/browser/process/launch-browser.ts'
import { openContext } from '../../../../src/core/browser/process/open-context.ts'
import { bothBrowsers } from '../../../support/engines.ts'

test.each(bothBrowsers)(
  'of %s, closed right after it was made',
  async (name) => {
    const launched = await launchBrowser({
      browser: name,
      headless: true,
      timeout: 60_000,
      onNotice: () => {},
    })
    if (!launched.ok) throw new Error(JSON.stringify(launched.error))
    const browser = launched.value
    const newContext = browser.newContext.bind(browser)
    browser.newContext = async (settings) => {
      const context = await newContext(settings)
      await browser.close()
      return context
    }
    expect(await openContext(browser, {}, [])).toMatchObject({ ok: false })
  },
  120_000,
)
