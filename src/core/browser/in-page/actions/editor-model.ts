// Runs in the main world of the page, where editors have their models and where synthetic clipboard events are handled.

import { deepestActiveElement } from '../page/elements.ts'

export interface EditorState {
  /** The content of the editor's model; null if the model is not accessible. */
  readonly text: string | null
  /** Whether the action was performed. */
  readonly isDone: boolean
}

export interface EditorRequest {
  /** `select` all in the model or as a `range` of the document, set the caret at its `end`, `paste` a text over the selection
   * or `insert` it as if typed in one piece, `copy` the selection. */
  readonly action: 'read' | 'select' | 'range' | 'end' | 'paste' | 'insert' | 'copy'
  readonly text?: string
}

interface EditorModel {
  read(): string
  select?(): void
  end?(): void
  replaceSelection?(text: string): boolean
}

export async function runEditorAction(
  element: Element,
  { action, text = '' }: EditorRequest,
): Promise<EditorState> {
  type EditorObject = Record<string, unknown> & ((...args: unknown[]) => unknown)
  const getPath = (holder: unknown, ...path: string[]): EditorObject | undefined =>
    path.reduce<unknown>((current, key) => (current as EditorObject | null | undefined)?.[key], holder) as
      EditorObject | undefined
  const callMethod = (holder: unknown, name: string, ...args: unknown[]): EditorObject | undefined =>
    getPath(holder, name)?.call(holder, ...args) as EditorObject | undefined

  // The element may be a part of the editor, or may contain it.
  const findNearest = (selector: string) => element.closest(selector) ?? element.querySelector(selector)

  function findMonacoModel(): EditorModel | undefined {
    const container = findNearest('.monaco-editor')
    const editors =
      container &&
      (callMethod(getPath(window, 'monaco', 'editor'), 'getEditors') as unknown as EditorObject[] | undefined)
    const editor = editors?.find((one) =>
      (callMethod(one, 'getDomNode') as unknown as Node | null)?.contains(container),
    )
    const model = editor && callMethod(editor, 'getModel')
    if (!model) return undefined
    return {
      read: () => String(callMethod(model, 'getValue')),
      select: () => callMethod(editor, 'setSelection', callMethod(model, 'getFullModelRange')),
      end: () =>
        callMethod(
          editor,
          'setPosition',
          callMethod(callMethod(model, 'getFullModelRange'), 'getEndPosition'),
        ),
      replaceSelection: (text) => {
        const edit = { range: callMethod(editor, 'getSelection'), text, forceMoveMarkers: true }
        const isExecuted = callMethod(editor, 'executeEdits', 'paste', [edit])
        callMethod(editor, 'pushUndoStop')
        return Boolean(isExecuted)
      },
    }
  }

  function findCodeMirrorModel(): EditorModel | undefined {
    const content = findNearest('.cm-editor')?.querySelector('.cm-content')
    const view =
      getPath(content, 'cmTile', 'root', 'view') ??
      getPath(content, 'cmView', 'rootView', 'view') ??
      getPath(content, 'cmView', 'view')
    if (view) {
      const length = () => Number(getPath(view, 'state', 'doc', 'length'))
      return {
        read: () => String(getPath(view, 'state', 'doc')),
        select: () => callMethod(view, 'dispatch', { selection: { anchor: 0, head: length() } }),
        end: () => callMethod(view, 'dispatch', { selection: { anchor: length() }, scrollIntoView: true }),
      }
    }
    const codeMirror5 = getPath(findNearest('.CodeMirror'), 'CodeMirror')
    if (!codeMirror5) return undefined
    return {
      read: () => String(callMethod(codeMirror5, 'getValue')),
      select: () => callMethod(codeMirror5, 'execCommand', 'selectAll'),
      end: () => callMethod(codeMirror5, 'execCommand', 'goDocEnd'),
    }
  }

  function findAceModel(): EditorModel | undefined {
    const editor = getPath(findNearest('.ace_editor'), 'env', 'editor')
    if (!editor) return undefined
    return {
      read: () => String(callMethod(editor, 'getValue')),
      select: () => callMethod(editor, 'selectAll'),
      end: () => callMethod(editor, 'navigateFileEnd'),
    }
  }

  function findRichTextModel(): EditorModel | undefined {
    const root = findNearest('.ProseMirror')
    const doc = getPath(root, 'editor', 'state', 'doc') ?? getPath(root, 'pmViewDesc', 'node')
    const size = Number(getPath(doc, 'content', 'size'))
    if (doc) return { read: () => String(callMethod(doc, 'textBetween', 0, size, '\n')) }
    const host = findNearest('[contenteditable]:not([contenteditable="false"]), body') as HTMLElement | null
    return host?.isContentEditable ? { read: () => host.innerText } : undefined
  }

  // The focused element: an editor consists of more than the element that receives its keys.
  const findFocused = (): Element =>
    deepestActiveElement(element.getRootNode() as Document | ShadowRoot) ?? element

  function dispatchClipboardEvent(kind: 'copy' | 'paste', data: DataTransfer): boolean {
    const event = new ClipboardEvent(kind, { bubbles: true, cancelable: true, composed: true })
    Object.defineProperty(event, 'clipboardData', { value: data })
    return !findFocused().dispatchEvent(event)
  }

  // A code editor may handle a paste asynchronously, and drops it when its selection changes meanwhile.
  async function pasteAndWait(data: DataTransfer): Promise<boolean> {
    const PASTE_TIMEOUT_MS = 1500
    let isChanged = !isCode
    const observer = new MutationObserver(() => (isChanged = true))
    observer.observe(findNearest('.view-lines') ?? findNearest(CODE) ?? element, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    const isHandled = dispatchClipboardEvent('paste', data)
    const end = performance.now() + PASTE_TIMEOUT_MS
    while (isHandled && !isChanged && performance.now() < end)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    observer.disconnect()
    return isHandled
  }

  const CODE = '.monaco-editor, .cm-editor, .CodeMirror, .ace_editor'
  const isCode = findNearest(CODE) !== null
  const model =
    findMonacoModel() ?? findCodeMirrorModel() ?? findAceModel() ?? (isCode ? undefined : findRichTextModel())
  const data = new DataTransfer()
  if (action === 'paste' && model?.replaceSelection)
    return { text: null, isDone: model.replaceSelection(text) }
  if (action === 'paste') {
    data.setData('text/plain', text)
    return { text: null, isDone: await pasteAndWait(data) }
  }
  if (action === 'insert') return { text: null, isDone: document.execCommand('insertText', false, text) }
  if (action === 'copy') {
    dispatchClipboardEvent('copy', data)
    return { text: data.getData('text/plain'), isDone: true }
  }
  if (action === 'range') getSelection()?.selectAllChildren(findNearest('[contenteditable]') ?? element)
  const move = action === 'select' || action === 'end' ? model?.[action] : undefined
  move?.()
  return { text: model?.read() ?? null, isDone: action === 'read' || move !== undefined }
}
