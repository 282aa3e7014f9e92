// Types text. The element is checked first, because keys go to whatever has the focus.

import { addText, replaceText, watchTyping, type Editor } from './editor.ts'
import { attempt, isMalformedValue, isTimeout } from '../playwright/errors.ts'
import {
  checkActionability,
  checkDigits,
  checkFormat,
  hasText,
  readFieldContent,
  readTypedField,
} from '../in-page/generated.ts'
import type { TypedField } from '../in-page/actions/focus.ts'
import { variantsOf } from '../playwright/compose-in-page.ts'
import {
  formatFailure,
  checkEditable,
  markLostField,
  notEditableFailure,
  findFocusedElement,
} from './editable-fields.ts'
import type { Actionability, ActionabilityOptions } from '../in-page/actions/actionability.ts'
import type { Tab } from '../tab/tab.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { OnFieldInput } from '../tab/page-redaction.ts'
import { checkSubmit } from './click-check.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import { isEmptied } from '../../base/text/field-content.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target, TypeOptions, TypeResult } from '../../base/action.ts'
import type { CdpSession } from '../playwright/cdp-session.ts'
import type { ElementHandle, Page } from 'playwright'
import { explainRefusal } from './explain-refusal.ts'
import { waitForTarget } from './wait-for-target.ts'
import { resolveTarget, evaluateTarget, describeTarget, targetFailure } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/engine.ts'

/** Types key by key. A note says if the focus moved meanwhile, as in a row of one-letter fields. A field that the page empties is a failure. */
export async function type(
  tab: Tab,
  target: Target | undefined,
  text: string,
  options: TypeOptions,
  deadline: Deadline,
  onSecret: OnFieldInput,
): Promise<Outcome<TypeResult>> {
  const field = await (target
    ? createTargetEntry(tab.page, target, deadline)
    : createFocusedEntry(tab.page, deadline))
  if (!field.ok) return field
  const state = await field.value.waitUntilEditable()
  if (!state.ok) return state
  if (state.value.field) onSecret(state.value.field, text)
  const formatProblem = await findFormatFailure(field.value, state.value, text, options)
  if (formatProblem) return err(formatProblem)
  if (state.value.isSetWhole) return attempt(fillFormatted(field.value, text), field.value.toFailure)
  const editor = state.value.editor && {
    page: tab.page,
    kind: state.value.editor,
    deadline,
    run: field.value.evaluateInPage,
  }
  const at = target ? 'end' : 'caret'
  const typedEntry = { tab, entry: field.value, state: state.value, at } as const
  // A code editor would close brackets and indent lines after keys, so its text is inserted in one piece.
  const outcome =
    editor && (editor.kind === 'segment' || (editor.kind === 'code' && !options.delay))
      ? map(await (options.clear ? replaceText(editor, text) : addText(editor, text, at)), () => ({
          note: '',
        }))
      : await typeKeys(typedEntry, text, options, deadline, editor)
  if (!outcome.ok || !options.submit) return outcome
  const submitResult = await checkSubmit(tab.page, () => attempt(pressEnter(tab), field.value.toFailure))
  return map(submitResult, () => outcome.value)
}

// --- internal ---

// Checks the format of a value before the field is changed.
async function findFormatFailure(
  field: TextEntry,
  { isSetWhole, isNumeric }: Actionability,
  text: string,
  { clear = false }: TypeOptions,
): Promise<Failure | undefined> {
  if (!isSetWhole && !isNumeric) return undefined
  const expected = await (
    isNumeric
      ? field.evaluateElements(checkDigits, { text, clear })
      : field.evaluateElements(checkFormat, text).then((format) => format.expected)
  ).catch(() => undefined)
  return expected === undefined ? undefined : formatFailure('text', expected, text)
}

async function fillFormatted(field: TextEntry, text: string): Promise<TypeResult> {
  const { value } = await field.evaluateElements(checkFormat, text)
  await field.fill(value)
  const content = await field.evaluateElements(readFieldContent, value).catch(() => undefined)
  return { note: '', field: content && { entered: value, content } }
}

interface TypedEntry {
  readonly tab: Tab
  readonly entry: TextEntry
  readonly state: Actionability
  /** Where its caret is; that of a field which has the focus already may be anywhere. */
  readonly at: 'caret' | 'end'
}

async function typeKeys(
  { tab, entry, state, at }: TypedEntry,
  text: string,
  { delay = 0, clear }: TypeOptions,
  { signal }: Deadline,
  editor: Editor | undefined,
): Promise<Outcome<TypeResult>> {
  let value = state.value
  if (clear) {
    const clearResult = editor
      ? await replaceText(editor, '')
      : await attempt(entry.fill(''), entry.toFailure)
    if (!clearResult.ok) return clearResult
    // The page may have redrawn the field when it was cleared.
    const clearedState = await entry.waitUntilEditable()
    if (!clearedState.ok) return clearedState
    value = clearedState.value.value
  }
  // A line break may send the text and clear the field, as in a chat.
  const hasLineBreak = /[\r\n]/.test(text)
  const checkTyping = editor && !hasLineBreak && (await attempt(watchTyping(editor, text), entry.toFailure))
  if (checkTyping && !checkTyping.ok) return checkTyping
  const outcome = await attempt(typeInParts(tab, entry, { text, delay, signal }), entry.toFailure)
  if (!outcome.ok) return outcome
  const { focus, content } = outcome.value
  if (focus === FOCUS_LOST) {
    const isComplete = await entry.evaluateElements(hasText, text).catch(() => false)
    return isComplete ? ok({ note: '' }) : err(await entry.focusFailure())
  }
  if (focus) return ok({ note: `The page moved the focus to ${focus} during typing.` })
  if (checkTyping) return map(await checkTyping.value(), (note) => ({ note }))
  if (value === undefined || content?.kind !== 'text' || hasLineBreak) return ok({ note: '' })
  if (isEmptied(text, content))
    return err({ code: 'ELEMENT_NOT_EDITABLE', target: entry.name, reason: 'emptied', waited: 0 })
  const isAtCaret = at === 'caret' && content.start.includes(text)
  return ok({ note: '', ...(!isAtCaret && { field: { entered: value + text, content } }) })
}

