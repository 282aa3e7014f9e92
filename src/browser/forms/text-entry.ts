// Where text goes: an element that was named, or what has the focus.

import type { ElementHandle, Page } from 'playwright'
import { checkEditable, notEditable } from './editable-check.ts'
import type { Editor } from './editor.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { refusedFormat } from './refused-format.ts'
import { focusedElement } from './focused-element.ts'
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
  ready(): Promise<Outcome<Actionability>>
  fill(text: string): Promise<void>
  /** Runs a function of it in a world of its own, or in the page's. */
  examine<A, T>(work: (elements: Element[], arg: A) => T | Promise<T>, arg: A): Promise<T>
  run: Editor['run']
  explain(error: Error): Failure
  /** Milliseconds since it was first looked for. */
  waited(): number
}

const FOCUS = 'the focused element'

export const findEntry = async (
  page: Page,
  target: Target | undefined,
  call: Call,
): Promise<Outcome<TextEntry>> => (target ? named(page, target, call) : focused(page, call))

// --- internal ---

function named(page: Page, target: Target, call: Call): Outcome<TextEntry> {
  const since = performance.now()
  const aimed = locatorOf(page, target)
  if (!aimed.ok) return aimed
  const locator = aimed.value
  const element = { locator, target, call }
  return ok({
    name: describeTarget(target),
    ready: () => checkEditable(element, since),
    fill: (text) => locator.fill(text, call),
    examine: (work, arg) => evaluateTarget(element, work, arg),
    run: (work, arg) => locator.evaluate(work as (element: Element, arg: unknown) => never, arg, { ...call }),
    explain: (error) => explained(error, call) ?? targetFailure(error, target),
    waited: () => Math.round(performance.now() - since),
  })
}

async function focused(page: Page, call: Call): Promise<Outcome<TextEntry>> {
  const found = await attempt(focusedElement(page), (error) => targetFailure(error, { ref: '' }))
  if (!found.ok) return found
  const element: ElementHandle<Element> | undefined = found.value
  if (!element) return err(notEditable({ obstacle: 'no_text' }, FOCUS, 0))
  const explain = (error: Error) => explained(error, call) ?? targetFailure(error, { ref: '' })
  const run: TextEntry['run'] = (work, arg) =>
    element.evaluate(work as (element: Element, arg: unknown) => never, arg)
  return ok({
    name: FOCUS,
    async ready() {
      const seen = await attempt(
        run(onElement(composedCheckActionability), { want: 'type', budget: 0, keepCaret: true }),
        explain,
      )
      return seen.ok && seen.value.obstacle ? err(notEditable(seen.value, FOCUS, 0)) : seen
    },
    fill: (text) => element.fill(text, call),
    examine: (work, arg) =>
      element.evaluate(onElement(work) as (element: Element, arg: unknown) => never, arg),
    run,
    explain,
    waited: () => 0,
  })
}

function explained(error: Error, call: Call): Failure | undefined {
  if (isTimeout(error)) return { code: 'TIMEOUT', waitedFor: 'the field to be ready', waited: call.timeout }
  if (!/Malformed value/.test(error.message)) return undefined
  return refusedFormat('text', 'a value that this field accepts', '')
}
