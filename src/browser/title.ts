import type { Page } from 'playwright'
import { clip } from '../core/clip.ts'

const TITLE_LENGTH = 300
const ADDRESS_LENGTH = 4000

/** The title of a page, cut inside it: a page can make it as long as it likes. */
export const titleOf = (page: Page): Promise<string> =>
  page.evaluate((length) => {
    const title = String(document.title)
    return title.length > length ? `${title.slice(0, length)}…` : title
  }, TITLE_LENGTH)

/** The address of a page as answers show it. */
export const addressOf = (page: Page): string => clip(page.url(), ADDRESS_LENGTH)
