// Where text goes: the target, or the focused element.

import type { ElementHandle, Page } from 'playwright'
import { checkEditable, notEditableFailure } from './editable-check.ts'
import type { Editor } from './editor.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { formatFailure } from './refused-format.ts'
import { findFocusedElement } from './focused-element.ts'
import type { Actionability } from '../in-page/actions/actionability.ts'
import { composedCheckActionability } from '../playwright/composed-actionability.ts'
import { onElement } from '../playwright/element-functions.ts'
import { locatorOf, evaluateTarget, describeTarget, targetFailure } from '../playwright/locator.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

export interface TextEntry {
  readonly name: string
  /** Waits until it takes text. */
  waitUntilEditable(): Promise<Outcome<Actionability>>
  fill(text: string): Promise<void>
  /** Runs a function in a world of its own, or, as `evaluateInPage`, in the page's. */
  evaluateElements<A, T>(work: (elements: Element[], arg: A) => T | Promise<T>, arg: A): Promise<T>
  evaluateInPage: Editor['run']
  toFailure(error: Error): Failure
  /** Since the first search for it. */
  waitedMs(): number
}

const FOCUSED_ELEMENT_NAME = 'the focused element'

export const findEntry = async (
  page: Page,
  target: Target | undefined,
  call: Call,
): Promise<Outcome<TextEntry>> =>
  target ? createTargetEntry(page, target, call) : createFocusedEntry(page, call)

// --- internal ---

function createTargetEntry(page: Page, target: Target, call: Call): Outcome<TextEntry> {
  const since = performance.now()
  const resolved = locatorOf(page, target)
  if (!resolved.ok) return resolved
  const locator = resolved.value
  const element = { locator, target, call }
  return ok({
    name: describeTarget(target),
    waitUntilEditable: () => checkEditable(element, since),
    fill: (text) => locator.fill(text, call),
    evaluateElements: (work, arg) => evaluateTarget(element, work, arg),
    evaluateInPage: (work, arg) =>
      locator.evaluate(work as (element: Element, arg: unknown) => never, arg, { ...call }),
    toFailure: (error) => knownFailure(error, call) ?? targetFailure(error, target),
    waitedMs: () => Math.round(performance.now() - since),
  })
}

async function createFocusedEntry(page: Page, call: Call): Promise<Outcome<TextEntry>> {
  const focused = await attempt(findFocusedElement(page), (error) => targetFailure(error, { ref: '' }))
  if (!focused.ok) return focused
  const element: ElementHandle<Element> | undefined = focused.value
  if (!element) return err(notEditableFailure({ obstacle: 'no_text' }, FOCUSED_ELEMENT_NAME, 0))
  const toFailure = (error: Error) => knownFailure(error, call) ?? targetFailure(error, { ref: '' })
  const evaluateInPage: TextEntry['evaluateInPage'] = (work, arg) =>
    element.evaluate(work as (element: Element, arg: unknown) => never, arg)
  return ok({
    name: FOCUSED_ELEMENT_NAME,
    async waitUntilEditable() {
      const state = await attempt(
        evaluateInPage(onElement(composedCheckActionability), {
          action: 'type',
          timeoutMs: 0,
          keepCaret: true,
        }),
        toFailure,
      )
      return state.ok && state.value.obstacle
        ? err(notEditableFailure(state.value, FOCUSED_ELEMENT_NAME, 0))
        : state
    },
    fill: (text) => element.fill(text, call),
    evaluateElements: (work, arg) =>
      element.evaluate(onElement(work) as (element: Element, arg: unknown) => never, arg),
    evaluateInPage,
    toFailure,
    waitedMs: () => 0,
  })
}

function knownFailure(error: Error, call: Call): Failure | undefined {
  if (isTimeout(error)) return { code: 'TIMEOUT', waitedFor: 'the field to be ready', waited: call.timeout }
  if (!/Malformed value/.test(error.message)) return undefined
  return formatFailure('text', 'a value that this field takes', '')
}
