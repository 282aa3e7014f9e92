// Checks whether an element can be clicked or typed into: waits until an obstacle is gone, and puts the caret where typing continues.

import {
  CODE_EDITORS,
  describeField,
  findInertRoot,
  hitElement,
  isControlDisabled,
  joinSpaces,
  shownParentOf,
} from '../page/elements.ts'
import type { Obstacle } from '../../../base/failure-records.ts'
import type { EditorKind } from '../../../base/text/key-names.ts'
import type { FieldDescription } from '../../../base/redaction/secret-names.ts'

export interface ActionabilityOptions {
  readonly action: 'click' | 'type'
  /** Time to wait until the obstacle is gone. */
  readonly timeoutMs: number
  /** Whether the caret stays where it is. */
  readonly keepCaret?: boolean
}

export interface Actionability {
  readonly obstacle?: Obstacle
  /** What covers the element, or what it is. */
  readonly by?: string
  /** The attributes that determine whether it is a secret field. */
  readonly field?: FieldDescription
  /** It is set to a value and not typed into, as date and color fields. */
  readonly isSetWhole?: true
  /** It accepts only some characters, as number fields do. */
  readonly isNumeric?: true
  /** The value of a field, unless it is long. */
  readonly value?: string
  /** It belongs to an editor with a text model: a code editor, which must not change what is typed, or a rich text editor. */
  readonly editor?: EditorKind
  /** No element or several elements were passed; nothing was checked. */
  readonly isAmbiguous?: true
}

export async function checkActionability(
  [first, second]: Element[],
  { action, timeoutMs, keepCaret }: ActionabilityOptions,
): Promise<Actionability> {
  if (!first || second) return { isAmbiguous: true }
  // A field of an editor that takes no keys stands for the one that does.
  const isHelper = first.matches('.monaco-editor textarea[readonly]')
  const isOwnField = takesText(first) && !isHelper
  const element = action === 'click' || isOwnField ? first : (editorOf(first) ?? first)
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  function describe(node: Element): string {
    const id = node.id ? ` id="${node.id}"` : ''
    const className = node.getAttribute('class')
    const text = joinSpaces(node.textContent ?? '').slice(0, 40)
    return `<${node.localName}${id}${className ? ` class="${className.slice(0, 60)}"` : ''}>${text && ` "${text}"`}`
  }

  // The element that receives the keys of an editor may have no size.
  function isHidden(): boolean {
    const visibleElement =
      (action === 'type' && editorKind().editor === 'code' && element.closest(CODE_EDITORS)) || element
    const style = getComputedStyle(visibleElement)
    if (visibleElement.checkVisibility?.() === false) return true
    const { width, height } = visibleElement.getBoundingClientRect()
    return style.visibility !== 'visible' || style.display === 'none' || width === 0 || height === 0
  }

  // The element that receives keys: of the code editor that contains the node, else of the only editor in the node.
  function editorOf(node: Element): Element | undefined {
    if (node.matches('html, body')) return undefined
    const codeInputs =
      '.monaco-editor .native-edit-context, .monaco-editor .inputarea, .cm-content, .CodeMirror textarea, .ace_text-input'
    const codeEditor = node.closest(CODE_EDITORS)
    const [only, other] = (codeEditor ?? node).querySelectorAll(
      codeEditor
        ? codeInputs
        : `${codeInputs}, [contenteditable=""], [contenteditable="true"], [contenteditable="plaintext-only"]`,
    )
    return codeEditor || !other ? only : undefined
  }

  function takesText(element: Element): boolean {
    if (element instanceof HTMLTextAreaElement) return true
    if (
      element instanceof HTMLElement &&
      (element.isContentEditable || ('editContext' in element && element.editContext))
    )
      return true
    const nonTextTypes = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/
    return element instanceof HTMLInputElement && !nonTextTypes.test(element.type)
  }

  function checkHitTarget(): Actionability {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const box = element.getClientRects()[0] ?? element.getBoundingClientRect()
    const x = box.left + box.width / 2
    const y = box.top + box.height / 2
    const isOutside = x < 0 || y < 0 || x > innerWidth || y > innerHeight
    const hit = isOutside ? null : hitElement(x, y)
    for (let node: Node | null = hit; node; node = node instanceof ShadowRoot ? node.host : node.parentNode) {
      if (node === element) return {}
      if (node instanceof HTMLLabelElement && node.control === element) return {}
    }
    const clipper = findClipper(element, x, y) ?? (hit && findOwnClip(element, hit))
    if (clipper) return { obstacle: 'clipped', by: describe(clipper) }
    const passive = findPassiveRoot(element)
    if (passive) return { obstacle: 'passive', by: describe(passive) }
    if (!hit) return { obstacle: 'outside' }
    return { obstacle: 'covered', by: describe(hit) }
  }

  // Nothing moves without a frame, and on a busy machine the next one may take long.
  async function isMoving(): Promise<boolean> {
    const frameTimeoutMs = 500
    const before = element.getBoundingClientRect()
    await Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), wait(frameTimeoutMs)])
    const after = element.getBoundingClientRect()
    return before.x !== after.x || before.y !== after.y || before.width !== after.width
  }

  async function checkOnce(): Promise<Actionability> {
    if (!element.isConnected) return { obstacle: 'detached' }
    if (action !== 'click' && !takesText(element)) return { obstacle: 'no_text', by: describe(element) }
    if (isHidden()) return { obstacle: 'hidden', by: describe(element) }
    const inertRoot = findInertRoot(element)
    if (inertRoot) return { obstacle: 'inert', by: describe(inertRoot) }
    if (isControlDisabled(element)) return { obstacle: 'disabled', by: describe(element) }
    if (action !== 'click') {
      const isReadOnly =
        (element as HTMLInputElement).readOnly || element.getAttribute('aria-readonly') === 'true'
      if (isReadOnly) return { obstacle: 'read_only', by: describe(element) }
      const valueTypes = ['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']
      const valueLimit = 10_000
      const { type = '', value } = element as Partial<HTMLInputElement>
      return {
        field: describeField(element),
        ...(value !== undefined && value.length <= valueLimit && { value }),
        ...(valueTypes.includes(type) && { isSetWhole: true as const }),
        ...(type === 'number' && { isNumeric: true as const }),
        ...editorKind(),
      }
    }
    return (await isMoving()) ? { obstacle: 'moving', by: describe(element) } : checkHitTarget()
  }

  function editorKind(): Pick<Actionability, 'editor'> {
    const codeInputs =
      '.native-edit-context, .inputarea, .cm-content, .cm-content *, .CodeMirror textarea, .ace_text-input'
    if (element.matches(codeInputs) && element.closest(CODE_EDITORS)) return { editor: 'code' }
    if (!(element instanceof HTMLElement && element.isContentEditable)) return {}
    return { editor: element.role === 'spinbutton' ? 'segment' : 'prose' }
  }

  function focusAtEnd(): void {
    const field = element as HTMLInputElement
    // Elements inside an editor cannot be focused.
    let host: HTMLElement = field
    while (host.isContentEditable && host.parentElement?.isContentEditable) host = host.parentElement
    host.focus()
    if (field.isContentEditable) {
      // Into the last text node, not after its parent: Firefox would type beside the last paragraph.
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
      // A visible mask moves the caret to its first free place when it is clicked.
      if (/_.*_/.test(field.value)) {
        field.dispatchEvent(new MouseEvent('click', { bubbles: true }))
        const place = field.value.indexOf('_')
        if (!/[\p{L}\p{N}]/u.test(field.value)) field.setSelectionRange(place, place)
      }
    } catch {
      // number, date and similar fields have no selection; the browser determines where typed text goes
    }
  }

  const deadline = performance.now() + timeoutMs
  for (;;) {
    const actionability = await checkOnce()
    const isFinal = actionability.obstacle === 'no_text' || actionability.obstacle === 'detached'
    if (!actionability.obstacle && action !== 'click' && !keepCaret) focusAtEnd()
    if (!actionability.obstacle || isFinal || performance.now() >= deadline) return actionability
    await wait(25)
  }
}

