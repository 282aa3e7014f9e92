// Performs actions on the page of a session: one entry for every kind.

import type { PageParts } from './page-parts.ts'
import { readTree } from './page-reads.ts'
import { createActionRunners } from './run-on-tab.ts'
import { click } from '../actions/click.ts'
import { fill, submit } from '../actions/fill.ts'
import { drag, hover } from '../actions/hover-and-drag.ts'
import { runMouseAction } from '../actions/mouse.ts'
import { history, navigate } from '../actions/navigate.ts'
import { changeOriginStorage } from '../actions/origin-storage.ts'
import { pressKey } from '../actions/press-key.ts'
import { selectOptions } from '../actions/select.ts'
import { type } from '../actions/type.ts'
import { upload } from '../actions/upload.ts'
import { waitFor } from '../actions/wait-for-condition.ts'
import { awaitNavigation } from '../tab/navigation-watch.ts'
import type { PageRedaction } from '../tab/page-redaction.ts'
import { type Tab, urlOf } from '../tab/tab.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { ActionKind, ActionOf, ActionResults, NavigationResult } from '../../core/recording/action.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page.ts'

export function createPerform(parts: PageParts): Page['perform'] {
  const performers: Performers = {
    ...createInputs(parts),
    ...createNavigation(parts),
    ...createSettings(parts),
  }
  return (action, deadline) => performers[action.kind](action, deadline)
}

// --- internal ---

type Performers = {
  readonly [K in ActionKind]: (action: ActionOf<K>, deadline: Deadline) => Promise<Outcome<ActionResults[K]>>
}

const noNote = () => ''
const noValue = () => {}

/** What a person does with the mouse and the keyboard. */
function createInputs({ runOnTab, requests, onFieldInput }: PageParts) {
  const { runOn, runInFront } = createActionRunners(runOnTab)
  return {
    click: ({ element, options }, deadline) =>
      runInFront([element], (tab) => click(tab, element, options, deadline, requests.scripts), noNote),
    type: ({ element, text, ...options }, deadline) =>
      runInFront(
        [element],
        (tab) => {
          const typeText = () => type(tab, element, text, options, deadline, onFieldInput)
          return options.submit ? awaitNavigation(tab, typeText) : typeText()
        },
        () => ({ note: '' }),
      ),
    fill: ({ element, value }, deadline) =>
      runInFront([element], (tab) => fill(tab, element, value, deadline, onFieldInput), noValue),
    submit: ({ element }, deadline) =>
      runInFront([], (tab) => awaitNavigation(tab, () => submit(tab.page, element, deadline)), noValue),
    select: ({ element, values }, deadline) =>
      runInFront(
        [element],
        ({ page }) => selectOptions(page, element, values, deadline),
        () => values,
      ),
    hover: ({ element }, deadline) => runOn([element], (tab) => hover(tab, element, deadline), noValue),
    drag: ({ element, to }, deadline) =>
      runInFront([element, to], ({ page }) => drag(page, element, to, deadline), noNote),
    press: ({ key, element, holdMs = 0 }, deadline) =>
      runInFront(
        [element],
        (tab) => awaitNavigation(tab, () => pressKey(tab.page, key, element, holdMs, deadline)),
        noValue,
      ),
    mouse: ({ action }, deadline) =>
      runInFront(
        [],
        (tab) => awaitNavigation(tab, () => runMouseAction(tab.page, action, deadline)),
        () => ({ element: '', note: '' }),
      ),
    upload: ({ element, ...files }, deadline) =>
      runOn(
        [element],
        (tab) => upload(tab, element, files, deadline),
        () => 'chosen',
      ),
  } satisfies Partial<Performers>
}

function createNavigation(parts: PageParts) {
  const { runOnTab, tabs, sessionTabs, dialogs, redaction, secrets } = parts
  const interrupted = () => ({ title: '', url: urlOf(tabs.active().page), status: 0 })
  return {
    navigate: ({ url, waitUntil = 'load' }, deadline) => {
      const navigating = runOnTab((tab) => navigate(tab, url, waitUntil, deadline), interrupted)
      return completeNavigation(navigating, deadline, parts)
    },
    history: ({ direction }, deadline) => {
      const navigating = runOnTab((tab) => history(tab, direction, deadline), interrupted)
      return completeNavigation(navigating, deadline, parts)
    },
    check: ({ condition }, deadline) =>
      runOnTab(async (tab) => {
        const target = condition.element?.target
        const readTargetTree = () =>
          readTree(tab, { ...(target && { target }) }, deadline, redaction, secrets)
        const outcome = await waitFor(tab.page, condition, deadline, readTargetTree)
        return outcome.ok ? outcome : err(await withReportedValues(tab, outcome.error, redaction))
      }),
    dialog: ({ accept, promptText }, deadline) => dialogs.answer(accept, promptText, deadline),
    openTab: () => sessionTabs.open(),
    closeTab: ({ id }) => sessionTabs.close(id),
  } satisfies Partial<Performers>
}

/** What the session pretends to its pages, and what they have stored. */
const createSettings = ({ runOnTab, emulation, mocks }: PageParts) =>
  ({
    emulate: ({ change }) => runOnTab((tab) => emulation.emulate(tab, change)),
    mock: () => mocks.apply(),
    push: ({ push }, deadline) => mocks.push(push, deadline),
    clock: ({ time }) => mocks.setFixedTime(time),
    seed: ({ seed }) => mocks.seedRandom(seed),
    storage: ({ change, query, value }) => runOnTab((tab) => changeOriginStorage(tab, change, query, value)),
  }) satisfies Partial<Performers>

async function completeNavigation(
  navigating: Promise<Outcome<NavigationResult>>,
  deadline: Deadline,
  { tabs, dialogs, redaction, emulation }: PageParts,
): Promise<Outcome<NavigationResult>> {
  const outcome = markOffline(await navigating, emulation.isOffline())
  const openDialog = dialogs.current()
  // A page that asks whether it may be left has not been left.
  if (openDialog?.type === 'beforeunload') return err<Failure>({ code: 'DIALOG_OPEN', ...openDialog })
  return openDialog ? outcome : redaction.redactTitle(tabs.active(), outcome, deadline)
}

const OFFLINE_REASON = /DISCONNECTED|OFFLINE/

function markOffline(outcome: Outcome<NavigationResult>, isOffline: boolean): Outcome<NavigationResult> {
  if (outcome.ok || outcome.error.code !== 'NAVIGATION_FAILED' || !isOffline) return outcome
  return OFFLINE_REASON.test(outcome.error.reason) ? err({ ...outcome.error, isOffline: true }) : outcome
}

/** The time for the page to report its secrets, which a failure may quote. */
const SECRETS_TIMEOUT_MS = 1000

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
