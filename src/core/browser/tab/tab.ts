import type { BrowserContext, Page as PlaywrightPage, Page } from 'playwright'
import { createHangRecovery, type HangRecovery } from './hang-recovery.ts'
import type { Failure } from '../../base/failure.ts'
import { correctFrameGeometry } from '../playwright/frame-geometry.ts'
import { isContextDestroyed } from '../playwright/errors.ts'
import { readTitle } from '../in-page/generated.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { clip } from '../../base/text/clip.ts'

export interface Tab {
  readonly context: BrowserContext
  readonly page: PlaywrightPage
  readonly recovery: HangRecovery
  /** Why the tab cannot be used any more: its page crashed or was closed. */
  failure(): Failure | undefined
}

/** The tab of a page; no tab list contains it yet. */
export function createTab(page: PlaywrightPage): Tab {
  let failure: Failure | undefined
  const setFailure = (reason: 'crashed' | 'closed') => () =>
    (failure ??= { code: 'PAGE_CRASHED', url: urlOf(page), reason })
  correctFrameGeometry(page)
  page.once('crash', setFailure('crashed'))
  page.once('close', setFailure('closed'))
  return {
    context: page.context(),
    page,
    recovery: createHangRecovery(page),
    failure: () => failure,
  }
}

export async function openTab(context: BrowserContext): Promise<Tab> {
  const tab = createTab(await context.newPage())
  await tab.recovery.cdp
  return tab
}

// --- internal ---

const ATTEMPT_LIMIT = 20
const DOCUMENT_TIMEOUT_MS = 100
const TITLE_LIMIT_CHARS = 300
const URL_LIMIT_CHARS = 4000

/** The title of a page, cut inside the page, because it can have any length. Asked again of a page that reloads meanwhile. */
export const readPageTitle = (page: Page, attempts = ATTEMPT_LIMIT): Promise<string> =>
  page.evaluate(readTitle, TITLE_LIMIT_CHARS).catch(async (error: Error) => {
    if (attempts <= 1 || !isContextDestroyed(error)) throw error
    // Until the next document is there, each question is refused at once. It may have come already.
    const options = { timeout: DOCUMENT_TIMEOUT_MS }
    await settleWithin(DOCUMENT_TIMEOUT_MS, page.waitForEvent('domcontentloaded', options))
    return readPageTitle(page, attempts - 1)
  })

/** The URL of a page as answers show it. */
export const urlOf = (page: Page): string => clip(page.url(), URL_LIMIT_CHARS)
