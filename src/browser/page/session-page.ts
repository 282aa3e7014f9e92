// The active page of one session, as tools use it: the methods for the active tab, and what belongs to all tabs of the context.

import type { BrowserContext } from 'playwright'
import { createDialogs, type Dialogs } from '../tab/dialogs.ts'
import { createPageActions } from './page-actions.ts'
import { createPageMocks, mockRefusalOf } from './page-mocks.ts'
import { createPageReads, readTree } from './page-reads.ts'
import { createTabRunner, type RunOnTab } from './run-on-tab.ts'
import { createTabActions } from './tab-actions.ts'
import { createTabList, type TabList } from '../tab/tab-list.ts'
import { type Tab, captureState, urlOf } from '../tab/tab.ts'
import { startTrace, stopTrace } from '../tab/tracing.ts'
import { changeOriginStorage } from '../actions/origin-storage.ts'
import { createEmulation, type SessionEmulation } from '../emulation/emulation.ts'
import { createPermissions } from '../emulation/permissions.ts'
import { watchNetworkRequests, type NetworkRequests } from '../network/network-requests.ts'
import { watchRequestQuietTime } from '../network/pending-requests.ts'
import { saveDownloads } from '../network/save-downloads.ts'
import { watchWebSockets } from '../network/websockets.ts'
import { captureFailureView } from '../observe/failure-view.ts'
import { watchPageEvents } from '../observe/page-events.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import { setCredentials } from '../emulation/page-defaults.ts'
import { createPageRedaction, type PageRedaction, createSecretRecorder } from '../tab/page-redaction.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { OwnedPage, PageHooks, PageOptions, SecretHooks } from '../../runtime/ports/browsers.ts'
import type { StorageState, RecordedPage } from '../../runtime/ports/page-values.ts'
import { history, navigate } from '../actions/navigate.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { NavigationResult, Page } from '../../runtime/ports/page.ts'
import { waitFor } from '../actions/wait-for.ts'
import { countMatches } from '../observe/aria-snapshot.ts'
import { waitForAnimations, waitForActionEffects } from '../tab/settle.ts'
import { hasServerMarks } from '../in-page/observe/watch-actions.ts'
import { describeField } from '../in-page/actions/actionability.ts'
import { isSecretElement } from '../in-page/observe/secret-fields.ts'
import { findFocusedElement } from '../actions/editable-fields.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { composedIsSecretField } from '../tab/secret-field.ts'
import { describeElement, describeSelector } from '../recording/describe-element.ts'
import { settleWithin } from '../../runtime/system/settle-within.ts'

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

/** The methods that navigate the active tab. */
function createPageNavigation(
  runOnTab: RunOnTab,
  tabs: TabList,
  dialogs: Dialogs,
  redaction: PageRedaction,
  isOffline: () => boolean,
): Pick<Page, 'url' | 'navigate' | 'history'> {
  const url = () => urlOf(tabs.active().page)
  const interruptedValue = () => ({ title: '', url: url(), status: 0 })

  async function redactTitle(
    navigating: Promise<Outcome<NavigationResult>>,
    deadline: Deadline,
  ): Promise<Outcome<NavigationResult>> {
    const outcome = markOffline(await navigating, isOffline())
    const openDialog = dialogs.current()
    // A page that asks whether it may be left has not been left.
    if (openDialog?.type === 'beforeunload') return err<Failure>({ code: 'DIALOG_OPEN', ...openDialog })
    return openDialog ? outcome : redaction.redactTitle(tabs.active(), outcome, deadline)
  }

  return {
    url,
    navigate: (address, waitUntil, deadline) =>
      redactTitle(
        runOnTab((tab) => navigate(tab, address, waitUntil, deadline), interruptedValue),
        deadline,
      ),
    history: (direction, deadline) =>
      redactTitle(
        runOnTab((tab) => history(tab, direction, deadline), interruptedValue),
        deadline,
      ),
  }
}

const OFFLINE_REASON = /DISCONNECTED|OFFLINE/

function markOffline(outcome: Outcome<NavigationResult>, isOffline: boolean): Outcome<NavigationResult> {
  if (outcome.ok || outcome.error.code !== 'NAVIGATION_FAILED' || !isOffline) return outcome
  return OFFLINE_REASON.test(outcome.error.reason) ? err({ ...outcome.error, isOffline: true }) : outcome
}

// The methods that wait for the page, and those that tell what it is about to do.
/** The time for the page to report its secrets, which a failure may quote. */
const SECRETS_TIMEOUT_MS = 1000

function createPageWaits(
  runOnTab: RunOnTab,
  tabs: TabList,
  dialogs: Dialogs,
  requests: NetworkRequests,
  redaction: PageRedaction,
  secrets: SecretHooks | undefined,
): Pick<OwnedPage, 'count' | 'waitFor' | 'isReported' | 'settle' | 'waitForAnimations'> {
  return {
    count: (target) => runOnTab(({ page }) => countMatches(page, target)),
    waitFor: (condition, deadline) =>
      runOnTab(async (tab) => {
        const target = condition.element?.target
        const readTargetTree = () =>
          readTree(tab, { ...(target && { target }) }, deadline, redaction, secrets)
        const outcome = await waitFor(tab.page, condition, deadline, readTargetTree)
        return outcome.ok ? outcome : err(await withReportedValues(tab, outcome.error, redaction))
      }),
    // While a dialog is open the page does not answer, and does not change either.
    isReported: async (timeoutMs) =>
      Boolean(dialogs.current()) || redaction.isReported(tabs.active(), timeoutMs),
    settle: async (_deadline, end) =>
      dialogs.current() ? [] : waitForActionEffects(tabs.active(), requests, dialogs, end),
    waitForAnimations: () => waitForAnimations(tabs.active().page),
  }
}

// What a wait observed is shown only if its secrets are known.
async function withReportedValues(tab: Tab, failure: Failure, redaction: PageRedaction): Promise<Failure> {
  if (
    failure.code !== 'TIMEOUT' ||
    !failure.observed ||
    (await redaction.isReported(tab, SECRETS_TIMEOUT_MS))
  )
    return failure
  const { observed: _, ...rest } = failure
  return rest
}

const READ_TIMEOUT_MS = 500
const composedIsSecretElement = composeInPage(isSecretElement, {
  describeField,
  isSecretField: composedIsSecretField,
})

/** The methods for a recording. They do not wait for the turn of an action, because they run beside it. */
const createRecordedPage = (tabs: TabList): RecordedPage => ({
  describeElement: (target, deadline, purpose) =>
    describeElement(tabs.active().page, target, deadline, purpose),
  describeSelector: (selector) => describeSelector(tabs.active().page, selector),
  async isSecretFocused() {
    const reading = findFocusedElement(tabs.active().page).then((element) =>
      element?.evaluate(composedIsSecretElement),
    )
    return (await settleWithin(READ_TIMEOUT_MS, reading)) === true
  },
  async isServerRendered() {
    const { page, recovery } = tabs.active()
    const cdp = await recovery.cdp
    const expression = `(${hasServerMarks})()`
    // Playwright would first load its script into the new document, which takes 20 ms.
    const reading = cdp
      ? cdp.send('Runtime.evaluate', { expression, returnByValue: true }).then(({ result }) => result.value)
      : page.evaluate(expression)
    return (await settleWithin(READ_TIMEOUT_MS, reading)) === true
  },
  tabIds: () => ({ active: tabs.idOf(tabs.active()), all: tabs.all().map(([id]) => id) }),
})
