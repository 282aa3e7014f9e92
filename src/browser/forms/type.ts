// Types text. The element is checked first, because keys go to whatever has the focus.

import { addText, replaceText, watchTyping, type Editor } from './editor.ts'
import { attempt } from '../playwright/errors.ts'
import { deepestActiveElement } from '../in-page/dom/active-element.ts'
import { checkDigits, checkFormat } from '../in-page/forms/field-format.ts'
import { hasText, readTypedField, type TypedField } from '../in-page/forms/focus.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { composedReadFieldContent } from './read-fields.ts'
import { formatFailure } from './refused-format.ts'
import { findEntry, type TextEntry } from './text-entry.ts'
import type { Actionability } from '../in-page/actions/actionability.ts'
import { ENTER_KEYSTROKE, sendKeystrokes, keystrokesOf } from '../actions/keystrokes.ts'
import type { Tab } from '../tab/tab.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { OnFieldInput } from '../secrets/typed-secrets.ts'
import { checkSubmit } from './form-validation.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import { isEmptied } from '../../core/text/field-content.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { TypeOptions, TypeResult } from '../../runtime/ports/page/page.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

/** Types key by key. A note says if the focus moved meanwhile, as in a row of one-letter fields. A field that the page empties is a failure. */
export async function type(
  tab: Tab,
  target: Target | undefined,
  text: string,
  options: TypeOptions,
  deadline: Deadline,
  onSecret: OnFieldInput,
): Promise<Outcome<TypeResult>> {
  const field = await findEntry(tab.page, target, deadline)
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
  const outcome =
    editor && editor.kind === 'code' && !options.delay
      ? await insertText(editor, text, options, target ? 'end' : 'caret')
      : await typeKeys(
          { tab, entry: field.value, state: state.value, at: target ? 'end' : 'caret' },
          text,
          options,
          deadline,
          editor,
        )
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
  const content = await field.evaluateElements(composedReadFieldContent, value).catch(() => undefined)
  return { note: '', ...(content && { field: { entered: value, content } }) }
}

// A code editor would close brackets and indent lines after keys, so its text is inserted in one piece.
async function insertText(
  editor: Editor,
  text: string,
  { clear }: TypeOptions,
  at: 'caret' | 'end',
): Promise<Outcome<TypeResult>> {
  return map(await (clear ? replaceText(editor, text) : addText(editor, text, at)), () => ({ note: '' }))
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
const composedReadTypedField = composeInPage(readTypedField, {
  deepestActiveElement,
  readFieldContent: composedReadFieldContent,
})

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
    const state = await field
      .evaluateElements(composedReadTypedField, text)
      .catch((): TypedField => ({ focus: '' }))
    if (isLast || state.focus === FOCUS_LOST) return state
  }
  return { focus: '' }
}
