// What text is entered into: the target, or the focused element.

import type { ElementHandle, Page } from 'playwright'
import { explainRefusal } from '../actions/explain-refusal.ts'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { checkEditable, markLostField, notEditableFailure } from './editable-check.ts'
import type { Editor } from './editor.ts'
import { attempt, isMalformedValue, isTimeout } from '../playwright/errors.ts'
import { formatFailure } from './refused-format.ts'
import { findFocusedElement } from './focused-element.ts'
import type { ActionabilityOptions, Actionability } from '../in-page/actions/actionability.ts'
import { composedCheckActionability } from '../playwright/composed-actionability.ts'
import { onElement } from '../playwright/element-functions.ts'
import { locatorOf, evaluateTarget, describeTarget, targetFailure } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

export interface TextEntry {
  readonly name: string
  /** Waits until it is editable. */
  waitUntilEditable(): Promise<Outcome<Actionability>>
  fill(text: string): Promise<void>
  /** Runs a function in the utility world; `evaluateInPage` runs it in the main world. */
  evaluateElements<A, T>(work: (elements: Element[], arg: A) => T | Promise<T>, arg: A): Promise<T>
  evaluateInPage: Editor['run']
  toFailure(error: Error): Failure | Promise<Failure>
  /** The failure after the element has lost the focus. */
  focusFailure(): Promise<Failure>
}

const FOCUSED_ELEMENT_NAME = 'the focused element'

export const findEntry = async (
  page: Page,
  target: Target | undefined,
  deadline: Deadline,
): Promise<Outcome<TextEntry>> =>
  target ? createTargetEntry(page, target, deadline) : createFocusedEntry(page, deadline)

// --- internal ---

async function createTargetEntry(
  page: Page,
  target: Target,
  deadline: Deadline,
): Promise<Outcome<TextEntry>> {
  const startedAt = performance.now()
  const locatorResult = await locatorOf(page, target)
  if (!locatorResult.ok) return locatorResult
  const locator = locatorResult.value
  const element = { locator, target, deadline }
  return ok({
    name: describeTarget(target),
    waitUntilEditable: () => checkEditable(element, startedAt),
    fill: (text) =>
      waitForTarget(element, 'editable', (limit) => locator.fill(text, playwrightOptions(limit))),
    evaluateElements: (work, arg) => evaluateTarget(element, work, arg),
    evaluateInPage: (work, arg) =>
      locator.evaluate(work as (element: Element, arg: unknown) => never, arg, playwrightOptions(deadline)),
    toFailure: async (error) =>
      isTimeout(error)
        ? markLostField(await explainRefusal(element, error, 'type', 'the typing'))
        : (toTypingFailure(error, deadline) ?? targetFailure(error, target)),
    async focusFailure() {
      const state = await evaluateTarget(element, composedCheckActionability, UNFOCUSED_CHECK).catch(
        (): Actionability => ({}),
      )
      const waited = Math.round(performance.now() - startedAt)
      return markLostField(
        notEditableFailure({ obstacle: 'detached', ...state }, describeTarget(target), waited),
      )
    },
  })
}

async function createFocusedEntry(page: Page, deadline: Deadline): Promise<Outcome<TextEntry>> {
  const focusedResult = await attempt(findFocusedElement(page), (error) => targetFailure(error, { ref: '' }))
  if (!focusedResult.ok) return focusedResult
  const element: ElementHandle<Element> | undefined = focusedResult.value
  if (!element) return err(notEditableFailure({ obstacle: 'no_text' }, FOCUSED_ELEMENT_NAME, 0))
  const toFailure = (error: Error) => toTypingFailure(error, deadline) ?? targetFailure(error, { ref: '' })
  const evaluateInPage: TextEntry['evaluateInPage'] = (work, arg) =>
    element.evaluate(work as (element: Element, arg: unknown) => never, arg)
  return ok({
    name: FOCUSED_ELEMENT_NAME,
    async waitUntilEditable() {
      const state = await attempt(
        evaluateInPage(onElement(composedCheckActionability), UNFOCUSED_CHECK),
        toFailure,
      )
      return state.ok && state.value.obstacle
        ? err(notEditableFailure(state.value, FOCUSED_ELEMENT_NAME, 0))
        : state
    },
    fill: (text) => element.fill(text, playwrightOptions(deadline)),
    evaluateElements: (work, arg) =>
      element.evaluate(onElement(work) as (element: Element, arg: unknown) => never, arg),
    evaluateInPage,
    toFailure,
    focusFailure: async () => notEditableFailure({ obstacle: 'detached' }, FOCUSED_ELEMENT_NAME, 0),
  })
}

const UNFOCUSED_CHECK: ActionabilityOptions = { action: 'type', timeoutMs: 0, keepCaret: true }

function toTypingFailure(error: Error, deadline: Deadline): Failure | undefined {
  if (isTimeout(error))
    return { code: 'TIMEOUT', waitedFor: 'the field to be ready', waited: deadline.timeout }
  if (!isMalformedValue(error)) return undefined
  return formatFailure('text', 'a value that this field accepts', '')
}
