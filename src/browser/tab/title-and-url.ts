import type { Page } from 'playwright'
import { readTitle } from '../in-page/observe/page-title.ts'
import { isContextGone } from '../playwright/errors.ts'
import { clip } from '../../core/text/clip.ts'

const ATTEMPTS = 5
const TITLE_LENGTH = 300
const ADDRESS_LENGTH = 4000

/** The title of a page, cut inside it: a page can make it as long as it likes. One that loads itself again meanwhile is asked again. */
export const titleOf = (page: Page, attempts = ATTEMPTS): Promise<string> =>
  page.evaluate(readTitle, TITLE_LENGTH).catch((error: Error) => {
    if (attempts > 1 && isContextGone(error)) return titleOf(page, attempts - 1)
    throw error
  })

/** The address of a page as answers show it. */
export const addressOf = (page: Page): string => clip(page.url(), ADDRESS_LENGTH)
