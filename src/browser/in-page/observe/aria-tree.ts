// Runs in Playwright's utility world: Playwright's accessibility tree with what it leaves out. Playwright gives an element a new ref when its name changes and none while it takes no clicks, and names
// nothing below `aria-hidden`; a modal layer does all three to the rest of the page.

import type {
  AriaInjected,
  AriaJson,
  AriaNode,
  AriaRef,
  AriaJsonNode,
  AriaSnapshotState,
} from '../../playwright/injected-script.ts'
import type { ElementMatches } from '../../playwright/internals.ts'

/** The tree of the only element found, or of the first, as JSON text: ten thousand objects would take Playwright half a second. */
export function ariaTree(
  { elements, injected }: ElementMatches,
  { depth, first }: { readonly depth?: number; readonly first: boolean },
): string | undefined {
  const [root] = elements
  if (!root || (!first && elements.length > 1)) return undefined
  const aria = injected as unknown as AriaInjected
  const kept = (aria.footlight ??= keepRefs())

  // A ref stays with its element as long as both live.
  function keepRefs(): AriaSnapshotState {
    const refs = new WeakMap<Element, AriaRef>()
    const elementsByRef = new Map<string, WeakRef<Element>>()
    let limit = 10_000
    const forget = () => {
      for (const [ref, element] of elementsByRef) if (!element.deref()) elementsByRef.delete(ref)
      limit = Math.max(10_000, elementsByRef.size * 2)
    }
    Object.defineProperty(Element.prototype, '_ariaRef', {
      configurable: true,
      get(this: Element) {
        return refs.get(this)
      },
      set(this: Element, given: AriaRef) {
        const before = refs.get(this)
        if (before) given.ref = before.ref
        else elementsByRef.set(given.ref, new WeakRef(this))
        refs.set(this, given)
        if (elementsByRef.size > limit) forget()
      },
    })
    aria._engines.set('aria-ref', {
      queryAll(_, ref) {
        const element =
          elementsByRef.get(ref)?.deref() ?? aria._lastAriaSnapshotForQuery?.info.get(ref)?.element
        return element?.isConnected ? [element] : []
      },
    })
    // As if the hidden parts were not, in this world only: the page and its observers see no difference.
    const { getAttribute } = Element.prototype
    Element.prototype.getAttribute = function (name) {
      const uncovered = name === 'aria-hidden' && aria.footlight?.uncovered.has(this)
      return uncovered ? null : getAttribute.call(this, name)
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

  // Decoration may be hidden from the tree; a part of the page that can be used comes back.
  const used =
    'a[href],button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,table,[tabindex],[role]:not([role=presentation],[role=none],[role=img])'
  const controls = 'a,button,label,svg,[role=button],[role=link],[role=option]'
  const hiddenParts = new Set(
    [...document.querySelectorAll('[aria-hidden="true"]')].filter(
      (part) => (part.matches(used) || part.querySelector(used)) && !part.parentElement?.closest(controls),
    ),
  )
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1)

  function snapshot(): AriaJson {
    kept.uncovered = hiddenParts
    try {
      return aria.ariaSnapshotJSON(root as Element, { mode: 'ai', ...(depth !== undefined && { depth }) })
    } finally {
      kept.uncovered = new Set()
    }
  }

  // The box that hides a part need not be in the tree itself.
  const hidden = new Map<Element, boolean>()
  function isHidden(element: Element): boolean {
    const known = hidden.get(element)
    if (known !== undefined) return known
    const { parentElement: parent } = element
    const behind = modal !== undefined && !element.contains(modal) && !modal.contains(element)
    const here = hiddenParts.has(element) || (element as HTMLElement).inert === true || behind
    const result = here || (parent !== null && element !== root && isHidden(parent))
    hidden.set(element, result)
    return result
  }

  // A trap for programs, or what only a screen reader or a keyboard reaches. Boxes that are ticked often look that way and are none.
  function isUnseen(element: Element, role: string): boolean {
    const writable = role === 'textbox' || role === 'searchbox'
    if (!writable && role !== 'link' && role !== 'button') return false
    if (writable && element.checkVisibility && !element.checkVisibility({ opacityProperty: true }))
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

  // Playwright drops a name that is made of elements with refs. What is used is known by its name, and the rest is as it was before it
  // took no clicks.
  const named = /^(button|link|tab|checkbox|radio|switch|option|menuitem\w*)$/
  const NAME_LENGTH = 120
  function rename(node: AriaJsonNode, element: Element): void {
    const name = kept.refs.get(element)?.name ?? ''
    if (node.ref === undefined && kept.unnamed.has(element)) delete node.name
    if (node.name || name === '' || node.ref === undefined) return
    if (named.test(node.role) && name.length <= NAME_LENGTH) node.name = name
    else kept.unnamed.add(element)
  }

  // What takes no clicks for a while, as behind a layer or while it opens, stays what it was.
  function takeBack(node: AriaJsonNode, element: Element): void {
    const known = kept.refs.get(element)
    if (node.ref !== undefined && node.cursor === 'pointer') kept.pointed.add(element)
    else if (node.ref !== undefined) kept.pointed.delete(element)
    else if (known) {
      node.ref = known.ref
      node.passive = true
      if (kept.pointed.has(element)) node.cursor = 'pointer'
    }
  }

  function complete(node: AriaJsonNode, aria: AriaNode, element: Element): void {
    let number = kept.keys.get(element)
    if (number === undefined) kept.keys.set(element, (number = kept.count += 1))
    node.key = `${frame}n${number}`
    rename(node, element)
    takeBack(node, element)
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
    const inner = aria.children.filter(isNode)
    let index = 0
    for (const child of node.children ?? []) {
      const match = typeof child === 'string' ? undefined : inner[index++]
      if (match) walk(child as AriaJsonNode, match)
    }
  }

  const taken = snapshot()
  const top = aria._lastAriaSnapshotForQuery?.root
  const nodes = top?.role === 'fragment' ? top.children : top ? [top] : []
  taken.json.forEach((node, index) => {
    const match = nodes[index]
    if (match && isNode(match)) walk(node, match)
  })
  return JSON.stringify(taken)
}
