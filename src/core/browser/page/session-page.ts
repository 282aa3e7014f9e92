// The active page of one session, as tools use it: the methods for the active tab, and what belongs to all tabs of the context.

import { setCredentials } from '../tab/prepare-context.ts'
import { withoutPrivateKey } from '../../base/storage.ts'
import { createPageParts, type PageParts } from './page-parts.ts'
import { createPageReads } from './page-reads.ts'
import { createPerform } from './perform.ts'
import { type TabList } from '../tab/tab-list.ts'
import { captureState, replaceState } from '../../../features/states/stored-state.ts'
import { isNamed, readPasskeys } from '../../../features/states/passkeys.ts'
import { type Tab, urlOf } from '../tab/tab.ts'
import { startTrace, stopTrace } from '../tab/tracing.ts'
import { changeOriginStorage } from '../../../features/states/origin-storage.ts'
import { captureFailureView } from '../../../features/evidence/failure-view.ts'
import { scaleImages } from '../screenshot/screenshot.ts'
import { attempt, browserError } from '../playwright/errors.ts'
import type { Failure } from '../../base/failure.ts'
import { isLoopbackHost } from '../../base/network/http-guard.ts'
import type { Action } from '../../base/action.ts'
import { err, map, ok } from '../../base/result.ts'
import type { OwnedPage, PageHooks, PageOptions } from '../../sessions/types/browsers.ts'
import type { Page } from '../../sessions/types/page.ts'
import type { FeatureParts } from '../../tool/feature.ts'
import { takeAwaitedDownload } from '../playwright/awaited-downloads.ts'
import { countMatches } from '../snapshot/aria-snapshot.ts'
import { isPending } from '../snapshot/later-changes.ts'
import { waitForAnimations, waitForActionEffects, waitForOutput } from '../tab/page-activity.ts'
import { hasServerMarks, isSecretElement } from '../in-page/generated.ts'
import { findFocusedElement } from '../actions/editable-fields.ts'
import { createElementFinder } from '../../../features/view/element-at-point.ts'
import { createFrames } from '../../../features/view/frames.ts'
import { createPersonInputs } from '../../../features/view/person-input.ts'
import { noticePerson } from '../../../features/view/notice-person.ts'
import type { PageVideo } from '../../../features/video/record-video.ts'
import { describeElement, describeSelector } from '../../../features/lib/recording/recorded-element.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

/** `release` must free everything that was opened for the page, and its browser if it has its own. */
export function createSessionPage(
  firstTab: Tab,
  hooks: PageHooks,
  options: PageOptions,
  features: readonly FeatureParts[],
  release: () => Promise<void>,
): OwnedPage {
  const parts = createPageParts(firstTab, hooks, options)
  const { context, tabs, sessionTabs, dialogs, requests, downloads, mocks, redaction, runOnTab } = parts
  const viewing = createViewing(parts)
  const perform = createPerform(parts, features)
  return {
    ...viewing.methods,
    perform: (action, deadline) =>
      viewing.show(action, () => perform(action, deadline)).finally(viewing.noteAction),
    url: () => urlOf(tabs.active().page),
    number: () => requests.numberOf(tabs.active().page),
    ...createPageReads(parts),
    ...createStorageMethods(parts, hooks),
    ...createFailureMethods(parts, hooks),
    ...createRecordedPage(tabs),
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
    waitForAnimations: () => waitForAnimations(tabs.active().page),
    waitForOutput: async () => (dialogs.current() ? undefined : waitForOutput(tabs.active())),
    count: (target) => runOnTab(({ page }) => countMatches(page, target)),
    tabs: sessionTabs.list,
    selectTab: sessionTabs.select,
    startHar: mocks.startHar,
    stopHar: mocks.stopHar,
    readRequest: requests.read,
    readFailedBody: requests.readFailedBody,
    readScript: requests.readScript,
    dialog: dialogs.current,
    startTrace: () => startTrace(context, hooks.onEntry),
    stopTrace: (path, then) => stopTrace(context, path, then),
    ...createServerMethods(parts, hooks, options),
    facts() {
      const version = context.browser()?.version()
      const size = tabs.active().page.viewportSize()
      return { ...(version && { version }), ...(size && { viewport: `${size.width} × ${size.height}` }) }
    },
    async release() {
      tabs.dispose()
      viewing.end()
      await release()
    },
  }
}

// --- internal ---

