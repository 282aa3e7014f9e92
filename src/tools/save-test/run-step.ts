// Carries out a recorded step on another page.

import type { Replay } from './replay.ts'
import { runCheck } from './run-check.ts'
import type { Outcome } from '../../core/failure.ts'
import type { RecordedAction, RecordedElement } from '../../core/recording/recorded-step.ts'
import { ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

/** Runs an action or a check by the first locator of its element. Fails as the page does. */
export function runAction(action: RecordedAction, replay: Replay): Promise<Outcome<unknown>> {
  const { page, deadline, session, tabs } = replay
  switch (action.kind) {
    case 'navigate':
      // As the test does: a page that was rendered by a server is used once its scripts have loaded.
      return page.navigate(action.url, action.isHydrated ? 'networkidle' : 'load', deadline)
    case 'history':
      return page.history(action.direction, deadline)
    case 'dialog':
      return page.answerDialog(action.accept, action.promptText, deadline)
    case 'openTab':
      return page.openTab(deadline)
    case 'closeTab':
      return page.closeTab(action.id === undefined ? undefined : tabs.get(action.id), deadline)
    case 'emulate':
      return page.emulate(action.change, deadline)
    case 'clock':
      return page.setFixedTime(action.time === undefined ? undefined : Date.parse(action.time))
    case 'seed':
      return page.seedRandom(action.seed)
    case 'mock':
      if (action.mock) session.mocks.add(action.mock)
      return page.applyMocks(deadline)
    case 'push':
      return page.pushToSockets(action.push, deadline)
    case 'check':
      return runCheck(action.check, replay)
    case 'other':
      return Promise.resolve(ok(undefined))
    default:
      return runInput(action, page, deadline)
  }
}

// --- internal ---

type InputAction = Extract<RecordedAction, { readonly element?: RecordedElement }>

function runInput(action: InputAction, page: Page, deadline: Deadline): Promise<Outcome<unknown>> {
  const selector = action.element?.locators[0]?.selector
  const target = selector === undefined ? undefined : { selector }
  if (action.kind === 'type') return page.type(target, action.text, typeOptionsOf(action), deadline)
  if (action.kind === 'press') return page.press(action.key, target, action.holdMs ?? 0, deadline)
  return runOnElement({ selector: selector ?? '' }, action, page, deadline)
}

function runOnElement(
  target: { readonly selector: string },
  action: Exclude<InputAction, { readonly kind: 'type' | 'press' }>,
  page: Page,
  deadline: Deadline,
): Promise<Outcome<unknown>> {
  switch (action.kind) {
    case 'click':
      return page.click(target, action.options, deadline)
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
    case 'upload':
      return page.upload(target, { paths: action.paths }, deadline)
  }
}

const typeOptionsOf = ({ clear, submit, delay }: Extract<RecordedAction, { kind: 'type' }>) => ({
  ...(clear !== undefined && { clear }),
  ...(submit !== undefined && { submit }),
  ...(delay !== undefined && { delay }),
})
