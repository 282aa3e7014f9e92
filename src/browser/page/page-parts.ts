// What the page of a session consists of: the trackers of its context, and what its methods share.

import { createSessionMocks, mockRefusalOf } from './session-mocks.ts'
import { createTabRunner } from './run-on-tab.ts'
import { createSessionTabs } from './session-tabs.ts'
import { createEmulation } from '../emulation/session-emulation.ts'
import { createPermissions } from '../emulation/permissions.ts'
import { watchNetworkRequests } from '../network/network-requests.ts'
import { saveDownloads } from '../network/save-downloads.ts'
import { watchWebSockets } from '../network/websockets.ts'
import { watchPageEvents } from '../observe/page-events.ts'
import { createDialogs } from '../tab/dialogs.ts'
import { createPageRedaction, createSecretRecorder } from '../tab/page-redaction.ts'
import type { Tab } from '../tab/tab.ts'
import { createTabList } from '../tab/tab-list.ts'
import type { PageHooks, PageOptions } from '../../runtime/ports/browsers.ts'

export type PageParts = ReturnType<typeof createPageParts>

/** The time for the page of a download to report its secrets, which the file name may contain. */
const DOWNLOAD_SECRETS_TIMEOUT_MS = 1000

export function createPageParts(firstTab: Tab, hooks: PageHooks, options: PageOptions) {
  const { context } = firstTab
  const { secrets } = hooks
  const report = (text: string) => hooks.onEntry({ kind: 'page', level: 'info', text })
  const tabs = createTabList(firstTab, report)
  const dialogs = createDialogs(context, report)
  const requests = watchNetworkRequests(context, hooks)
  watchWebSockets(context, hooks)
  watchPageEvents(context, hooks.onEntry)
  const onFieldInput = createSecretRecorder(secrets)
  const redaction = createPageRedaction(secrets)
  saveDownloads(context, hooks, (page) =>
    redaction.isReported(tabs.forPage(page), DOWNLOAD_SECRETS_TIMEOUT_MS),
  )
  const permissions = createPermissions(context)
  const emulation = createEmulation(context, permissions, (page) => tabs.forPage(page).recovery.cdp)
  const runOnTab = createTabRunner(context, tabs, dialogs, requests, emulation)
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
    isElsewhere: hooks.isElsewhere ?? false,
  }
}
