import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { createHangRecovery } from '../../../src/browser/tab/hang-recovery.ts'

const never = new Promise<never>(() => {})

test('a rescue ends also where the browser answers nothing at all', async () => {
  const channel = { send: () => never, on: () => {}, off: () => {} }
  const browser = { browserType: () => ({ name: () => 'chromium' }) }
  const context = { browser: () => browser, newCDPSession: async () => channel }
  const page = { context: () => context, once: () => {} } as unknown as Page
  expect(await createHangRecovery(page).recover()).toBe('stuck')
}, 5000)
