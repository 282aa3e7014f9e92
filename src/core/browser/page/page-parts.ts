// What the page of a session consists of: the trackers of its context, and what its methods share.

import type { Page } from 'playwright'
import { createSessionTabs } from './session-tabs.ts'
import { createHttpCache } from '../network/http-cache.ts'
import { createPermissions } from '../tab/permissions.ts'
import { watchNetworkRequests } from '../network/network-requests.ts'
import { createDownloadActivity } from '../network/download-activity.ts'
import { saveDownloads } from '../network/save-downloads.ts'
import { watchWebSockets } from '../network/websockets.ts'
import { watchPageEvents } from '../console/page-events.ts'
import { createActionRunner, createTabRunner, type RunOnTab } from './run-on-tab.ts'
import { createNewsReader } from './news-reader.ts'
import type { PageFeature } from './performers.ts'
import { readTree } from './read-tree.ts'
import { createExitWatch } from './exit-watch.ts'
import { numberRefs } from '../playwright/session-refs.ts'
import { createDialogs } from '../tab/dialogs.ts'
import {
  createPageRedaction,
  createSecretRecorder,
  type PageRedaction,
  type RedactValue,
  secretsNotReported,
} from '../tab/page-redaction.ts'
import type { Tab } from '../tab/tab.ts'
import { createTabList } from '../tab/tab-list.ts'
import { focusWindow } from '../actions/editable-fields.ts'
import type { Action } from '../../base/action.ts'
import type { Outcome } from '../../base/failure.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import { err } from '../../base/result.ts'
import type { PageHooks, PageOptions } from '../../sessions/types/browsers.ts'
import type { FeatureParts } from '../../tool/feature.ts'

declare module '../../sessions/types/page.ts' {
  interface Page {
    /** What it is made of: features read and change its tabs with Playwright's own pages. */
    readonly parts: PageParts
  }
}

declare module '../../tool/feature.ts' {
  interface FeatureParts {
    /** Called with the page of each session as it opens. */
    readonly onPage?: (parts: PageParts) => PageFeature
  }
}

export type PageParts = ReturnType<typeof createOwnParts>

/** The time for the page of a download to report its secrets, which the file name may contain. */
const DOWNLOAD_SECRETS_TIMEOUT_MS = 1000

export function createPageParts(
  firstTab: Tab,
  hooks: PageHooks,
  options: PageOptions,
  features: readonly FeatureParts[],
): PageParts {
  const added: PageFeature[] = []
  const parts = createOwnParts(firstTab, hooks, options, added)
  for (const { onPage } of features) if (onPage) added.push(onPage(parts))
  return parts
}

// --- internal ---

function createOwnParts(
  firstTab: Tab,
  hooks: PageHooks,
  options: PageOptions,
  features: readonly PageFeature[],
) {
  const { context } = firstTab
  const { secrets } = hooks
  if (hooks.nextRef) numberRefs(context, hooks.nextRef)
  const report = (text: string, data?: Readonly<Record<string, unknown>>) =>
    hooks.onEntry({ kind: 'page', level: 'info', text, data })
  const tabs = createTabList(firstTab, report)
  const dialogs = createDialogs(context, report)
  const requests = watchNetworkRequests(context, hooks)
  watchWebSockets(context, hooks)
  watchPageEvents(context, hooks.onEntry)
  const onFieldInput = createSecretRecorder(secrets)
  const redaction = createPageRedaction(secrets)
  const downloads = createDownloadActivity(context)
  const collectSecrets = (page: Page) => redaction.isReported(tabs.forPage(page), DOWNLOAD_SECRETS_TIMEOUT_MS)
  saveDownloads(context, hooks, collectSecrets, downloads)
  const permissions = createPermissions(context)
  if (!hooks.isAttached) void permissions.allowCopying(tabs.active())
  const httpCache = createHttpCache(context)
  const runOnTab = createTabRunner({ context, tabs, dialogs, requests, downloads, features, secrets })
  const sessionTabs = createSessionTabs(context, tabs, redaction, hooks.isProxied)
  const exit = createExitWatch(report)
  const news = createNewsReader(tabs, dialogs, (tab, deadline) =>
    readTree(tab, { isInternal: true }, deadline, { redaction, secrets, exit }),
  )
  return {
    hooks,
    options,
    features,
    report,
    context,
    exit,
    news,
    tabs,
    page: (): Page => tabs.active().page,
    sessionTabs,
    dialogs,
    requests,
    downloads,
    permissions,
    httpCache,
    redaction,
    secrets,
    onFieldInput,
    runOnTab,
    runInFront: createActionRunner(runOnTab, news, focusWindow),
    ...createProtectedReads(runOnTab, redaction),
    /** Runs an action, or inputs of a person, as the features want it to run. */
    during: <T>(action: Action | undefined, work: () => Promise<T>): Promise<T> =>
      features.reduceRight((next, { during }) => (during ? () => during(action, next) : next), work)(),
  }
}

/** What may have the secrets of a page waits for them, and redacts or masks them. */
function createProtectedReads(runOnTab: RunOnTab, redaction: PageRedaction) {
  const mask =
    (tab: Tab, deadline: Deadline) =>
    async <T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
      (await redaction.withMasks(tab, deadline.remaining(), work)) ??
      err(secretsNotReported(deadline.timeout))
  return {
    mask,
    readRedacted: <T, R>(
      read: (tab: Tab) => Promise<Outcome<T>>,
      deadline: Deadline,
      redact: RedactValue<T, R>,
    ) => runOnTab((tab) => redaction.reveal(tab, deadline, read(tab), redact)),
    readMasked: <T>(deadline: Deadline, read: (tab: Tab) => Promise<Outcome<T>>) =>
      runOnTab((tab) => mask(tab, deadline)(() => read(tab))),
  }
}
