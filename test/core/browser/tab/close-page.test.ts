// What a page sends while it unloads, when its context or its tab is closed, goes through the proxy of its context.

import { expect, test } from 'bun:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchBrowser } from '../../../../src/core/browser/process/launch-browser.ts'
import { closeContext, closePage } from '../../../../src/core/browser/tab/tab-list.ts'
import { openRefusingProxy } from '../../../../src/features/host-rules/refusing-proxy.ts'
import { until } from '../../../support/leftovers.ts'
import { page } from '../../../support/site.ts'

const LIMIT_MS = 20_000
const timeouts = { pingMs: LIMIT_MS, unloadMs: LIMIT_MS }

/** A proxy that answers for every host itself and records the requested URLs. */
async function recordingProxy() {
  const requestedUrls: string[] = []
  const server = createServer((request, response) => {
    requestedUrls.push(request.url ?? '')
    response.setHeader('content-type', 'text/html')
    response.end(
      page(
        "<p>x</p><script>addEventListener('pagehide', () => navigator.sendBeacon('http://other.test/beacon', 'x'))</script>",
        'Leaving',
      ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { requestedUrls, server: `http://127.0.0.1:${port}`, close: () => server.close() }
}

test.each([
  ['chromium', 'context'],
  ['chromium', 'tab'],
  ['firefox', 'context'],
  ['firefox', 'tab'],
] as const)(
  'of %s, when its %s is closed',
  async (browser, what) => {
    const [proxy, refusing] = [await recordingProxy(), await openRefusingProxy()]
    const launched = await launchBrowser({
      browser,
      headless: true,
      refusingProxy: `http://127.0.0.1:${refusing.port}`,
      timeout: 60_000,
      onNotice: () => {},
    })
    if (!launched.ok) throw new Error(JSON.stringify(launched.error))
    try {
      const context = await launched.value.newContext({
        proxy: { server: proxy.server, bypass: '<-loopback>' },
      })
      // On a busy machine Firefox sometimes loses what a tab sends last (seen in 2 of 4 runs of the suite).
      const isSent = async () => {
        const tab = await context.newPage()
        await tab.goto('http://leaving.test/')
        expect(await tab.title()).toBe('Leaving')
        if (what === 'tab') await closePage(tab, true, timeouts)
        else await closeContext(context, true, timeouts)
        return until(() => proxy.requestedUrls.includes('http://other.test/beacon'), LIMIT_MS)
      }
      let tries = browser === 'firefox' && what === 'tab' ? 5 : 1
      while (!(await isSent()) && (tries -= 1) > 0);
      expect(tries).toBeGreaterThan(0)
    } finally {
      await launched.value.close()
      proxy.close()
      refusing.close()
    }
  },
  300_000,
)
