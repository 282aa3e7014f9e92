// The active page of one session, as tools use it: the methods for the active tab, and what belongs to all tabs of the context.

import { setCredentials } from '../tab/prepare-context.ts'
import { createPageParts, type PageParts } from './page-parts.ts'
import { readTree } from './read-tree.ts'
import { evaluate } from '../actions/evaluate.ts'
import { takeScreenshot } from '../screenshot/screenshot.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { ok } from '../../base/result.ts'
import { createPerform } from './perform.ts'
import { readPageTitle, type Tab, urlOf } from '../tab/tab.ts'
import { isLoopbackHost } from '../../base/network/http-guard.ts'
import type { OwnedPage, PageHooks, PageOptions } from '../../sessions/types/browsers.ts'
import type { FeaturePage } from '../../sessions/types/page.ts'
import type { FeatureParts } from '../../tool/feature.ts'
import { takeAwaitedDownload } from '../playwright/awaited-downloads.ts'
import { countMatches } from '../snapshot/aria-snapshot.ts'
import { isPending } from '../snapshot/later-changes.ts'
import { waitForActionEffects, waitForAnimations, waitForOutput } from '../tab/page-activity.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

/** `release` must free everything that was opened for the page, and its browser if it has its own. */
export function createSessionPage(
  firstTab: Tab,
  hooks: PageHooks,
  options: PageOptions,
  features: readonly FeatureParts[],
  release: () => Promise<void>,
): OwnedPage {
  const parts = createPageParts(firstTab, hooks, options, features)
  const { tabs, sessionTabs, dialogs, requests, downloads, redaction, runOnTab } = parts
  const perform = createPerform(parts)
  const noteAction = () => {
    parts.exit.noteAction()
    for (const { onActed } of parts.features) onActed?.()
  }
  const page = {
    parts,
    perform: (action, deadline) => parts.during(action, () => perform(action, deadline)).finally(noteAction),
    url: () => urlOf(tabs.active().page),
    ...createReads(parts),
    tabIds: () => ({ active: tabs.idOf(tabs.active()), all: tabs.all().map(([id]) => id) }),
    // A page with an open dialog does not respond either; its dialog is what it waits for.
    recover: async () =>
      dialogs.current() ? 'answering' : tabs.active().recovery.recover(createStackReport(hooks)),
    // While a dialog is open the page does not answer, and does not change either.
    isReported: async (timeoutMs) =>
      Boolean(dialogs.current()) || redaction.isReported(tabs.active(), timeoutMs),
    settle: async (end) => {
      if (dialogs.current()) return []
      const unanswered = await waitForActionEffects(tabs.active(), requests, dialogs, end)
      if (takeAwaitedDownload(tabs.active().page)) await downloads.waitForStart()
      for (const name of await downloads.settle())
        hooks.onEntry({ kind: 'page', level: 'info', text: `The download of ${name} has started.` })
      return unanswered
    },
    readNews: parts.news.read,
    isPending: async () => Boolean(dialogs.current()) || isPending(tabs.active().page),
    waitForAnimations: () => waitForAnimations(parts.page()),
    waitForOutput: async () => (dialogs.current() ? undefined : waitForOutput(tabs.active())),
    async currentTitle(timeoutMs) {
      const title = dialogs.current() ? '' : await settleWithin(timeoutMs, readPageTitle(tabs.active().page))
      return typeof title === 'string' ? title : ''
    },
    count: (target) => runOnTab(({ page }) => countMatches(page, target)),
    tabs: sessionTabs.list,
    selectTab: sessionTabs.select,
    readRequest: requests.read,
    dialog: dialogs.current,
    ...createServerMethods(parts, hooks, options),
    async release() {
      tabs.dispose()
      for (const { end } of parts.features) end?.()
      await release()
    },
  } satisfies Omit<OwnedPage, keyof FeaturePage>
  return Object.assign(page, ...parts.features.map(({ members }) => members))
}

// --- internal ---

const createReads = (parts: PageParts) => {
  const { runOnTab, readRedacted, readMasked } = parts
  return {
    title: (deadline) => readRedacted(({ page }) => attempt(readPageTitle(page), browserError), deadline, ok),
    evaluate: (script, arg, target, deadline) =>
      runOnTab(
        (tab) => parts.news.settle().then(() => evaluate(tab, script, arg, target, deadline)),
        () => ({
          result: null,
          notes: ['a dialog or the closing of the tab interrupted the script; its result is lost'],
        }),
      ),
    tree: (options, deadline) => runOnTab((tab) => readTree(tab, options, deadline, parts)),
    screenshot: (options, deadline) =>
      readMasked(deadline, ({ page }) => takeScreenshot(page, options, deadline)),
  } satisfies Partial<OwnedPage>
}

const describeUnreachable = (origin: string): string =>
  `The browser runs on another machine, to which ${origin} is not the dev server of this one. Start the server on an address that the browser reaches, for example with --host 0.0.0.0, and navigate to the address of this machine.`

/** What the page of a session does for the session's dev server. */
function createServerMethods(
  { context, tabs, permissions, httpCache }: PageParts,
  hooks: PageHooks,
  { httpCredentials }: PageOptions,
) {
  return {
    allowPasting: (origin) => permissions.allowPasting(tabs.active(), origin),
    disableCache: async () => void (!hooks.isAttached && (await httpCache.disable())),
    async setServerOrigin(origin) {
      if (hooks.isElsewhere && isLoopbackHost(new URL(origin).hostname))
        hooks.onEntry({ kind: 'page', level: 'warning', text: describeUnreachable(origin) })
      if (httpCredentials)
        await setCredentials(context, { ...httpCredentials, origin: httpCredentials.origin ?? origin })
    },
  } satisfies Partial<OwnedPage>
}

const createStackReport =
  ({ onEntry }: PageHooks) =>
  (stack: string): void => {
    const [frame = ''] = stack.split('\n')
    const message = 'terminated: a script that blocked the page'
    onEntry({
      kind: 'console',
      level: 'error',
      text: `${message} ${frame.trim()}`,
      message,
      data: { stack: `${message}\n${stack}` },
    })
  }