async function pressEnter(tab: Tab): Promise<void> {
  const cdp = await untracedCdpSession(tab)
  return cdp ? sendKeystrokes(cdp, [ENTER_KEYSTROKE]) : tab.page.keyboard.press('Enter')
}

const FOCUS_LOST = 'lost'
const PART_DURATION_MS = 200
const KEY_DURATION_MS = 5

// The editable check has set the focus and the caret; Playwright would move the caret to the start in Firefox. Its keyboard accepts no
// signal, so a long text is typed in parts of about 200 ms. A page may replace the field, which loses the keys, or move the focus, which is
// reported in a note.
async function typeInParts(
  tab: Tab,
  field: TextEntry,
  { text, delay, signal }: { text: string; delay: number; signal: AbortSignal },
): Promise<TypedField> {
  const cdp = delay === 0 ? await untracedCdpSession(tab) : undefined
  const characters = [...text]
  const partLength = Math.max(1, Math.floor(PART_DURATION_MS / (delay + KEY_DURATION_MS)))
  for (let from = 0; from < characters.length && !signal.aborted; from += partLength) {
    const part = characters.slice(from, from + partLength).join('')
    const keystrokes = cdp && keystrokesOf(part)
    if (keystrokes) await sendKeystrokes(cdp, keystrokes)
    else await tab.page.keyboard.type(part, { delay })
    const isLast = from + partLength >= characters.length
    const state = await field.evaluateElements(readTypedField, text).catch((): TypedField => ({ focus: '' }))
    if (isLast || state.focus === FOCUS_LOST) return state
  }
  return { focus: '' }
}

// Keys without waiting for each one. Playwright awaits every key event; the browser keeps their order, so all keys of a text are sent at
// once and awaited together. For the keys of a US keyboard, as in Playwright, which enters other characters as text.
interface Keystroke {
  /** The name of the key, if it differs from its text. */
  readonly key?: string
  readonly text: string
  readonly code: string
  readonly keyCode: number
}

const SYMBOL_KEYS: readonly (readonly [both: string, code: string, keyCode: number])[] = [
  [' ', 'Space', 32],
  ['`~', 'Backquote', 192],
  ['-_', 'Minus', 189],
  ['=+', 'Equal', 187],
  ['[{', 'BracketLeft', 219],
  [']}', 'BracketRight', 221],
  ['\\|', 'Backslash', 220],
  [';:', 'Semicolon', 186],
  ['\'"', 'Quote', 222],
  [',<', 'Comma', 188],
  ['.>', 'Period', 190],
  ['/?', 'Slash', 191],
]

const KEYSTROKES = new Map<string, Keystroke>([
  ...[...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((text) => {
    const letter = text.toUpperCase()
    return [text, { text, code: `Key${letter}`, keyCode: letter.charCodeAt(0) }] as const
  }),
  ...[...')!@#$%^&*('].flatMap((shifted, digit) =>
    [String(digit), shifted].map(
      (text) => [text, { text, code: `Digit${digit}`, keyCode: 48 + digit }] as const,
    ),
  ),
  ...SYMBOL_KEYS.flatMap(([both, code, keyCode]) =>
    [...both].map((text) => [text, { text, code, keyCode }] as const),
  ),
])

const ENTER_KEYSTROKE: Keystroke = { key: 'Enter', text: '\r', code: 'Enter', keyCode: 13 }

/** The keystrokes of a text; undefined if a character has no key. */
function keystrokesOf(text: string): readonly Keystroke[] | undefined {
  const keystrokes = [...text].map((letter) => KEYSTROKES.get(letter))
  return keystrokes.every((keystroke) => keystroke !== undefined) ? keystrokes : undefined
}

/** Presses the keys in order; resolves when the page has handled the last one. */
async function sendKeystrokes(cdp: CdpSession, keystrokes: readonly Keystroke[]): Promise<void> {
  await Promise.all(
    keystrokes.flatMap(({ text, key = text, code, keyCode }) => {
      const keyEvent = { key, code, windowsVirtualKeyCode: keyCode }
      return [
        cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', text, unmodifiedText: text, ...keyEvent }),
        cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...keyEvent }),
      ]
    }),
  )
}

// What text is entered into: the target, or the focused element.
interface TextEntry {
  readonly name: string
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

async function createTargetEntry(
  page: Page,
  target: Target,
  deadline: Deadline,
): Promise<Outcome<TextEntry>> {
  const startedAt = performance.now()
  const targetResult = await resolveTarget(page, target, deadline)
  if (!targetResult.ok) return targetResult
  const element = targetResult.value
  const { locator } = element
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
      const state = await evaluateTarget(element, checkActionability, UNFOCUSED_CHECK).catch(
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
        evaluateInPage(variantsOf(checkActionability).onElement, UNFOCUSED_CHECK),
        toFailure,
      )
      return state.ok && state.value.obstacle
        ? err(notEditableFailure(state.value, FOCUSED_ELEMENT_NAME, 0))
        : state
    },
    fill: (text) => element.fill(text, playwrightOptions(deadline)),
    evaluateElements: (work, arg) =>
      element.evaluate(variantsOf(work).onElement as (element: Element, arg: unknown) => never, arg),
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
