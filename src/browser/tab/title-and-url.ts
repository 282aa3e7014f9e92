import type { Page } from 'playwright'
import { readTitle } from '../in-page/observe/page-title.ts'
import { isContextDestroyed } from '../playwright/errors.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { clip } from '../../core/text/clip.ts'

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
