import type { BrowserContext } from 'playwright'
import { attempt, browserError } from '../playwright/errors.ts'
import type { PageRedaction } from '../tab/page-redaction.ts'
import { closePage, TAB_LIMIT, type TabList } from '../tab/tab-list.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { type Tab, readPageTitle, urlOf } from '../tab/tab.ts'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { Page, TabInfo } from '../../sessions/types/page.ts'

const TITLE_TIMEOUT_MS = 1500

interface SessionTabs {
  list(): ReturnType<Page['tabs']>
  open(): Promise<Outcome<string>>
  select(id: string): Outcome<void>
  /** Without an id it closes the active tab. */
  close(id: string | undefined): Promise<Outcome<void>>
}

export function createSessionTabs(
  context: BrowserContext,
  tabs: TabList,
  redaction: PageRedaction,
  isProxied = false,
): SessionTabs {
  const findTab = (id: string): Outcome<Tab> => {
    const all = tabs.all()
    const match = all.find(([candidateId]) => candidateId === id)
    if (match) return ok(match[1])
    const expected = `one of ${all.map(([candidateId]) => candidateId).join(', ')}`
    return err(invalidParameter('tabId', expected, JSON.stringify(id)))
  }
  return {
    list: async () =>
      ok(
        await Promise.all(
          tabs.all().map(([id, tab]) => describeTab(id, tab, tab === tabs.active(), redaction)),
        ),
      ),
    async open() {
      if (tabs.all().length >= TAB_LIMIT)
        return err({
          code: 'RESOURCE_EXHAUSTED',
          resource: 'tabs',
          text: `a session has at most ${TAB_LIMIT}`,
          next: 'Close one first.',
        })
      const tab = await tabs.open(() => attempt(context.newPage(), browserError))
      if (!tab.ok) return tab
      tabs.activate(tab.value)
      return ok(tabs.idOf(tab.value))
    },
    select(id) {
      const tab = findTab(id)
      if (!tab.ok) return tab
      tabs.activate(tab.value)
      return ok(undefined)
    },
    async close(id) {
      const tab = id === undefined ? ok(tabs.active()) : findTab(id)
      if (!tab.ok) return tab
      if (tabs.all().length === 1) {
        const hint = 'close_session closes the session.'
        return err(invalidParameter('tabId', 'one of several tabs', 'the only tab', hint))
      }
      return attempt(closePage(tab.value.page, isProxied), browserError)
    },
  }
}

// A tab that does not answer, or does not report its secrets, has no title.
async function describeTab(
  id: string,
  tab: Tab,
  active: boolean,
  redaction: PageRedaction,
): Promise<TabInfo> {
  const { page } = tab
  const [title, isReported] = await Promise.all([
    settleWithin(TITLE_TIMEOUT_MS, readPageTitle(page)),
    redaction.isReported(tab, TITLE_TIMEOUT_MS),
  ])
  return { id, url: urlOf(page), title: typeof title === 'string' && isReported ? title : '', active }
}
