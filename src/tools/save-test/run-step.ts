// Carries out a recorded step on another page.

import { compileUrlMatcher } from '../define/pattern.ts'
import { parseExpectedLines } from '../../core/checks/find-lines.ts'
import type { Outcome } from '../../core/failure.ts'
import type { RecordedAction, RecordedCheck, RecordedElement } from '../../core/recording/recorded-step.ts'
import { map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { Page } from '../../runtime/ports/page/page.ts'
import type { WaitCondition } from '../../runtime/ports/page/wait-condition.ts'

/** The page and the session of a replay; `tabs` has its tab of each tab of the recording. */
export interface Replay {
  readonly page: Page
  readonly session: Pick<OpenSession, 'mocks'>
  readonly deadline: Deadline
  readonly tabs: ReadonlyMap<string, string>
}

/** Runs an action or a check. Returns it with the locators that worked first; fails as the page does. */
export function runAction(action: RecordedAction, replay: Replay): Promise<Outcome<RecordedAction>> {
  const { page, deadline } = replay
  const unchanged = async (outcome: Promise<Outcome<unknown>>): Promise<Outcome<RecordedAction>> =>
    map(await outcome, () => action)
  switch (action.kind) {
    case 'navigate':
      return unchanged(page.navigate(action.url, 'load', deadline))
    case 'history':
      return unchanged(page.history(action.direction, deadline))
    case 'dialog':
      return unchanged(page.answerDialog(action.accept, action.promptText, deadline))
    case 'openTab':
      return unchanged(page.openTab(deadline))
    case 'closeTab':
      return unchanged(
        page.closeTab(action.id === undefined ? undefined : replay.tabs.get(action.id), deadline),
      )
    case 'emulate':
      return unchanged(page.emulate(action.change, deadline))
    case 'clock':
      return unchanged(page.setFixedTime(action.time))
    case 'seed':
      return unchanged(page.seedRandom(action.seed))
    case 'mock':
      if (action.mock) replay.session.mocks.add(action.mock)
      return unchanged(page.applyMocks(deadline))
    case 'check':
      return runCheck(action.check, replay)
    case 'other':
      return Promise.resolve(ok(action))
    default:
      return runInput(action, replay)
  }
}

/** Waits until a check holds. */
export async function runCheck(
  check: RecordedCheck,
  { page, deadline }: Replay,
): Promise<Outcome<RecordedAction>> {
  const { element, checks, aria, not, text, textGone, url } = check
  const matches = url === undefined ? ok(undefined) : await compileUrlMatcher(url)
  if (!matches.ok) return matches
  const others = {
    ...(text !== undefined && { text }),
    ...(textGone !== undefined && { textGone }),
    ...(matches.value && url !== undefined && { url: { text: url, matches: matches.value } }),
  }
  const conditionOf = (selector?: string): WaitCondition => ({
    ...others,
    ...((selector !== undefined || aria !== undefined) && {
      element: {
        ...(selector !== undefined && { target: { selector } }),
        checks,
        ...(aria !== undefined && { aria: parseExpectedLines(aria) }),
        not,
      },
    }),
  })
  if (!element) return map(await page.waitFor(conditionOf(), deadline), () => ({ kind: 'check', check }))
  const outcome = await tryLocators(element, (selector) => page.waitFor(conditionOf(selector), deadline))
  return map(outcome, (resolvedElement) => ({
    kind: 'check',
    check: { ...check, element: resolvedElement },
  }))
}

// --- internal ---

type InputAction = Extract<RecordedAction, { readonly element?: RecordedElement }>

async function runInput(action: InputAction, { page, deadline }: Replay): Promise<Outcome<RecordedAction>> {
  const { element } = action
  if (!element) {
    const outcome: Outcome<unknown> =
      action.kind === 'type'
        ? await page.type(undefined, action.text, typeOptionsOf(action), deadline)
        : await page.press(action.kind === 'press' ? action.key : '', undefined, 0, deadline)
    return map(outcome, () => action)
  }
  const outcome = await tryLocators(element, (selector) => performOn({ selector }, action, page, deadline))
  return map(outcome, (resolvedElement) => ({ ...action, element: resolvedElement }) as RecordedAction)
}

function performOn(
  target: { readonly selector: string },
  action: InputAction,
  page: Page,
  deadline: Deadline,
): Promise<Outcome<unknown>> {
  switch (action.kind) {
    case 'click':
      return page.click(target, action.options, deadline)
    case 'type':
      return page.type(target, action.text, typeOptionsOf(action), deadline)
    case 'fill':
      return page.fill(target, action.value, deadline)
    case 'submit':
      return page.submit(target, deadline)
    case 'select':
      return page.select(target, action.values, deadline)
    case 'hover':
      return page.hover(target, deadline)
    case 'drag':
      return page.drag(target, { selector: action.to.locators[0]?.selector ?? '' }, deadline)
    case 'press':
      return page.press(action.key, target, action.holdMs ?? 0, deadline)
    case 'upload':
      return page.upload(target, { paths: action.paths }, deadline)
  }
}

const typeOptionsOf = ({ clear, submit, delay }: Extract<RecordedAction, { kind: 'type' }>) => ({
  ...(clear !== undefined && { clear }),
  ...(submit !== undefined && { submit }),
  ...(delay !== undefined && { delay }),
})

// The element with the locator that worked first. The failure is that of the preferred locator.
async function tryLocators(
  element: RecordedElement,
  run: (selector: string) => Promise<Outcome<unknown>>,
): Promise<Outcome<RecordedElement>> {
  let firstFailure: Outcome<RecordedElement> | undefined
  for (const locator of element.locators) {
    const outcome = await run(locator.selector)
    const others = element.locators.filter((other) => other !== locator)
    if (outcome.ok) return ok({ ...element, locators: [locator, ...others] })
    firstFailure ??= outcome
    if (outcome.error.code !== 'ELEMENT_NOT_FOUND' && outcome.error.code !== 'INVALID_PARAMETERS') break
  }
  return firstFailure ?? ok(element)
}
