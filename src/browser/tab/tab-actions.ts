import type { BrowserContext } from 'playwright'
import { attempt, browserError } from '../playwright/errors.ts'
import type { PageRedaction } from '../secrets/page-redaction.ts'
import { closePage } from './close-page.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { addressOf, titleOf } from './title-and-url.ts'
import { TAB_LIMIT, type Tab, type Tabs } from './tabs.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Page, TabInfo } from '../../runtime/ports/page.ts'

/** The tools' way to the tabs of a context. A tab that does not answer has no title. */
export function tabActionsOf(
  context: BrowserContext,
  tabs: Tabs,
  redaction: PageRedaction,
  guarded = false,
): Pick<Page, 'tabs' | 'openTab' | 'selectTab' | 'closeTab'> {
  const find = (id: string): Outcome<Tab> => {
    const known = tabs.all().find(([one]) => one === id)
    if (known) return ok(known[1])
    const expected = `one of ${tabs
      .all()
      .map(([one]) => one)
      .join(', ')}`
    return err(invalidParameter('tabId', expected, JSON.stringify(id)))
  }
  return {
    tabs: async () =>
      ok(await Promise.all(tabs.all().map(([id, tab]) => tabOf(id, tab, tab === tabs.active(), redaction)))),
    async openTab() {
      if (tabs.all().length >= TAB_LIMIT)
        return err({
          code: 'RESOURCE_EXHAUSTED',
          resource: 'tabs',
          text: `a session has at most ${TAB_LIMIT}`,
          next: 'Close one first.',
        })
      const opened = await attempt(context.newPage(), browserError)
      if (!opened.ok) return opened
      const tab = tabs.of(opened.value)
      tabs.activate(tab)
      return ok(tabs.idOf(tab))
    },
    selectTab(id) {
      const found = find(id)
      if (!found.ok) return found
      tabs.activate(found.value)
      return ok(undefined)
    },
    async closeTab(id) {
      const found = id === undefined ? ok(tabs.active()) : find(id)
      if (!found.ok) return found
      if (tabs.all().length === 1) {
        const expected = 'a tab that is not the last one; close_session closes the session'
        return err(invalidParameter('tabId', expected, 'the only tab'))
      }
      return attempt(closePage(found.value.page, guarded), browserError)
    },
  }
}

const PATIENCE = 500

async function tabOf(id: string, tab: Tab, active: boolean, redaction: PageRedaction): Promise<TabInfo> {
  const { page } = tab
  const [title, isReported] = await Promise.all([
    settleWithin(PATIENCE, titleOf(page)),
    redaction.isReported(tab, PATIENCE),
  ])
  return { id, url: addressOf(page), title: typeof title === 'string' && isReported ? title : '', active }
}
