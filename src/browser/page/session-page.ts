// The active page of one session, as tools use it: the methods for the active tab, and what belongs to all tabs of the context.

import type { BrowserContext } from 'playwright'
import { createDialogs, type Dialogs } from '../tab/dialogs.ts'
import { createPageActions } from './page-actions.ts'
import { createPageMocks, mockRefusalOf } from './page-mocks.ts'
import { createPageNavigation } from './page-navigation.ts'
import { createPageReads } from './page-reads.ts'
import { createRecordedPage } from './recorded-page.ts'
import { createPageWaits } from './page-waits.ts'
import { createTabRunner, type RunOnTab } from './run-on-tab.ts'
import { createTabActions } from './tab-actions.ts'
import { createTabList, type TabList } from '../tab/tab-list.ts'
import type { Tab } from '../tab/tab.ts'
import { startTrace, stopTrace } from '../tab/tracing.ts'
import { changeOriginStorage } from '../actions/origin-storage.ts'
import { createEmulation, type SessionEmulation } from '../emulation/emulation.ts'
import { createPermissions } from '../emulation/permissions.ts'
import { watchNetworkRequests } from '../network/network-requests.ts'
import { watchRequestQuietTime } from '../network/request-quiet-time.ts'
import { saveDownloads } from '../network/save-downloads.ts'
import { watchWebSockets } from '../network/websockets.ts'
import { captureFailureView } from '../observe/failure-view.ts'
import { watchPageEvents } from '../observe/page-events.ts'
import { captureState } from './capture-state.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { setCredentials } from '../tab/prepare-context.ts'
import { createPageRedaction, type PageRedaction } from '../secrets/page-redaction.ts'
import { createSecretRecorder } from '../secrets/typed-secrets.ts'
import type { Failure } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { OwnedPage, PageHooks, PageOptions } from '../../runtime/ports/browsers.ts'
import type { StorageState } from '../../runtime/ports/page/storage-state.ts'

/** The time for the page of a download to report its secrets, which the file name may contain. */
const DOWNLOAD_SECRETS_TIMEOUT_MS = 1000

/** `release` must free everything that was opened for the page, and its browser if it has its own. */
export function createSessionPage(
  firstTab: Tab,
  hooks: PageHooks,
  options: PageOptions,
  release: () => Promise<void>,
): OwnedPage {
  const { context } = firstTab
  const { secrets } = hooks
  const { httpCredentials } = options
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
  const runOnTab = afterEmulation(createTabRunner(context, tabs, dialogs, requests), emulation)

  return {
    ...createPageNavigation(runOnTab, tabs, dialogs, redaction, emulation.isOffline),
    ...createPageActions(runOnTab, requests.scripts, onFieldInput),
    ...createPageReads(runOnTab, redaction, secrets),
    ...createPageWaits(runOnTab, tabs, dialogs, requests, redaction, secrets),
    ...createTabActions(context, tabs, redaction, hooks.isProxied),
    ...createContextMethods(runOnTab, context, emulation, hooks.isAttached),
    ...createPageMocks(context, hooks, requests.markMock, mockRefusalOf(context, hooks, options)),
    ...createFailureMethods(tabs, dialogs, redaction, hooks),
    ...createRecordedPage(tabs),
    readRequest: requests.read,
    readFailedBody: requests.readFailedBody,
    readScript: requests.readScript,
    dialog: dialogs.current,
    answerDialog: dialogs.answer,
    captureState: () => captureState(context),
    allowClipboard: (origin) => permissions.allowClipboard(tabs.active(), origin),
    async setServerOrigin(origin) {
      if (httpCredentials) await setCredentials(context, { origin, ...httpCredentials })
    },
    async release() {
      tabs.dispose()
      await release()
    },
  }
}

// --- internal ---

const ATTACHED_STATE: Failure = {
  code: 'BROWSER_ERROR',
  text: "this session is in the user's own browser, whose cookies are not all its own",
  next: 'Use the actions read, set and clear, which are for the current origin.',
}
/** Runs work once the tabs that were just opened have the settings of the session. */
const afterEmulation =
  (runOnTab: RunOnTab, { waitForNewTabs }: SessionEmulation): RunOnTab =>
  (work, interruptedValue) =>
    runOnTab(async (tab) => {
      await waitForNewTabs()
      return work(tab)
    }, interruptedValue)

function createContextMethods(
  runOnTab: RunOnTab,
  context: BrowserContext,
  emulation: SessionEmulation,
  isAttached = false,
): Pick<
  OwnedPage,
  'emulate' | 'storageState' | 'setStorageState' | 'changeStorage' | 'startTrace' | 'stopTrace'
> {
  return {
    emulate: (change) => runOnTab((tab) => emulation.emulate(tab, change)),
    storageState: () =>
      runOnTab(async () =>
        isAttached
          ? err(ATTACHED_STATE)
          : attempt(context.storageState() as Promise<StorageState>, browserError),
      ),
    setStorageState: (state) =>
      runOnTab(async () =>
        isAttached
          ? err(ATTACHED_STATE)
          : attempt(
              context.setStorageState(state as Parameters<typeof context.setStorageState>[0]),
              browserError,
            ),
      ),
    changeStorage: (action, query, value) =>
      runOnTab((tab) => changeOriginStorage(tab, action, query, value)),
    startTrace: () => startTrace(context),
    stopTrace: (path, then) => stopTrace(context, path, then),
  }
}

function createFailureMethods(
  tabs: TabList,
  dialogs: Dialogs,
  redaction: PageRedaction,
  { secrets, onEntry }: PageHooks,
): Pick<OwnedPage, 'recover' | 'viewFailure'> {
  const reportStack = (stack: string) => {
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
  return {
    // A page with an open dialog does not respond either; its dialog is what it waits for.
    recover: async () => (dialogs.current() ? 'answering' : tabs.active().recovery.recover(reportStack)),
    async viewFailure(options, timeoutMs) {
      const openDialog = dialogs.current()
      if (openDialog) return { missing: { screenshot: `a ${openDialog.type} dialog is open` } }
      const tab = tabs.active()
      const capture = async () =>
        captureFailureView(tab.page, await tab.recovery.cdp, options, timeoutMs, secrets)
      if (options.maximumPixels <= 0) return capture()
      const missing = { page: `it did not report its secret fields within ${timeoutMs} ms` }
      return (await redaction.withMasks(tab, timeoutMs, capture)) ?? { missing }
    },
  }
}
