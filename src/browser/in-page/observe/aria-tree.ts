// Runs in Playwright's utility world: Playwright's accessibility tree, completed. Playwright assigns a new ref when a name changes, none
// while an element receives no clicks, and omits names below `aria-hidden`; a modal layer does all three to the rest of the page.

import type {
  AriaInjected,
  AriaJson,
  AriaNode,
  AriaRef,
  AriaJsonNode,
  AriaSnapshotState,
} from '../../playwright/injected-script.ts'
import type { ElementMatches } from '../../playwright/internals.ts'

/** The tree of the only match, or of the first, as JSON text: Playwright would take half a second to serialize ten thousand objects. */
export function ariaTree(
  { elements, injected }: ElementMatches,
  { depth, first }: { readonly depth?: number; readonly first: boolean },
): string | undefined {
  const [root] = elements
  if (!root || (!first && elements.length > 1)) return undefined
  const aria = injected as unknown as AriaInjected
  const state = (aria.footlight ??= createState())

  // An element keeps its ref as long as it exists.
  function createState(): AriaSnapshotState {
    const refs = new WeakMap<Element, AriaRef>()
    const elementsByRef = new Map<string, WeakRef<Element>>()
    let refLimit = 10_000
    const removeCollected = () => {
      for (const [ref, element] of elementsByRef) if (!element.deref()) elementsByRef.delete(ref)
      refLimit = Math.max(10_000, elementsByRef.size * 2)
    }
    Object.defineProperty(Element.prototype, '_ariaRef', {
      configurable: true,
      get(this: Element) {
        return refs.get(this)
      },
      set(this: Element, newRef: AriaRef) {
        const previousRef = refs.get(this)
        if (previousRef) newRef.ref = previousRef.ref
        else elementsByRef.set(newRef.ref, new WeakRef(this))
        refs.set(this, newRef)
        if (elementsByRef.size > refLimit) removeCollected()
      },
    })
    aria._engines.set('aria-ref', {
      queryAll(_, ref) {
        const element =
          elementsByRef.get(ref)?.deref() ?? aria._lastAriaSnapshotForQuery?.info.get(ref)?.element
        return element?.isConnected ? [element] : []
      },
    })
    // Ignores `aria-hidden` of the exposed parts in this world only; the page and its observers are not affected.
    const { getAttribute } = Element.prototype
    Element.prototype.getAttribute = function (name) {
      const isExposed = name === 'aria-hidden' && aria.footlight?.uncovered.has(this)
      return isExposed ? null : getAttribute.call(this, name)
    }
    return {
      uncovered: new Set(),
      refs,
      keys: new WeakMap(),
      unnamed: new WeakSet(),
      pointed: new WeakSet(),
      count: 0,
    }
  }

  // Decoration may be hidden from the tree; hidden parts with controls or headings are included.
  const usableElements =
    'a[href],button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,table,[tabindex],[role]:not([role=presentation],[role=none],[role=img])'
  const controls = 'a,button,label,svg,[role=button],[role=link],[role=option]'
  const hiddenParts = new Set(
    [...document.querySelectorAll('[aria-hidden="true"]')].filter(
      (part) =>
        (part.matches(usableElements) || part.querySelector(usableElements)) &&
        !part.parentElement?.closest(controls),
    ),
  )
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1)

  function snapshot(): AriaJson {
    state.uncovered = hiddenParts
    try {
      return aria.ariaSnapshotJSON(root as Element, { mode: 'ai', ...(depth !== undefined && { depth }) })
    } finally {
      state.uncovered = new Set()
    }
  }

  // The ancestor that hides an element may not be in the tree.
  const hiddenCache = new Map<Element, boolean>()
  function isHidden(element: Element): boolean {
    const cachedResult = hiddenCache.get(element)
    if (cachedResult !== undefined) return cachedResult
    const { parentElement: parent } = element
    const isBehindModal = modal !== undefined && !element.contains(modal) && !modal.contains(element)
    const isHiddenItself =
      hiddenParts.has(element) || (element as HTMLElement).inert === true || isBehindModal
    const result = isHiddenItself || (parent !== null && element !== root && isHidden(parent))
    hiddenCache.set(element, result)
    return result
  }

  // A honeypot, or a control only for screen readers or the keyboard. Checkboxes are excluded because custom ones often hide their input.
  function isUnseen(element: Element, role: string): boolean {
    const isTextField = role === 'textbox' || role === 'searchbox'
    if (!isTextField && role !== 'link' && role !== 'button') return false
    if (isTextField && element.checkVisibility && !element.checkVisibility({ opacityProperty: true }))
      return true
    const box = element.getBoundingClientRect()
    if (getComputedStyle(element).display === 'contents') return false
    if (box.width <= 1 || box.height <= 1) return true
    let { right, bottom } = box
    if (right > 0 && bottom > 0) return false
    for (let part: Element | null = element.parentElement; part; part = part.parentElement) {
      right += part.scrollLeft
      bottom += part.scrollTop
    }
    return right <= 0 || bottom <= 0
  }

  // Playwright omits a name that consists of elements with refs. Controls get their name back; other elements are reported as they were
  // while they received clicks.
  const nameFromContentRoles = /^(button|link|tab|checkbox|radio|switch|option|menuitem\w*)$/
  const NAME_LIMIT_CHARS = 120
  function restoreName(node: AriaJsonNode, element: Element): void {
    const name = state.refs.get(element)?.name ?? ''
    if (node.ref === undefined && state.unnamed.has(element)) delete node.name
    if (node.name || name === '' || node.ref === undefined) return
    if (nameFromContentRoles.test(node.role) && name.length <= NAME_LIMIT_CHARS) node.name = name
    else state.unnamed.add(element)
  }

  // An element that temporarily receives no clicks, as behind a layer or while one opens, keeps its ref and cursor.
  function restoreRef(node: AriaJsonNode, element: Element): void {
    const knownRef = state.refs.get(element)
    if (node.ref !== undefined && node.cursor === 'pointer') state.pointed.add(element)
    else if (node.ref !== undefined) state.pointed.delete(element)
    else if (knownRef) {
      node.ref = knownRef.ref
      node.passive = true
      if (state.pointed.has(element)) node.cursor = 'pointer'
    }
  }

  function complete(node: AriaJsonNode, aria: AriaNode, element: Element): void {
    let key = state.keys.get(element)
    if (key === undefined) state.keys.set(element, (key = state.count += 1))
    node.key = `${frame}n${key}`
    restoreName(node, element)
    restoreRef(node, element)
    if (aria.expanded === false) node.expanded = false
    const { parentElement: parent } = element
    if (element.tagName === 'SUMMARY' && parent?.tagName === 'DETAILS') {
      node.expanded = (parent as HTMLDetailsElement).open
      if (node.role === 'generic') node.role = 'button'
    }
    if (isHidden(element)) node.hidden = true
    if (element.getAttribute('draggable') === 'true') node.draggable = true
    if (isUnseen(element, aria.role)) node.unseen = true
  }

  const frame = aria._frameSeq ? `f${aria._frameSeq}` : ''
  const isNode = (child: AriaNode | string): child is AriaNode => typeof child !== 'string'

  function walk(node: AriaJsonNode, aria: AriaNode): void {
    const symbol = Object.getOwnPropertySymbols(aria).find(({ description }) => description === 'element')
    const element = symbol && (aria as unknown as Record<symbol, Element | undefined>)[symbol]
    if (element) complete(node, aria, element)
    const childNodes = aria.children.filter(isNode)
    let index = 0
    for (const child of node.children ?? []) {
      const match = typeof child === 'string' ? undefined : childNodes[index++]
      if (match) walk(child as AriaJsonNode, match)
    }
  }

  const result = snapshot()
  const rootNode = aria._lastAriaSnapshotForQuery?.root
  const nodes = rootNode?.role === 'fragment' ? rootNode.children : rootNode ? [rootNode] : []
  result.json.forEach((node, index) => {
    const match = nodes[index]
    if (match && isNode(match)) walk(node, match)
  })
  return JSON.stringify(result)
}
