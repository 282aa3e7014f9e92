// The pages whose last click was one on a link for a download, which the browser starts a little later.

import type { Page } from 'playwright'

const pages = new WeakSet<Page>()

export const awaitDownload = (page: Page): void => void pages.add(page)

/** Whether it was; the next question is about the next click. */
export const takeAwaitedDownload = (page: Page): boolean => pages.delete(page)
