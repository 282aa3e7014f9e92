import { expect, test } from 'bun:test'
import { readinessOf } from '../../../src/features/http/readiness.ts'

const state = { isDraining: false, hasBrowser: true, active: 0, limit: 10 }

test.each([
  [{}, true, 'ok', 'up ready 100%'],
  [{ active: 1 }, true, 'ok', 'up ready 63%'],
  [{ active: 9 }, true, 'ok', 'up ready 2%'],
  [{ active: 999, limit: 1000 }, true, 'ok', 'up ready 1%'],
  [{ active: 10 }, true, 'ok', 'up ready 0%'],
  [{ hasBrowser: false }, false, 'no browser', 'down'],
  [{ isDraining: true, hasBrowser: false }, false, 'draining', 'up drain'],
])('%o', (change, ok, status, reason) =>
  expect(readinessOf({ ...state, ...change })).toEqual({ ok, status, reason } as ReturnType<
    typeof readinessOf
  >),
)
