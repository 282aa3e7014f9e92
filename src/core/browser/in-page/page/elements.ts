// What in-page functions ask about elements.

import type { FieldDescription } from '../../../base/redaction/secret-names.ts'

export const CODE_EDITORS = '.monaco-editor, .cm-editor, .CodeMirror, .ace_editor'

/** The attributes that determine whether a field is secret. In Firefox the property `autocomplete` is empty for unknown values, such as
 * one-time-code, so the attribute is read. */
export function describeField(element: Element): FieldDescription {
  const field = element as Partial<HTMLInputElement>
  const autocomplete = (element.getAttribute('autocomplete') ?? '').trim().toLowerCase()
  return { type: field.type ?? '', name: field.name ?? '', id: element.id, autocomplete }
}

/** The deepest element at a point of the viewport, through open shadow roots. */
export function hitElement(x: number, y: number): Element | null {
  let hit = document.elementFromPoint(x, y)
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y)
    if (!inner || inner === hit) break
    hit = inner
  }
  return hit
}

/** The element with the focus, through open shadow roots. */
export function deepestActiveElement(root: Document | ShadowRoot): Element | null {
  let active = root.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}

/** The markup of an XML document that the browser itself draws, as Firefox does in a tree that no script reaches; undefined for others. */
export function readDrawnMarkup(root: Element): string | undefined {
  const hasOwnTags = root instanceof HTMLElement || root instanceof SVGElement
  if (root !== document.documentElement || hasOwnTags || root.childNodes.length === 0) return undefined
  const content = document.createRange()
  content.selectNodeContents(root)
  return content.getClientRects().length === 0 ? root.outerHTML : undefined
}

/** The element around another one, through open shadow roots. */
export const parentOf = (element: Element): Element | null =>
  element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null

/** The same, where a slot shows it. */
export const shownParentOf = (element: Element): Element | null => element.assignedSlot ?? parentOf(element)

/** What keeps mouse and keyboard from an element: it or an element around it that is inert. A modal dialog in one is not. */
export function findInertRoot(element: Element): Element | undefined {
  for (let node: Element | null = element; node; node = shownParentOf(node)) {
    if ((node as HTMLElement).inert === true) return node
    if (node.matches('dialog:modal')) return undefined
  }
  return undefined
}

/** Whether a person cannot use a control. */
export const isControlDisabled = (element: Element): boolean =>
  element.matches(':disabled') ||
  element.closest('[aria-disabled="true"]') !== null ||
  findInertRoot(element) !== undefined

export function isVisible(node: Element): boolean {
  const { width, height } = node.getBoundingClientRect()
  return width > 0 && height > 0 && getComputedStyle(node).visibility === 'visible'
}

/** The text of an element without that of some parts. The text of a part that is not rendered is none of it. */
export const textWithout = (element: Element, parts: readonly Element[]): string =>
  parts
    .filter((part): part is HTMLElement => part !== element && part.getClientRects().length > 0)
    .reduce((text, part) => text.replace(part.innerText, ''), (element as HTMLElement).innerText ?? '')

export const joinSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Whether a slider is an input that takes keys alone: the page draws it, and the input has no size. */
export function isDrawnSlider(element: Element): boolean {
  if (!element.matches('input[type="range"][aria-valuenow]')) return false
  const { width, height } = element.getBoundingClientRect()
  return width * height === 0 || getComputedStyle(element).clip !== 'auto'
}
