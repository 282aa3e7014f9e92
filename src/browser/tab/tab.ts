import type { BrowserContext, Page as PlaywrightPage } from 'playwright'
import { createHangRecovery, type HangRecovery } from './hang-recovery.ts'
import { urlOf } from './title-and-url.ts'
import type { Failure } from '../../core/failure.ts'

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
