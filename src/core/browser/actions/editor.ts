// Text entry in editors that have a text model: the text is pasted in one piece, because typed keys would make them close brackets and
// indent lines, and is then read back.

import process from 'node:process'
import type { Page } from 'playwright'
import { isDocumentFocused, runEditorAction, waitOneFrame } from '../in-page/generated.ts'
import type { EditorRequest, EditorState } from '../in-page/actions/editor-model.ts'
import { attempt, waitFailure } from '../playwright/errors.ts'
import { bringToFrontUnless } from './editable-fields.ts'
import { clip } from '../../base/text/clip.ts'
import { hasAddedText, hasExactText, hasSameWords, type EditorKind } from '../../base/text/key-names.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { FormattedText } from '../../base/action.ts'
import type { Deadline } from '../../base/system/deadline.ts'

/** An editor that has the focus. */
export interface Editor {
  readonly page: Page
  readonly kind: EditorKind
  readonly deadline: Deadline
  /** Runs a function with its element in the main world of the page. */
  run<A, T>(work: (element: Element, arg: A) => T | Promise<T>, arg: A): Promise<T>
}

/** Replaces the whole content of the editor. */
export const replaceText = (editor: Editor, text: string): Promise<Outcome<FormattedText | void>> =>
  catchFailures<FormattedText | void>(editor, async () => {
    await focusWindow(editor)
    if (editor.kind === 'segment') return typeSegment(editor, text)
    for (const method of ['paste', 'keyboard'] as const) {
      await selectAll(editor, method)
      if (text === '') await editor.page.keyboard.press('Delete')
      else await enterText(editor, text, method)
      const current = await waitForText(editor, (content) => hasExactText(editor.kind, content, text))
      if (current === true) return ok(undefined)
      if (method === 'paste') continue
      if (editor.kind === 'prose' && hasSameWords(current, text))
        return ok({ text: clip(current.trim(), 300) })
      return err(textRefusedFailure(current))
    }
    return ok(undefined)
  })

export const addText = (editor: Editor, text: string, at: 'caret' | 'end'): Promise<Outcome<void>> =>
  catchFailures(editor, async () => {
    await focusWindow(editor)
    if (editor.kind === 'segment') return typeSegment(editor, text)
    const before = (await readText(editor)) ?? ''
    for (const method of ['paste', 'keyboard'] as const) {
      if (at === 'end' && !(await runAction(editor, 'end')).isDone)
        await editor.page.keyboard.press(DOCUMENT_END)
      await enterText(editor, text, method)
      const current = await waitForText(editor, (content) =>
        hasAddedText(editor.kind, content, before, text, at),
      )
      if (current === true) return ok(undefined)
      if (method === 'keyboard' || current !== before) return err(textRefusedFailure(current))
    }
    return ok(undefined)
  })

/** Records the content before keys are typed. The returned function checks it afterwards and returns a note if the editor changed the text. */
export async function watchTyping(editor: Editor, text: string): Promise<() => Promise<Outcome<string>>> {
  await focusWindow(editor)
  const before = (await runAction(editor, 'read')).text
  return () =>
    catchFailures(editor, async () => {
      if (before === null || text.trim() === '') return ok('')
      const current = await waitForText(
        editor,
        (content) => hasAddedText(editor.kind, content, before, text, 'caret'),
        KEYS_TIMEOUT_MS,
      )
      if (current === true) return ok('')
      if (current === before) return err(textRefusedFailure(current))
      return ok(`The editor changed the text: it now contains ${quoteText(current)}.`)
    })
}

// --- internal ---

interface SegmentState {
  /** What it shows. */
  readonly text: string
  /** `aria-valuenow` and `aria-valuetext`; empty without a value. */
  readonly value: string
  readonly name: string
}

const readSegment = (segment: Element): SegmentState => ({
  text: (segment as HTMLElement).innerText.replaceAll(/\p{Cf}/gu, '').trim(),
  value: segment.getAttribute('aria-valuenow') ?? '',
  name: segment.getAttribute('aria-valuetext') ?? '',
})

