// Finds a form field and its kind.

import type { Page, ElementHandle, Frame, Locator } from 'playwright'
import { variantsOf } from '../playwright/compose-in-page.ts'
import {
  locate,
  locateTarget,
  evaluateTarget,
  describeTarget,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { playwrightOptions, engineOfPage } from '../playwright/engine.ts'
import {
  checkActionability,
  readFocusedElement,
  isDocumentFocused,
  readFieldState,
  takesKeys,
} from '../in-page/generated.ts'
import type { Actionability } from '../in-page/actions/actionability.ts'
import type { FieldState } from '../in-page/actions/form-fields.ts'
import { type Outcome, type Failure, invalidParameter } from '../../base/failure.ts'
import { map, err, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target } from '../../base/action.ts'
import { act, actOnAny } from './explain-refusal.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { clip } from '../../base/text/clip.ts'

interface FormField extends FieldState {
  readonly element: ResolvedTarget
}

/** Waits for the element until the deadline. */
export async function findField(page: Page, target: Target, deadline: Deadline): Promise<Outcome<FormField>> {
  const element = await locateTarget(page, target, deadline)
  if (!element.ok) return element
  const state = await actOnAny(element.value, (options) =>
    element.value.locator.evaluate(readFieldState, undefined, options),
  )
  return map(state, (fieldState) => ({ element: element.value, ...fieldState }))
}

const CHECK_INTERVAL_MS = 500
/** The time after a deadline for the page to report the reason of a failure. */
const EXPLAIN_TIMEOUT_MS = 2000

/** Waits until the element is editable, and puts the caret at its end. The first check covers all matches without waiting, which takes a
 * third of the time. */
export async function checkEditable(
  element: ResolvedTarget,
  startedAt: number,
): Promise<Outcome<Actionability>> {
  const { locator, target } = element
  const state = await checkNow(element)
  if (!state.isAmbiguous && !state.obstacle) return ok(state)
  const targetResult = await locate(locator.page(), target)
  if (!targetResult.ok) return targetResult
  const actionability = await act(element, 'editable', 'the typing', (_, limit) =>
    waitUntilEditable({ ...element, deadline: limit }),
  )
  if (!actionability.ok || !actionability.value.obstacle) return actionability
  const waited = Math.round(performance.now() - startedAt)
  return err(notEditableFailure(actionability.value, describeTarget(target), waited))
}

// Returns the state with its obstacle if the element takes no text, or at the deadline.
async function waitUntilEditable(element: ResolvedTarget): Promise<Actionability> {
  const { locator, deadline } = element
  for (;;) {
    // The check itself may end after the deadline, so it must not wait for the element.
    await locator.waitFor({ state: 'attached', ...playwrightOptions(deadline) })
    const timeoutMs = Math.min(deadline.remaining(), CHECK_INTERVAL_MS)
    const state = await locator.evaluate(
      variantsOf(checkActionability).onElement,
      { action: 'type', timeoutMs } as const,
      playwrightOptions(deadline, EXPLAIN_TIMEOUT_MS),
    )
    if (!state.obstacle || state.obstacle === 'no_text' || deadline.remaining() <= 1) return state
  }
}

/** Waits until keys for the element reach it. Rejects as Playwright does. */
export async function waitForKeys(locator: Locator, limit: Deadline): Promise<void> {
  while (!(await locator.evaluate(takesKeys, limit.remaining(), playwrightOptions(limit))))
    limit.signal.throwIfAborted()
}

/** Gives the element the focus, because its focus handlers may disable it. Undefined if it is not editable. */
export async function focusField(element: ResolvedTarget): Promise<Actionability | undefined> {
  const state = await checkNow(element)
  return state.isAmbiguous || state.obstacle ? undefined : state
}

const checkNow = (element: ResolvedTarget): Promise<Actionability> =>
  evaluateTarget(element, checkActionability, { action: 'type', timeoutMs: 0 }).catch(() => ({
    isAmbiguous: true,
  }))

/** The failure of an action on a field that was editable before it. */
export const markLostField = (failure: Failure): Failure =>
  failure.code === 'ELEMENT_NOT_EDITABLE' && failure.reason !== 'detached'
    ? { ...failure, became: true }
    : failure

/** The failure for an element with an obstacle to typing. */
export const notEditableFailure = (
  { obstacle = 'no_text', by }: Actionability,
  target: string,
  waited: number,
) => ({ code: 'ELEMENT_NOT_EDITABLE', target, reason: obstacle, waited, ...(by && { by }) }) as const

const FRAME_DEPTH_LIMIT = 20
const WINDOW_FOCUS_TIMEOUT_MS = 1000

/** The element that receives keys; undefined if nothing has the focus. */
export async function findFocusedElement(page: Page): Promise<ElementHandle<Element> | undefined> {
  let frame: Frame = page.mainFrame()
  for (let depth = 0; depth < FRAME_DEPTH_LIMIT; depth += 1) {
    const handle = await frame.evaluateHandle(readFocusedElement)
    const element = handle.asElement() as ElementHandle<Element> | null
    const childFrame = await element?.contentFrame()
    if (!childFrame) return element ?? undefined
    frame = childFrame
  }
  return undefined
}

/** Firefox fires focus events only in the front window, and some editors accept no text without them. */
export async function bringToFrontUnless(page: Page, isActive: () => Promise<boolean>): Promise<void> {
  if (!(await isActive())) await page.bringToFront()
}

/** Gives the window of a page in Firefox the focus before an action. If the page does not answer, the action goes on without it. */
export async function focusWindow(page: Page): Promise<void> {
  if (engineOfPage(page) !== 'firefox') return
  const isFocused = () => page.evaluate(isDocumentFocused)
  await settleWithin(WINDOW_FOCUS_TIMEOUT_MS, bringToFrontUnless(page, isFocused))
}

/** The failure for a value whose format a field does not accept; the field is not changed. */
export const formatFailure = (field: 'text' | 'value', expected: string, received: string): Failure =>
  invalidParameter(
    field,
    expected,
    JSON.stringify(clip(received, 100)),
    'The field keeps its previous value.',
  )