/** Whether keys reach an element within a time. Those for an inert one would go to what has the focus. */
export async function takesKeys(element: Element, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (findInertRoot(element) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 25))
  return !findInertRoot(element)
}

// --- internal ---

/** The element around another one that cuts it off at this point of the viewport. */
function findClipper(element: Element, x: number, y: number): Element | undefined {
  let { position } = getComputedStyle(element)
  for (let node = shownParentOf(element); node && node !== document.body; node = shownParentOf(node)) {
    const style = getComputedStyle(node)
    // What is positioned is cut off by that in which it is positioned, and by what is around that.
    const isContaining =
      style.transform !== 'none' || (position === 'absolute' && style.position !== 'static')
    if (/absolute|fixed/.test(position) && !isContaining) continue
    position = style.position
    if (style.overflow === 'visible') continue
    const { left, top, right, bottom } = node.getBoundingClientRect()
    if (right - left < 1 || bottom - top < 1 || x < left || y < top || x > right || y > bottom) return node
  }
  return undefined
}

/** What has a clip of its own, of the elements from another one outwards to the one around it that is hit in its place. */
function findOwnClip(element: Element, hit: Element): Element | undefined {
  let clipped: Element | undefined
  let node: Element | null = element
  for (; node && node !== hit; node = shownParentOf(node)) {
    const { clip, clipPath } = getComputedStyle(node)
    if (clip !== 'auto' || clipPath !== 'none') clipped ??= node
  }
  return node ? clipped : undefined
}

/** The outermost of the elements, from another one outwards, that the mouse passes through. */
function findPassiveRoot(element: Element): Element | undefined {
  let root: Element | undefined
  for (let node: Element | null = element; node; node = shownParentOf(node)) {
    if (getComputedStyle(node).pointerEvents !== 'none') break
    root = node
  }
  return root
}
