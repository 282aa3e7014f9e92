import { expect, test } from 'bun:test'
import { createDeadline } from '../../../../src/core/base/system/race-deadline.ts'
import { playwrightOptions } from '../../../../src/core/browser/playwright/engine.ts'

test('Playwright gets the time that is left of the deadline, at least 1 ms, and the grace time on top', () => {
  let now = 1000
  const { signal } = new AbortController()
  const deadline = createDeadline(500, signal, () => now)
  expect(playwrightOptions(deadline)).toEqual({ timeout: 500, signal })
  now += 120
  expect(playwrightOptions(deadline)).toEqual({ timeout: 380, signal })
  expect(playwrightOptions(deadline, 2000).timeout).toBe(2380)
  now += 1000
  expect(playwrightOptions(deadline).timeout).toBe(1)
  expect(playwrightOptions(deadline, 2000).timeout).toBe(2001)
})
