import type { RecordedAction, RecordedElement, RecordedStep } from './recorded-step.ts'

/** What the previous step and the next one are together, if they are one action of the person: typing letter by letter, a click into a
 * field before its text, the second click of a double click. Otherwise undefined. */
export function amendStep(previous: RecordedStep | undefined, next: RecordedStep): RecordedStep | undefined {
  if (!previous || previous.tab !== next.tab || previous.openedTab !== undefined) return undefined
  const [before, after] = [previous.action, next.action]
  if (!('element' in before) || !('element' in after)) return undefined
  if (!isSameElement(before.element, after.element)) return undefined
  const action = combine(before, after)
  return action && { ...next, seq: previous.seq, urlBefore: previous.urlBefore, action }
}

/** An action without what it can only have with the one before it. */
export function standAlone(action: RecordedAction): RecordedAction {
  if (action.kind !== 'click' || (action.options.clickCount ?? 1) === 1) return action
  const { clickCount: _, ...options } = action.options
  return { ...action, options }
}

/** Whether the first, most robust locators are the same. */
export const isSameElement = (a: RecordedElement | undefined, b: RecordedElement | undefined): boolean =>
  a !== undefined && b !== undefined && a.locators[0]?.selector === b.locators[0]?.selector

/** Whether text can be typed into it, as far as its type says. */
export const isTextField = (element: RecordedElement | undefined): boolean =>
  element !== undefined && /^(text|email|password|search|tel|url|number|textarea)$/.test(element.type)

// --- internal ---

function combine(before: RecordedAction, after: RecordedAction): RecordedAction | undefined {
  if (before.kind === 'fill' && after.kind === 'fill')
    return typeof before.value === typeof after.value ? after : undefined
  if (before.kind === 'select' && after.kind === 'select') return after
  if (before.kind === 'upload' && after.kind === 'upload') return after
  if (before.kind !== 'click' || before.options.button !== undefined) return undefined
  if (after.kind === 'select') return after
  // A click into a field that opens a list is more than a way to its text.
  if (after.kind === 'fill' || (after.kind === 'press' && isTextField(after.element)))
    return before.element.role === 'combobox' ? undefined : after
  const isNextClick =
    after.kind === 'click' &&
    after.options.button === undefined &&
    after.options.clickCount === (before.options.clickCount ?? 1) + 1
  return isNextClick ? after : undefined
}
