// Text entry in editors with a model of their own: the text is pasted in one piece, because they would close brackets and indent lines
// after keys, and then read back.

import process from 'node:process'
import type { Page } from 'playwright'
import { runEditorAction, type EditorRequest, type EditorState } from '../in-page/forms/editor-model.ts'
import { deepestActiveElement } from '../in-page/dom/active-element.ts'
import { waitOneFrame } from '../in-page/actions/wait-frames.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { attempt, isAborted, browserError } from '../playwright/errors.ts'
import { bringToFrontUnless } from './focused-element.ts'
import { isDocumentFocused } from '../in-page/forms/focus.ts'
import { clip } from '../../core/text/clip.ts'
import { hasAddedText, hasExactText, type EditorKind } from '../../core/text/editor-text.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

/** An editor that has the focus. */
export interface Editor {
  readonly page: Page
  readonly kind: EditorKind
  /** Runs a function of its element in the page's own world. */
  run<A, T>(work: (element: Element, arg: A) => T | Promise<T>, arg: A): Promise<T>
}

/** Puts the text in place of all that the editor holds. */
export const replaceText = (editor: Editor, text: string): Promise<Outcome<void>> =>
  catchFailures(async () => {
    await bringToFrontUnless(editor.page, () => editor.run(isDocumentFocused, undefined))
    for (const method of ['paste', 'keyboard'] as const) {
      await selectAll(editor, method)
      if (text === '') await editor.page.keyboard.press('Delete')
      else await enterText(editor, text, method)
      const current = await waitForText(editor, (one) => hasExactText(editor.kind, one, text))
      if (current === true) return ok(undefined)
      if (method === 'keyboard') return err(textRefusedFailure(current))
    }
    return ok(undefined)
  })

/** Puts the text where the caret is, or after all that the editor holds. */
export const addText = (editor: Editor, text: string, at: 'caret' | 'end'): Promise<Outcome<void>> =>
  catchFailures(async () => {
    await bringToFrontUnless(editor.page, () => editor.run(isDocumentFocused, undefined))
    const before = (await readText(editor)) ?? ''
    for (const method of ['paste', 'keyboard'] as const) {
      if (at === 'end' && !(await runAction(editor, 'end')).isDone)
        await editor.page.keyboard.press(DOCUMENT_END)
      await enterText(editor, text, method)
      const current = await waitForText(editor, (one) => hasAddedText(editor.kind, one, before, text, at))
      if (current === true) return ok(undefined)
      if (method === 'keyboard' || current !== before) return err(textRefusedFailure(current))
    }
    return ok(undefined)
  })

/** Records the text before keys are typed; the returned function checks it afterwards, with a note where the editor changed it. */
export async function watchTyping(editor: Editor, text: string): Promise<() => Promise<Outcome<string>>> {
  await bringToFrontUnless(editor.page, () => editor.run(isDocumentFocused, undefined))
  const before = (await runAction(editor, 'read')).text
  return () =>
    catchFailures(async () => {
      if (before === null || text.trim() === '') return ok('')
      const current = await waitForText(
        editor,
        (one) => hasAddedText(editor.kind, one, before, text, 'caret'),
        KEYS_TIMEOUT_MS,
      )
      if (current === true) return ok('')
      if (current === before) return err(textRefusedFailure(current))
      return ok(`The editor made something else of it: it holds ${quoteText(current)} now.`)
    })
}

// --- internal ---

const composedRunEditorAction = composeInPage(runEditorAction, { deepestActiveElement })

const DOCUMENT_END = process.platform === 'darwin' ? 'Meta+ArrowDown' : 'Control+End'
// Milliseconds in which an editor has dealt with what was put into it, and with keys.
const PASTE_TIMEOUT_MS = 700
const KEYS_TIMEOUT_MS = 250

const runAction = ({ run }: Editor, action: EditorRequest['action'], text?: string): Promise<EditorState> =>
  run(composedRunEditorAction, { action, ...(text !== undefined && { text }) })

// A page may have a shortcut of its own on the keys; then the second way is the document's.
async function selectAll(editor: Editor, method: 'paste' | 'keyboard'): Promise<void> {
  if (method === 'keyboard' && editor.kind === 'prose') await runAction(editor, 'range')
  else if (!(await runAction(editor, 'select')).isDone) await editor.page.keyboard.press('ControlOrMeta+a')
}

// Firefox gets the keyboard's text letter by letter, which a code editor would indent and close.
async function enterText(editor: Editor, text: string, method: 'paste' | 'keyboard'): Promise<void> {
  const action = method === 'paste' ? 'paste' : editor.kind === 'code' ? 'insert' : undefined
  const isDone = action && (await runAction(editor, action, text)).isDone
  if (!isDone) await editor.page.keyboard.insertText(text)
}

// A model that cannot be reached is read as a person would: all of it is copied.
async function readText(editor: Editor): Promise<string | undefined> {
  const { text } = await runAction(editor, 'read')
  if (text !== null) return text
  await editor.page.keyboard.press('ControlOrMeta+a')
  const copied = await runAction(editor, 'copy')
  await editor.page.keyboard.press(DOCUMENT_END)
  return copied.text ?? undefined
}

// True, or what the editor holds when it was waited for long enough. Most editors are ready at once, others a frame later.
async function waitForText(
  editor: Editor,
  isMeant: (current: string) => boolean,
  ms = PASTE_TIMEOUT_MS,
): Promise<true | string> {
  const end = performance.now() + ms
  for (;;) {
    const current = (await readText(editor)) ?? ''
    if (isMeant(current)) return true
    if (performance.now() > end) return current
    await editor.run(waitOneFrame, undefined)
  }
}

const quoteText = (current: string): string => JSON.stringify(clip(current.trim(), 300))

const textRefusedFailure = (current: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the editor did not take the text; it holds ${quoteText(current)}`,
  next: 'It may be read-only, or change what is put into it: look at what the page shows.',
})

async function catchFailures<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const isDone = await attempt(work(), (error): Failure =>
    isAborted(error) ? { code: 'CANCELLED' } : browserError(error),
  )
  return isDone.ok ? isDone.value : isDone
}
