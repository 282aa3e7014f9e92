import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { createHangRecovery } from '../../../../src/core/browser/tab/hang-recovery.ts'

const never = new Promise<never>(() => {})

test('recovery ends although the browser answers nothing at all', async () => {
  const session = { send: () => never, on: () => {}, off: () => {} }
  const browser = {
    newBrowserCDPSession: async () => session,
    browserType: () => ({ name: () => 'chromium' }),
  }
  const context = { browser: () => browser, newCDPSession: async () => session }
  const page = { context: () => context, once: () => {}, mainFrame: () => ({}) } as unknown as Page
  expect(await createHangRecovery(page, 500).recover()).toBe('silent')
})
