// Why an element cannot be clicked or typed into: waits a little for that to pass, and puts the caret where typing continues.

import type { Obstacle } from '../../../core/failure.ts'
import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

export interface ActionabilityOptions {
  readonly action: 'click' | 'type'
  /** Milliseconds to wait for the obstacle to go away. */
  readonly timeoutMs: number
  /** Whether the caret stays where it is. */
  readonly keepCaret?: boolean
}

export interface Actionability {
  readonly obstacle?: Obstacle
  /** What covers the element, or what it is. */
  readonly by?: string
  /** What tells whether it takes secrets. */
  readonly field?: FieldDescription
  /** It takes a value at once and no keys, as date and color fields do. */
  readonly isSetWhole?: true
  /** It takes only some characters, as number fields do. */
  readonly isNumeric?: true
  /** It belongs to an editor that has a model of its text: one of code, which must not change what is typed, or one of prose. */
  readonly editor?: 'code' | 'prose'
  /** None or several of the elements that were given; nothing was looked at. */
  readonly isAmbiguous?: true
}

interface Dependencies {
  hitElement(x: number, y: number): Element | null
  describeField(element: Element): FieldDescription
}

export async function checkActionability(
  { hitElement, describeField }: Dependencies,
  [first, second]: Element[],
  { action, timeoutMs, keepCaret }: ActionabilityOptions,
): Promise<Actionability> {
  if (!first || second) return { isAmbiguous: true }
  const codeEditors = '.monaco-editor, .cm-editor, .CodeMirror, .ace_editor'
  const element = action === 'click' || takesText(first) ? first : (editorOf(first) ?? first)
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  function describe(node: Element): string {
    const id = node.id ? ` id="${node.id}"` : ''
    const names = node.getAttribute('class')
    const text = (node.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)
    return `<${node.localName}${id}${names ? ` class="${names.slice(0, 60)}"` : ''}>${text && ` "${text}"`}`
  }

  // What takes the keys of an editor may have no size.
  function hidden(): boolean {
    const seen =
      (action === 'type' && editorKind().editor === 'code' && element.closest(codeEditors)) || element
    const style = getComputedStyle(seen)
    const { width, height } = seen.getBoundingClientRect()
    return style.visibility !== 'visible' || style.display === 'none' || width === 0 || height === 0
  }

  // Of the code editor that the node is a part of, else of the one editor that is in it: what takes the keys.
  function editorOf(node: Element): Element | undefined {
    if (node.matches('html, body')) return undefined
    const code =
      '.monaco-editor .native-edit-context, .monaco-editor .inputarea, .cm-content, .CodeMirror textarea, .ace_text-input'
    const around = node.closest(codeEditors)
    const [only, other] = (around ?? node).querySelectorAll(
      around
        ? code
        : `${code}, [contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"]`,
    )
    return around || !other ? only : undefined
  }

  function takesText(element: Element): boolean {
    if (element instanceof HTMLTextAreaElement) return true
    if (
      element instanceof HTMLElement &&
      (element.isContentEditable || ('editContext' in element && element.editContext))
    )
      return true
    const refused = [
      'button',
      'checkbox',
      'color',
      'file',
      'hidden',
      'image',
      'radio',
      'range',
      'reset',
      'submit',
    ]
    return element instanceof HTMLInputElement && !refused.includes(element.type)
  }

  function disabled(): boolean {
    return element.matches(':disabled') || element.closest('[aria-disabled="true"]') !== null
  }

  function cover(): Actionability {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const box = element.getClientRects()[0] ?? element.getBoundingClientRect()
    const x = box.left + box.width / 2
    const y = box.top + box.height / 2
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return { obstacle: 'outside' }
    const hit = hitElement(x, y)
    for (let node: Node | null = hit; node; node = node instanceof ShadowRoot ? node.host : node.parentNode) {
      if (node === element) return {}
      if (node instanceof HTMLLabelElement && node.control === element) return {}
    }
    return hit ? { obstacle: 'covered', by: describe(hit) } : { obstacle: 'outside' }
  }

  async function moving(): Promise<boolean> {
    const before = element.getBoundingClientRect()
    await Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), pause(50)])
    const after = element.getBoundingClientRect()
    return before.x !== after.x || before.y !== after.y || before.width !== after.width
  }

  async function judge(): Promise<Actionability> {
    if (!element.isConnected) return { obstacle: 'detached' }
    if (action !== 'click' && !takesText(element)) return { obstacle: 'no_text', by: describe(element) }
    if (hidden()) return { obstacle: 'hidden', by: describe(element) }
    if (disabled()) return { obstacle: 'disabled', by: describe(element) }
    if (action !== 'click') {
      const frozen =
        (element as HTMLInputElement).readOnly || element.getAttribute('aria-readonly') === 'true'
      if (frozen) return { obstacle: 'read_only', by: describe(element) }
      const chosen = ['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']
      const { type = '' } = element as Partial<HTMLInputElement>
      return {
        field: describeField(element),
        ...(chosen.includes(type) && { isSetWhole: true as const }),
        ...(type === 'number' && { isNumeric: true as const }),
        ...editorKind(),
      }
    }
    return (await moving()) ? { obstacle: 'moving', by: describe(element) } : cover()
  }

  function editorKind(): Pick<Actionability, 'editor'> {
    const code =
      '.native-edit-context, .inputarea, .cm-content, .cm-content *, .CodeMirror textarea, .ace_text-input'
    if (element.matches(code) && element.closest(codeEditors)) return { editor: 'code' }
    return element instanceof HTMLElement && element.isContentEditable ? { editor: 'prose' } : {}
  }

  function focusAtEnd(): void {
    const field = element as HTMLInputElement
    // What is in an editor takes no focus itself.
    let host: HTMLElement = field
    while (host.isContentEditable && host.parentElement?.isContentEditable) host = host.parentElement
    host.focus()
    if (field.isContentEditable) {
      // Into the last text, not after what holds it: Firefox would type beside the last paragraph.
      const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE
      let last: Node | undefined = element
      for (let next: Node | undefined = last; next;) {
        last = next
        next = [...last.childNodes].filter((node) => !isText(node) || /\S/.test(node.data)).at(-1)
      }
      getSelection()?.selectAllChildren(element)
      getSelection()?.collapseToEnd()
      if (isText(last)) getSelection()?.collapse(last, last.length)
      return
    }
    try {
      field.setSelectionRange(field.value.length, field.value.length)
    } catch {
      // number, date and the like have no selection; typing replaces or appends as the browser sees fit
    }
  }

  const end = performance.now() + timeoutMs
  for (;;) {
    const actionability = await judge()
    const final = actionability.obstacle === 'no_text' || actionability.obstacle === 'detached'
    if (!actionability.obstacle && action !== 'click' && !keepCaret) focusAtEnd()
    if (!actionability.obstacle || final || performance.now() >= end) return actionability
    await pause(25)
  }
}
