// What the page of a session consists of: the trackers of its context, and what its methods share.

import type { BrowserContext } from 'playwright'
import { createSessionMocks, mockRefusalOf, type SessionMocks } from './page-mocks.ts'
import { createTabRunner, type RunOnTab } from './run-on-tab.ts'
import { createSessionTabs, type SessionTabs } from './tab-actions.ts'
import { createEmulation, type SessionEmulation } from '../emulation/session-emulation.ts'
import { createPermissions, type Permissions } from '../emulation/permissions.ts'
import { watchNetworkRequests, type NetworkRequests } from '../network/network-requests.ts'
import { watchRequestQuietTime } from '../network/pending-requests.ts'
import { saveDownloads } from '../network/save-downloads.ts'
import { watchWebSockets } from '../network/websockets.ts'
import { watchPageEvents } from '../observe/page-events.ts'
import { createDialogs, type Dialogs } from '../tab/dialogs.ts'
import {
  createPageRedaction,
  createSecretRecorder,
  type OnFieldInput,
  type PageRedaction,
} from '../tab/page-redaction.ts'
import type { Tab } from '../tab/tab.ts'
import { createTabList, type TabList } from '../tab/tab-list.ts'
import type { PageHooks, PageOptions, SecretHooks } from '../../runtime/ports/browsers.ts'

export interface PageParts {
  readonly context: BrowserContext
  readonly tabs: TabList
  readonly sessionTabs: SessionTabs
  readonly dialogs: Dialogs
  readonly requests: NetworkRequests
  readonly permissions: Permissions
  readonly emulation: SessionEmulation
  readonly mocks: SessionMocks
  readonly redaction: PageRedaction
  readonly secrets: SecretHooks | undefined
  readonly onFieldInput: OnFieldInput
  /** Runs work once the tabs that were just opened have the settings of the session. */
  readonly runOnTab: RunOnTab
}

/** The time for the page of a download to report its secrets, which the file name may contain. */
const DOWNLOAD_SECRETS_TIMEOUT_MS = 1000

export function createPageParts(firstTab: Tab, hooks: PageHooks, options: PageOptions): PageParts {
  const { context } = firstTab
  const { secrets } = hooks
  const report = (text: string) => hooks.onEntry({ kind: 'page', level: 'info', text })
  const tabs = createTabList(firstTab, report)
  const dialogs = createDialogs(context, report)
  const requests = watchNetworkRequests(context, hooks)
  watchRequestQuietTime(context)
  watchWebSockets(context, hooks)
  watchPageEvents(context, hooks.onEntry)
  const onFieldInput = createSecretRecorder(secrets)
  const redaction = createPageRedaction(secrets)
  saveDownloads(context, hooks, (page) =>
    redaction.isReported(tabs.forPage(page), DOWNLOAD_SECRETS_TIMEOUT_MS),
  )
  const permissions = createPermissions(context)
  const emulation = createEmulation(context, permissions, (page) => tabs.forPage(page).recovery.cdp)
  const runOnAnyTab = createTabRunner(context, tabs, dialogs, requests)
  const runOnTab: RunOnTab = (work, interruptedValue) =>
    runOnAnyTab(async (tab) => {
      await emulation.waitForNewTabs()
      return work(tab)
    }, interruptedValue)
  const mocks = createSessionMocks(context, hooks, requests.markMock, mockRefusalOf(context, hooks, options))
  const sessionTabs = createSessionTabs(context, tabs, redaction, hooks.isProxied)
  return {
    context,
    tabs,
    sessionTabs,
    dialogs,
    requests,
    permissions,
    emulation,
    mocks,
    redaction,
    secrets,
    onFieldInput,
    runOnTab,
  }
}
