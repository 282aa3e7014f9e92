// Reads from the active tab of a session whether it shows something.

import type { Page } from 'playwright'
import { settleWithin } from '../../../core/base/system/settle-within.ts'
import { evaluateInternally } from '../../../core/browser/playwright/internals.ts'
import { noteOwnTimers } from '../../../core/browser/playwright/own-timers.ts'
import { awaitChange as awaitChangeInPage, readContent as readContentInPage } from './in-page/generated.ts'
import type { PageContent } from './in-page/page-content.ts'

const READ_TIMEOUT_MS = 500

/** Undefined if the page does not answer in time. */
export async function readContent(
  page: Page,
  countsTimers: boolean,
  timeoutMs = READ_TIMEOUT_MS,
): Promise<PageContent | undefined> {
  if (countsTimers) noteOwnTimers(page, 1)
  return ask(page, readContentInPage, countsTimers, timeoutMs)
}

/** Waits until the document changes, at most `ms` milliseconds. */
export async function awaitChange(page: Page, ms: number): Promise<void> {
  noteOwnTimers(page, 1)
  await ask(page, awaitChangeInPage, ms, ms + READ_TIMEOUT_MS)
}

// --- internal ---

type Question<A, T> = Parameters<typeof evaluateInternally<A, T>>[1]

async function ask<A, T>(
  page: Page,
  question: Question<A, T>,
  arg: A,
  timeoutMs: number,
): Promise<T | undefined> {
  const root = page.mainFrame().locator(':root')
  const work = async () => {
    const inside = await evaluateInternally(root, question, arg)
    // The element that Playwright passes has none of what is read of the first argument.
    return inside ? inside.result : ((await root.evaluate(question as never, arg)) as T)
  }
  const answer = await settleWithin(timeoutMs, work())
  return answer instanceof Error ? undefined : answer
}
