// Watches what a page does during an action: one function adds listeners to the main frame before it, another reads the result afterwards.

import type { Page } from 'playwright'
import { evaluateTarget } from '../playwright/locator.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

/** Two functions that run in the page. In another document than that of `start`, `end` returns undefined. */
export interface PageWatch<T> {
  start(): void
  end(): T | undefined | Promise<T | undefined>
}

/** Runs `work` under a watch. `finding` is what `end` returned, or undefined where the page does not answer. */
export async function watchDuring<T, R>(
  page: Page,
  { start, end }: PageWatch<T>,
  work: () => Promise<R>,
): Promise<{ readonly result: R; readonly finding: T | undefined }> {
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  await evaluateTarget(root, start, undefined).catch(() => {})
  const result = await work()
  const finding = await settleWithin(READ_TIMEOUT_MS, evaluateTarget(root, end, undefined))
  return { result, finding: finding instanceof Error ? undefined : finding }
}

// --- internal ---

const ROOT = { selector: 'html' }
const READ_TIMEOUT_MS = 500
