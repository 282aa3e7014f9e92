// Runs inside the page, in its own world: that is where editors keep their models, and where the events of the clipboard that we make are
// read. It may use nothing but its arguments and the DOM.

export interface EditorState {
  /** What the editor holds, as its own model has it; null where the model cannot be reached. */
  readonly text: string | null
  /** Whether what was asked for was done. */
  readonly isDone: boolean
}

export interface EditorRequest {
  /** `select` all of it by its model or as a `range` of the document, set the caret at its `end`, `paste` a text over what is selected
   * or `insert` it as if typed in one piece, `copy` what is selected. */
  readonly action: 'read' | 'select' | 'range' | 'end' | 'paste' | 'insert' | 'copy'
  readonly text?: string
}

interface Model {
  read(): string
  select?(): void
  end?(): void
  /** Puts a text in place of what is selected. */
  put?(text: string): boolean
}

interface Dependencies {
  deepestActiveElement(root: Document | ShadowRoot): Element | null
}

export async function runEditorAction(
  { deepestActiveElement }: Dependencies,
  element: Element,
  { action, text = '' }: EditorRequest,
): Promise<EditorState> {
  type Any = Record<string, unknown> & ((...given: unknown[]) => unknown)
  const own = (holder: unknown, ...path: string[]): Any | undefined =>
    path.reduce<unknown>((at, key) => (at as Any | null | undefined)?.[key], holder) as Any | undefined
  const send = (holder: unknown, name: string, ...given: unknown[]): Any | undefined =>
    own(holder, name)?.call(holder, ...given) as Any | undefined

  // The element may be a part of the editor, or what the editor is in.
  const nearest = (selector: string) => element.closest(selector) ?? element.querySelector(selector)

  function monaco(): Model | undefined {
    const inside = nearest('.monaco-editor')
    const all =
      inside && (send(own(window, 'monaco', 'editor'), 'getEditors') as unknown as Any[] | undefined)
    const editor = all?.find((one) => (send(one, 'getDomNode') as unknown as Node | null)?.contains(inside))
    const model = editor && send(editor, 'getModel')
    if (!model) return undefined
    return {
      read: () => String(send(model, 'getValue')),
      select: () => send(editor, 'setSelection', send(model, 'getFullModelRange')),
      end: () => send(editor, 'setPosition', send(send(model, 'getFullModelRange'), 'getEndPosition')),
      put: (text) => {
        const edit = { range: send(editor, 'getSelection'), text, forceMoveMarkers: true }
        const done = send(editor, 'executeEdits', 'paste', [edit])
        send(editor, 'pushUndoStop')
        return Boolean(done)
      },
    }
  }

  function codeMirror(): Model | undefined {
    const content = nearest('.cm-editor')?.querySelector('.cm-content')
    const view =
      own(content, 'cmTile', 'root', 'view') ??
      own(content, 'cmView', 'rootView', 'view') ??
      own(content, 'cmView', 'view')
    if (view) {
      const length = () => Number(own(view, 'state', 'doc', 'length'))
      return {
        read: () => String(own(view, 'state', 'doc')),
        select: () => send(view, 'dispatch', { selection: { anchor: 0, head: length() } }),
        end: () => send(view, 'dispatch', { selection: { anchor: length() }, scrollIntoView: true }),
      }
    }
    const older = own(nearest('.CodeMirror'), 'CodeMirror')
    if (!older) return undefined
    return {
      read: () => String(send(older, 'getValue')),
      select: () => send(older, 'execCommand', 'selectAll'),
      end: () => send(older, 'execCommand', 'goDocEnd'),
    }
  }

  function ace(): Model | undefined {
    const editor = own(nearest('.ace_editor'), 'env', 'editor')
    if (!editor) return undefined
    return {
      read: () => String(send(editor, 'getValue')),
      select: () => send(editor, 'selectAll'),
      end: () => send(editor, 'navigateFileEnd'),
    }
  }

  function prose(): Model | undefined {
    const root = nearest('.ProseMirror')
    const doc = own(root, 'editor', 'state', 'doc') ?? own(root, 'pmViewDesc', 'node')
    const size = Number(own(doc, 'content', 'size'))
    if (doc) return { read: () => String(send(doc, 'textBetween', 0, size, '\n')) }
    const host = nearest('[contenteditable]:not([contenteditable="false"]), body') as HTMLElement | null
    return host?.isContentEditable ? { read: () => host.innerText } : undefined
  }

  // Where the focus is: an editor may be more than the one element that takes its keys.
  const focused = (): Element =>
    deepestActiveElement(element.getRootNode() as Document | ShadowRoot) ?? element

  function clipboard(kind: 'copy' | 'paste', data: DataTransfer): boolean {
    const event = new ClipboardEvent(kind, { bubbles: true, cancelable: true, composed: true })
    Object.defineProperty(event, 'clipboardData', { value: data })
    return !focused().dispatchEvent(event)
  }

  // An editor of code may think about what is pasted, and gives it up when its selection changes meanwhile.
  async function pasted(data: DataTransfer): Promise<boolean> {
    const PASTE_MS = 1500
    let changed = !isCode
    const observer = new MutationObserver(() => (changed = true))
    observer.observe(nearest('.view-lines') ?? nearest(CODE) ?? element, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    const isTaken = clipboard('paste', data)
    const end = performance.now() + PASTE_MS
    while (isTaken && !changed && performance.now() < end)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    observer.disconnect()
    return isTaken
  }

  const CODE = '.monaco-editor, .cm-editor, .CodeMirror, .ace_editor'
  const isCode = nearest(CODE) !== null
  const model = monaco() ?? codeMirror() ?? ace() ?? (isCode ? undefined : prose())
  const data = new DataTransfer()
  if (action === 'paste' && model?.put) return { text: null, isDone: model.put(text) }
  if (action === 'paste') {
    data.setData('text/plain', text)
    return { text: null, isDone: await pasted(data) }
  }
  if (action === 'insert') return { text: null, isDone: document.execCommand('insertText', false, text) }
  if (action === 'copy') {
    clipboard('copy', data)
    return { text: data.getData('text/plain'), isDone: true }
  }
  if (action === 'range') getSelection()?.selectAllChildren(nearest('[contenteditable]') ?? element)
  const move = action === 'select' || action === 'end' ? model?.[action] : undefined
  move?.()
  return { text: model?.read() ?? null, isDone: action === 'read' || move !== undefined }
}
