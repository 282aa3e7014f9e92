// Typing. Whether the element takes text is asked first, because keys go to whatever has the focus.

import { notEditable } from './editable-check.ts'
import { addText, replaceText, watchTyping, type Editor } from './editor.ts'
import { attempt } from '../playwright/errors.ts'
import { deepestActiveElement } from '../in-page/dom/active-element.ts'
import { checkDigits, checkFormat } from '../in-page/forms/field-format.ts'
import { describeFocus } from '../in-page/forms/focus.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { refusedFormat } from './refused-format.ts'
import { findEntry, type TextEntry } from './text-entry.ts'
import type { Actionability } from '../in-page/actions/actionability.ts'
import { ENTER, sendKeystrokes, keystrokesOf } from '../actions/keystrokes.ts'
import type { Tab } from '../tab/tab.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { OnFieldInput } from '../secrets/typed-secrets.ts'
import { submitting } from './form-validation.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Call, Target, TypeOptions } from '../../runtime/ports/page.ts'

/** Types key by key. Answers a note when the focus went elsewhere meanwhile, as in a row of one-letter fields. */
export async function type(
  tab: Tab,
  target: Target | undefined,
  text: string,
  options: TypeOptions,
  call: Call,
  onSecret: OnFieldInput,
): Promise<Outcome<string>> {
  const field = await findEntry(tab.page, target, call)
  if (!field.ok) return field
  const state = await field.value.ready()
  if (!state.ok) return state
  if (state.value.field) onSecret(state.value.field, text)
  const refused = await refusal(field.value, state.value, text, options)
  if (refused) return err(refused)
  if (state.value.whole) return map(await attempt(filled(field.value, text), field.value.explain), () => '')
  const editor = state.value.editor && { page: tab.page, kind: state.value.editor, run: field.value.run }
  const typed =
    editor && editor.kind === 'code' && !options.delay
      ? await insert(editor, text, options, target ? 'end' : 'caret')
      : await typeKeys(tab, field.value, text, options, call, editor)
  if (!typed.ok || !options.submit) return typed
  const entered = await submitting(tab.page, () => attempt(enter(tab), field.value.explain))
  return map(entered, () => typed.value)
}

// --- internal ---

// A value that the field does not accept fails before the field is changed.
async function refusal(
  field: TextEntry,
  { whole, numeric }: Actionability,
  text: string,
  { clear = false }: TypeOptions,
): Promise<Failure | undefined> {
  if (!whole && !numeric) return undefined
  const expected = await (
    numeric
      ? field.examine(checkDigits, { text, clear })
      : field.examine(checkFormat, text).then((format) => format.expected)
  ).catch(() => undefined)
  return expected === undefined ? undefined : refusedFormat('text', expected, text)
}

async function filled(field: TextEntry, text: string): Promise<void> {
  await field.fill((await field.examine(checkFormat, text)).value)
}

// An editor of code would close brackets and indent lines, so its text goes in whole.
async function insert(
  editor: Editor,
  text: string,
  { clear }: TypeOptions,
  at: 'caret' | 'end',
): Promise<Outcome<string>> {
  return map(await (clear ? replaceText(editor, text) : addText(editor, text, at)), () => '')
}

async function typeKeys(
  tab: Tab,
  field: TextEntry,
  text: string,
  { delay = 0, clear }: TypeOptions,
  { signal }: Call,
  editor: Editor | undefined,
): Promise<Outcome<string>> {
  if (clear) {
    const emptied = editor ? await replaceText(editor, '') : await attempt(field.fill(''), field.explain)
    if (!emptied.ok) return emptied
    // Emptying it may have made the page draw it anew.
    const state = await field.ready()
    if (!state.ok) return state
  }
  // A line end may send what was typed, as in a chat.
  const watched = editor && !/[\r\n]/.test(text) && (await attempt(watchTyping(editor, text), field.explain))
  if (watched && !watched.ok) return watched
  const typed = await attempt(keys(tab, field, { text, delay, signal }), field.explain)
  if (!typed.ok) return typed
  if (typed.value === LOST) return err(notEditable({ obstacle: 'detached' }, field.name, field.waited()))
  if (typed.value) return ok(`The page moved the focus to ${typed.value} during typing.`)
  return watched ? watched.value() : ok('')
}

async function enter(tab: Tab): Promise<void> {
  const cdp = await untracedCdpSession(tab)
  return cdp ? sendKeystrokes(cdp, [ENTER]) : tab.page.keyboard.press('Enter')
}

const LOST = 'lost'
const composedDescribeFocus = composeInPage(describeFocus, { deepestActiveElement })

// The probe has put the focus and the caret where they belong; Playwright's own way would move the caret to the start in Firefox.
// Its keyboard takes no signal, so a long text goes in parts of about 200 ms. A page may replace the field, which loses the keys,
// or move the focus on, which is its right and is told.
async function keys(
  tab: Tab,
  field: TextEntry,
  { text, delay, signal }: { text: string; delay: number; signal: AbortSignal },
): Promise<string> {
  const cdp = delay === 0 ? await untracedCdpSession(tab) : undefined
  const letters = [...text]
  const size = Math.max(1, Math.floor(200 / (delay + 5)))
  for (let from = 0; from < letters.length && !signal.aborted; from += size) {
    const part = letters.slice(from, from + size).join('')
    const strokes = cdp && keystrokesOf(part)
    if (strokes) await sendKeystrokes(cdp, strokes)
    else await tab.page.keyboard.type(part, { delay })
    const focus = await field.examine(composedDescribeFocus, undefined).catch(() => '')
    if (focus === LOST || (focus && from + size >= letters.length)) return focus
  }
  return ''
}
