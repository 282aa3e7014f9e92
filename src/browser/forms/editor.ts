// Putting text into editors that keep a model of their own: it is pasted in one piece, because keys would meet their closing brackets and
// their indentation, and then read back.

import process from 'node:process'
import type { Page } from 'playwright'
import { editorModel, type EditorRequest, type EditorState } from '../in-page/forms/editor-model.ts'
import { deepestActiveElement } from '../in-page/dom/active-element.ts'
import { waitOneFrame } from '../in-page/actions/wait-frames.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { attempt, isAborted, browserError } from '../playwright/errors.ts'
import { activate } from './focused-element.ts'
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
  told(async () => {
    await activate(editor.page, () => editor.run(isDocumentFocused, undefined))
    for (const way of ['paste', 'keyboard'] as const) {
      await selectAll(editor, way)
      if (text === '') await editor.page.keyboard.press('Delete')
      else await put(editor, text, way)
      const held = await heldSoon(editor, (one) => hasExactText(editor.kind, one, text))
      if (held === true) return ok(undefined)
      if (way === 'keyboard') return err(notTaken(held))
    }
    return ok(undefined)
  })

/** Puts the text where the caret is, or after all that the editor holds. */
export const addText = (editor: Editor, text: string, at: 'caret' | 'end'): Promise<Outcome<void>> =>
  told(async () => {
    await activate(editor.page, () => editor.run(isDocumentFocused, undefined))
    const before = (await read(editor)) ?? ''
    for (const way of ['paste', 'keyboard'] as const) {
      if (at === 'end' && !(await act(editor, 'end')).done) await editor.page.keyboard.press(DOCUMENT_END)
      await put(editor, text, way)
      const held = await heldSoon(editor, (one) => hasAddedText(editor.kind, one, before, text, at))
      if (held === true) return ok(undefined)
      if (way === 'keyboard' || held !== before) return err(notTaken(held))
    }
    return ok(undefined)
  })

/** Watches keys being typed into an editor; the answer says what was seen of them. */
export async function watchTyping(editor: Editor, text: string): Promise<() => Promise<Outcome<string>>> {
  await activate(editor.page, () => editor.run(isDocumentFocused, undefined))
  const before = (await act(editor, 'read')).text
  return () =>
    told(async () => {
      if (before === null || text.trim() === '') return ok('')
      const held = await heldSoon(
        editor,
        (one) => hasAddedText(editor.kind, one, before, text, 'caret'),
        KEYS_MS,
      )
      if (held === true) return ok('')
      if (held === before) return err(notTaken(held))
      return ok(`The editor changed the text: it now contains ${shown(held)}.`)
    })
}

// --- internal ---

const composedEditorModel = composeInPage(editorModel, { deepestActiveElement })

const DOCUMENT_END = process.platform === 'darwin' ? 'Meta+ArrowDown' : 'Control+End'
// Milliseconds in which an editor has dealt with what was put into it, and with keys.
const PUT_MS = 700
const KEYS_MS = 250

const act = ({ run }: Editor, what: EditorRequest['act'], text?: string): Promise<EditorState> =>
  run(composedEditorModel, { act: what, ...(text !== undefined && { text }) })

// A page may have a shortcut of its own on the keys; then the second way is the document's.
async function selectAll(editor: Editor, way: 'paste' | 'keyboard'): Promise<void> {
  if (way === 'keyboard' && editor.kind === 'prose') await act(editor, 'range')
  else if (!(await act(editor, 'select')).done) await editor.page.keyboard.press('ControlOrMeta+a')
}

// Firefox gets the keyboard's text letter by letter, which a code editor would indent and close.
async function put(editor: Editor, text: string, way: 'paste' | 'keyboard'): Promise<void> {
  const how = way === 'paste' ? 'paste' : editor.kind === 'code' ? 'insert' : undefined
  const done = how && (await act(editor, how, text)).done
  if (!done) await editor.page.keyboard.insertText(text)
}

// A model that cannot be reached is read as a person would: all of it is copied.
async function read(editor: Editor): Promise<string | undefined> {
  const { text } = await act(editor, 'read')
  if (text !== null) return text
  await editor.page.keyboard.press('ControlOrMeta+a')
  const copied = await act(editor, 'copy')
  await editor.page.keyboard.press(DOCUMENT_END)
  return copied.text ?? undefined
}

// True, or what the editor holds when it was waited for long enough. Most editors are ready at once, others a frame later.
async function heldSoon(
  editor: Editor,
  isMeant: (held: string) => boolean,
  ms = PUT_MS,
): Promise<true | string> {
  const end = performance.now() + ms
  for (;;) {
    const held = (await read(editor)) ?? ''
    if (isMeant(held)) return true
    if (performance.now() > end) return held
    await editor.run(waitOneFrame, undefined)
  }
}

const shown = (held: string): string => JSON.stringify(clip(held.trim(), 300))

const notTaken = (held: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the editor did not accept the text; it contains ${shown(held)}`,
  next: 'It may be read-only, or transform its input: take a snapshot to see the page.',
})

async function told<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const done = await attempt(work(), (error): Failure =>
    isAborted(error) ? { code: 'CANCELLED' } : browserError(error),
  )
  return done.ok ? done.value : done
}
