// What came to the page of a session before an action. It is read while the action prepares itself, and is complete before its first input.

import type { AriaTree } from '../../sessions/types/snapshot.ts'
import { readChangesSince } from '../snapshot/later-changes.ts'
import type { Dialogs } from '../tab/dialogs.ts'
import type { Tab } from '../tab/tab.ts'
import type { TabList } from '../tab/tab-list.ts'
import type { Outcome } from '../../base/failure.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { PageNews } from '../../sessions/types/page.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

const TREE_TIMEOUT_MS = 1500

export interface NewsReader {
  read(deadline: Deadline): Promise<PageNews | undefined>
  /** Waits for a reading that is under way. */
  settle(): Promise<void>
}

export function createNewsReader(
  tabs: Pick<TabList, 'active'>,
  dialogs: Pick<Dialogs, 'current'>,
  readTree: (tab: Tab, deadline: Deadline) => Promise<Outcome<AriaTree>>,
): NewsReader {
  let reading: Promise<unknown> | undefined
  const readNews = async (deadline: Deadline): Promise<PageNews | undefined> => {
    const tab = tabs.active()
    // A page with an open dialog does not answer.
    if (dialogs.current() || tab.failure()) return undefined
    const { hasChanged, messages } = await readChangesSince(tab.page)
    if (!hasChanged) return undefined
    const tree = await settleWithin(TREE_TIMEOUT_MS, readTree(tab, deadline))
    return tree && 'ok' in tree && tree.ok ? { tree: tree.value, messages } : undefined
  }
  return {
    read(deadline) {
      const news = readNews(deadline).catch(() => undefined)
      reading = news
      return news
    },
    async settle() {
      await reading
      reading = undefined
    },
  }
}
