// Every Firefox that Footlight starts has its messages acknowledged at once; without it each action waits several times for 40 ms.

import { expect, test } from 'bun:test'
import { internalsOf } from '../../../../src/core/browser/playwright/internals.ts'
import { launchBrowser } from '../../../../src/core/browser/process/launch-browser.ts'
import { until } from '../../../support/leftovers.ts'

interface ServerBrowser {
  readonly _connection: {
    readonly _transport: { readonly _ws: { pong(): void; on(event: 'message', listener: () => void): void } }
  }
}

test('after messages of Firefox comes a pong, and none without a message', async () => {
  const launched = await launchBrowser({
    browser: 'firefox',
    headless: true,
    timeout: 60_000,
    onNotice: () => {},
  })
  if (!launched.ok) throw new Error(JSON.stringify(launched.error))
  const browser = launched.value
  const socket = internalsOf<ServerBrowser>(browser)?._connection._transport._ws
  if (!socket) throw new Error('Playwright keeps its WebSocket elsewhere')
  const log: ('message' | 'pong')[] = []
  const sendPong = socket.pong.bind(socket)
  socket.pong = () => {
    log.push('pong')
    sendPong()
  }
  socket.on('message', () => void log.push('message'))
  try {
    const page = await browser.newPage()
    for (let count = 0; count < 10; count += 1) expect(await page.evaluate('6 * 7')).toBe(42)
    await until(() => log.at(-1) === 'pong')
  } finally {
    await browser.close()
  }
  const text = log.join(' ')
  expect(text).toContain('message pong message')
  expect(text).not.toContain('pong pong')
}, 300_000)
