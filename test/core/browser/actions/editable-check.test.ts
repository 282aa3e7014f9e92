import { expect, test } from 'bun:test'
import type { Locator } from 'playwright'
import { err } from '../../../../src/core/base/result.ts'
import { checkEditable } from '../../../../src/core/browser/actions/editable-fields.ts'

const TIMEOUT_MS = 1000

/** A locator without an element, which notes how long it was told to wait for one. */
function createMissing() {
  const waitsMs: number[] = []
  const wait = async ({ timeout }: { timeout: number }) => {
    waitsMs.push(timeout)
    throw Object.assign(new Error(`Timeout ${timeout}ms exceeded.`), { name: 'TimeoutError' })
  }
  const locator = {
    page: () => ({ locator: () => locator }),
    waitFor: wait,
    evaluate: (_: unknown, __: unknown, options: { timeout: number }) => wait(options),
    evaluateAll: async () => ({ isAmbiguous: true }),
    count: async () => 0,
  }
  return { waitsMs, locator: locator as unknown as Locator }
}

test('a missing field is waited for until the deadline and no longer, because the call ends soon after it', async () => {
  const { locator, waitsMs } = createMissing()
  const deadline = {
    timeout: TIMEOUT_MS,
    isDefault: false,
    signal: new AbortController().signal,
    remaining: () => TIMEOUT_MS,
  }
  const element = { locator, target: { selector: '#none' }, deadline }
  expect(await checkEditable(element, 0)).toEqual(
    err({ code: 'ELEMENT_NOT_FOUND', target: '#none', waited: TIMEOUT_MS }),
  )
  expect(waitsMs).toEqual([TIMEOUT_MS])
})
