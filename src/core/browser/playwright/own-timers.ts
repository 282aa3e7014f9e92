// The timers that were set in the main frame of a page for Footlight, which are none of the page's own.

import type { Page } from 'playwright'

const counts = new WeakMap<Page, number>()

export const noteOwnTimers = (page: Page, count: number): void =>
  void counts.set(page, ownTimersOf(page) + count)

export const ownTimersOf = (page: Page): number => counts.get(page) ?? 0
export const forgetOwnTimers = (page: Page): void => void counts.delete(page)