/** Digits are added to those that were typed since it got the focus; a click selects the whole part. */
const refocus = (segment: Element): void => {
  ;(segment as HTMLElement).blur()
  ;(segment as HTMLElement).focus()
  getSelection()?.selectAllChildren(segment)
}

async function typeSegment({ page, run }: Editor, text: string): Promise<Outcome<void>> {
  const requested = text.trim()
  const read = () => run(readSegment, undefined)
  await run(refocus, undefined)
  if (requested === '') await clearSegment(page, read)
  // The digits before are read from what the page has drawn.
  for (const character of requested) {
    await page.keyboard.type(character)
    await run(waitOneFrame, undefined)
  }
  const isReached = (current: SegmentState) =>
    requested === ''
      ? current.value === ''
      : Object.values(current).some(
          (one) => one !== '' && (one === requested || Number(one) === Number(requested)),
        )
  const deadline = performance.now() + KEYS_TIMEOUT_MS
  for (;;) {
    const current = await read()
    if (isReached(current)) return ok(undefined)
    if (performance.now() > deadline) return err(textRefusedFailure(current.text))
    await run(waitOneFrame, undefined)
  }
}

async function clearSegment(page: Page, read: () => Promise<SegmentState>): Promise<void> {
  let { value } = await read()
  for (let digits = value.length; digits > 0 && value !== ''; digits -= 1) {
    await page.keyboard.press('Backspace')
    value = (await read()).value
  }
}

const DOCUMENT_END = process.platform === 'darwin' ? 'Meta+ArrowDown' : 'Control+End'
// Time in which an editor updates its model after a paste or after keys.
const PASTE_TIMEOUT_MS = 700
const KEYS_TIMEOUT_MS = 250

const runAction = ({ run }: Editor, action: EditorRequest['action'], text?: string): Promise<EditorState> =>
  run(runEditorAction, { action, text })

const focusWindow = ({ page, run }: Editor): Promise<void> =>
  bringToFrontUnless(page, () => run(isDocumentFocused, undefined))

// A page may handle the keyboard shortcut itself; the second method selects a range of the document.
async function selectAll(editor: Editor, method: 'paste' | 'keyboard'): Promise<void> {
  if (method === 'keyboard' && editor.kind === 'prose') await runAction(editor, 'range')
  else if (!(await runAction(editor, 'select')).isDone) await editor.page.keyboard.press('ControlOrMeta+a')
}

// Firefox receives keyboard text letter by letter, so a code editor would indent lines and close brackets.
async function enterText(editor: Editor, text: string, method: 'paste' | 'keyboard'): Promise<void> {
  const action = method === 'paste' ? 'paste' : editor.kind === 'code' ? 'insert' : undefined
  const isDone = action && (await runAction(editor, action, text)).isDone
  if (!isDone) await editor.page.keyboard.insertText(text)
}

// If the model is not accessible, the whole content is copied.
async function readText(editor: Editor): Promise<string | undefined> {
  const { text } = await runAction(editor, 'read')
  if (text !== null) return text
  await editor.page.keyboard.press('ControlOrMeta+a')
  const copyState = await runAction(editor, 'copy')
  await editor.page.keyboard.press(DOCUMENT_END)
  return copyState.text ?? undefined
}

// Returns true, or the content after the timeout. Most editors update at once, others a frame later.
async function waitForText(
  editor: Editor,
  isExpected: (current: string) => boolean,
  timeoutMs = PASTE_TIMEOUT_MS,
): Promise<true | string> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const current = (await readText(editor)) ?? ''
    if (isExpected(current)) return true
    if (performance.now() > deadline) return current
    await editor.run(waitOneFrame, undefined)
  }
}

const quoteText = (current: string): string => JSON.stringify(clip(current.trim(), 300))

const textRefusedFailure = (current: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the editor did not accept the text; it contains ${quoteText(current)}`,
  next: 'It may be read-only, or transform its input: take a snapshot to see the page.',
})

async function catchFailures<T>({ deadline }: Editor, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const result = await attempt(work(), (error) => waitFailure(error, 'the editor to take the text', deadline))
  return result.ok ? result.value : result
}