const describeUnreachable = (origin: string): string =>
  `The browser runs on another machine, to which ${origin} is not the dev server of this one. Start the server on an address that the browser reaches, for example with --host 0.0.0.0, and navigate to the address of this machine.`

const ATTACHED_STATE: Failure = {
  code: 'BROWSER_ERROR',
  text: "this session is in the user's own browser, whose cookies are not all its own",
  next: 'Use the actions read, set and clear, which are for the current origin.',
}

const entryWriterOf =
  ({ onEntry }: PageHooks) =>
  (text: string): void =>
    onEntry({ kind: 'page', level: 'info', text })

function createStorageMethods({ runOnTab, context }: PageParts, hooks: PageHooks) {
  const { isAttached = false } = hooks
  return {
    captureState: () => captureState(context, entryWriterOf(hooks)),
    storageState: () =>
      runOnTab(async () => (isAttached ? err(ATTACHED_STATE) : captureState(context, entryWriterOf(hooks)))),
    setStorageState: (state) =>
      runOnTab(async () =>
        isAttached ? err(ATTACHED_STATE) : attempt(replaceState(context, state), browserError),
      ),
    readPasskeys: (name) =>
      runOnTab(async () => {
        const passkeys = await attempt(readPasskeys(context), browserError)
        return map(passkeys, (all) => all.filter((passkey) => isNamed(passkey, name)).map(withoutPrivateKey))
      }),
    readStorage: (query) => runOnTab((tab) => changeOriginStorage(tab, 'read', query)),
  } satisfies Partial<OwnedPage>
}

/** What the page of a session does for the session's dev server. */
function createServerMethods(
  { context, tabs, permissions, mocks, httpCache }: PageParts,
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
    async applyMocks() {
      const applied = await mocks.apply()
      await httpCache.keepDisabled()
      return applied
    },
  } satisfies Partial<OwnedPage>
}

function createFailureMethods({ tabs, dialogs, redaction, secrets }: PageParts, { onEntry }: PageHooks) {
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
    scaleImages: (images, maximumPixels, timeoutMs) =>
      scaleImages(tabs.active().page, images, maximumPixels, timeoutMs),
  } satisfies Partial<OwnedPage>
}

/** The methods for people who watch the session or have it. */
function createViewing(parts: PageParts) {
  const { context, tabs, dialogs, runOnTab } = parts
  const frames = createFrames(tabs, dialogs)
  const inputs = createPersonInputs()
  const findElement = createElementFinder()
  let video: PageVideo | undefined
  /** Runs an action, or inputs of a person, in the video if one is recorded. */
  const show = <T>(action: Action | undefined, work: () => Promise<T>): Promise<T> =>
    video ? video.during(action, work) : work()
  return {
    noteAction() {
      parts.exit.noteAction()
      frames.noteAction()
    },
    end: frames.end,
    show,
    methods: {
      nextFrame: frames.next,
      async recordVideo(captions) {
        const { recordVideo } = await import('../../../features/video/record-video.ts')
        return map(await recordVideo(parts, captions), (recording) => (video = recording))
      },
      performInput(list) {
        let isInterrupted = false
        const interrupt = () => void (isInterrupted = true)
        const performing = show(undefined, () =>
          runOnTab(({ page }) => inputs.perform(page, list, () => isInterrupted), interrupt),
        )
        return performing.finally(frames.noteInput)
      },
      releaseInput: inputs.release,
      noticePerson: (onEvent) =>
        noticePerson(
          context,
          {
            pages: tabs.all().map(([, { page }]) => page),
            idOf: (page) => tabs.idOf(tabs.forPage(page)),
          },
          onEvent,
        ),
      async elementAt(point, deadline) {
        const dialog = dialogs.current()
        if (dialog) return err({ code: 'DIALOG_OPEN', ...dialog })
        return ok(await findElement(tabs.active().page, point, deadline.remaining()))
      },
    } satisfies Partial<OwnedPage>,
  }
}

const READ_TIMEOUT_MS = 500

/** The methods for a recording. They do not wait for the turn of an action, because they run beside it. */
const createRecordedPage = (tabs: TabList) =>
  ({
    describeElement: (target, deadline, purpose) =>
      describeElement(tabs.active().page, target, deadline, purpose),
    describeSelector: (selector) => describeSelector(tabs.active().page, selector),
    async isSecretFocused() {
      const reading = findFocusedElement(tabs.active().page).then((element) =>
        element?.evaluate(isSecretElement),
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
  }) satisfies Partial<Page>
