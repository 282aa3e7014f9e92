// Performs actions on the page of a session: one entry for every kind.

import { createActionRunner } from './run-on-tab.ts'
import type { PageParts } from './page-parts.ts'
import type { FeaturePerformers, Performers } from './performers.ts'
import { readTree } from './read-tree.ts'
import { click } from '../actions/click.ts'
import { fill, submit } from '../actions/fill.ts'
import { drag, hover } from '../actions/hover-and-drag.ts'
import { runMouseAction } from '../actions/mouse.ts'
import { history, navigate } from '../actions/navigate.ts'
import { pressKey } from '../actions/press-key.ts'
import { selectOptions } from '../actions/select.ts'
import { type } from '../actions/type.ts'
import { upload } from '../actions/upload.ts'
import { waitFor } from '../checks/wait-for-condition.ts'
import { nameNearestText } from '../snapshot/name-matches.ts'
import { awaitNavigation } from '../tab/page-activity.ts'
import type { PageRedaction } from '../tab/page-redaction.ts'
import { type Tab, urlOf } from '../tab/tab.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err } from '../../base/result.ts'
import { isLoopbackHost } from '../../base/network/http-guard.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import type { ActionKind, NavigationResult } from '../../base/action.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Page } from '../../sessions/types/page.ts'

export function createPerform(parts: PageParts): Page['perform'] {
  const { features } = parts
  const inputs = createInputs(parts)
  const added: FeaturePerformers = Object.assign(
    {},
    ...features.flatMap((feature) => [feature.inputs, feature.performers]),
  )
  const performers: Performers<ActionKind> = { ...inputs, ...createNavigation(parts), ...added }
  const isInput = (kind: ActionKind) =>
    kind in inputs || features.some((feature) => kind in (feature.inputs ?? {}))
  return async (action, deadline) => {
    const { kind } = action
    if (!(kind in performers)) throw new Error(`No feature in the list performs the action ${kind}.`)
    // An input finds its elements meanwhile.
    if (!isInput(kind)) await parts.news.settle()
    return performers[kind](action, deadline)
  }
}

// --- internal ---

const noNote = () => ''
const noValue = () => {}

/** What a person does with the mouse and the keyboard. */
function createInputs({ runOnTab, runInFront, requests, onFieldInput, news }: PageParts) {
  const runOn = createActionRunner(runOnTab, news)
  return {
    click: ({ element, options }, deadline) =>
      runInFront([element], (tab) => click(tab, element, options, deadline, requests.scriptQuietMs), noNote),
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
  } satisfies Partial<Performers<ActionKind>>
}

function createNavigation(parts: PageParts) {
  const { runOnTab, tabs, sessionTabs, dialogs, redaction } = parts
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
        const readTargetTree = () => readTree(tab, { target }, deadline, parts)
        const outcome = await waitFor(tab.page, condition, deadline, readTargetTree)
        if (outcome.ok) return outcome
        const { text } = condition
        const failure =
          text === undefined ? outcome.error : await nameNearestText(tab.page, text, outcome.error)
        return err(await withReportedValues(tab, failure, redaction))
      }),
    dialog: ({ accept, promptText }, deadline) => dialogs.answer(accept, promptText, deadline),
    openTab: () => sessionTabs.open(),
    closeTab: ({ id }) => sessionTabs.close(id),
  } satisfies Partial<Performers<ActionKind>>
}

async function completeNavigation(
  navigating: Promise<Outcome<NavigationResult>>,
  deadline: Deadline,
  { tabs, dialogs, redaction, hooks }: PageParts,
): Promise<Outcome<NavigationResult>> {
  const result = await navigating
  const outcome = result.ok ? result : err(addCause(result.error, hooks.isElsewhere))
  const openDialog = dialogs.current()
  // A page that asks whether it may be left has not been left.
  if (openDialog?.type === 'beforeunload') return err<Failure>({ code: 'DIALOG_OPEN', ...openDialog })
  return openDialog ? outcome : redaction.redactTitle(tabs.active(), outcome, deadline)
}

/** What a failed navigation failed for, beyond what the browser says. */
function addCause(failure: Failure, isElsewhere = false): Failure {
  if (failure.code !== 'NAVIGATION_FAILED') return failure
  const url = parseUrl(failure.redirects?.at(-1) ?? failure.url)
  const isLocal = url !== undefined && isLoopbackHost(url.hostname)
  return isElsewhere && isLocal && /REFUSED/.test(failure.reason)
    ? { ...failure, isElsewhere: true }
    : failure
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
