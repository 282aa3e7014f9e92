// Carries out a recorded step on another page.

import { findElement } from './find-element.ts'
import { limitDeadline } from './limit-deadline.ts'
import type { Replay } from './replay.ts'
import { runCheck } from './run-check.ts'
import type { Outcome } from '../../core/failure.ts'
import type { RecordedAction, RecordedElement } from '../../core/recording/recorded-step.ts'
import { map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

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
      return unchanged(page.setFixedTime(action.time === undefined ? undefined : Date.parse(action.time)))
    case 'seed':
      return unchanged(page.seedRandom(action.seed))
    case 'mock':
      if (action.mock) replay.session.mocks.add(action.mock)
      return unchanged(page.applyMocks(deadline))
    case 'check':
      return runCheck(action.check, replay).then((outcome) =>
        map(outcome, (check) => ({ kind: 'check', check })),
      )
    case 'other':
      return Promise.resolve(ok(action))
    case 'submit':
      return runSubmit(action, replay)
    default:
      return runInput(action, replay)
  }
}

// --- internal ---

type SubmitAction = Extract<RecordedAction, { kind: 'submit' }>

// A person submits a form by its button.
async function runSubmit(action: SubmitAction, replay: Replay): Promise<Outcome<RecordedAction>> {
  if (!replay.isFirst) return runInput(action, replay)
  const { page, deadline } = replay
  const field = await findElement(action.element, page, deadline)
  const selector = `${field.locators[0]?.selector ?? ''} >> ${DEFAULT_BUTTON}`
  const button = await page.describeElement({ selector }, limitDeadline(deadline, 1), 'replay')
  if (!button || button.type === '') return runInput(action, replay)
  const click = { kind: 'click', element: button, options: {} } as const
  return runInput(click, { ...replay, isFirst: false })
}

const DEFAULT_BUTTON =
  'xpath=ancestor-or-self::form >> css=button:not([type=button]):not([type=reset]):enabled, input[type=submit]:enabled >> nth=0'

type InputAction = Extract<RecordedAction, { readonly element?: RecordedElement }>

async function runInput(action: InputAction, replay: Replay): Promise<Outcome<RecordedAction>> {
  const { page, deadline } = replay
  const { element } = action
  if (!element) {
    const outcome: Outcome<unknown> =
      action.kind === 'type'
        ? await page.type(undefined, action.text, typeOptionsOf(action), deadline)
        : await page.press(action.kind === 'press' ? action.key : '', undefined, 0, deadline)
    return map(outcome, () => action)
  }
  const outcome = await onElement(element, replay, (selector) =>
    performOn({ selector }, action, page, deadline),
  )
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

// Finds the element by one of its locators, describes it as it is now, and acts on it by the best locator that it has now. Where none finds
// it, the first one gives the reason.
async function onElement(
  element: RecordedElement,
  { page, deadline, isFirst }: Replay,
  run: (selector: string) => Promise<Outcome<unknown>>,
): Promise<Outcome<RecordedElement>> {
  const current = isFirst ? await findElement(element, page, deadline) : element
  const outcome = await run(current.locators[0]?.selector ?? '')
  return map(outcome, () => current)
}
