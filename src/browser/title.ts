import type { Page } from 'playwright'
import { isContextGone } from './failures.ts'
import { soon } from './soon.ts'
import { clip } from '../core/clip.ts'

const ATTEMPTS = 20
const ARRIVAL_MS = 100
const TITLE_LENGTH = 300
const ADDRESS_LENGTH = 4000

/** The title of a page, cut inside it: a page can make it as long as it likes. One that loads itself again meanwhile is asked again. */
export const titleOf = (page: Page, attempts = ATTEMPTS): Promise<string> =>
  page.evaluate(readTitle, TITLE_LENGTH).catch(async (error: Error) => {
    if (attempts <= 1 || !isContextGone(error)) throw error
    // Until the next document is there, each question is refused at once. It may have come already.
    await soon(ARRIVAL_MS, page.waitForEvent('domcontentloaded', { timeout: ARRIVAL_MS }))
    return titleOf(page, attempts - 1)
  })

/** The address of a page as answers show it. */
export const addressOf = (page: Page): string => clip(page.url(), ADDRESS_LENGTH)

// Runs inside the page, so it may use nothing but its argument and the DOM.
function readTitle(length: number): string {
  const title = String(document.title)
  return title.length > length ? `${title.slice(0, length)}…` : title
}
