// Runs in Playwright's utility world: Playwright's accessibility tree, completed. Playwright assigns a new ref when a name changes, none
// while an element receives no clicks, and omits names below `aria-hidden`; a modal layer does all three to the rest of the page.

import type { IconDescription } from '../../../sessions/types/snapshot.ts'
import { findDrawingOf } from '../actions/click-point.ts'
import { findInertRoot, isDrawnSlider, joinSpaces, parentOf, readDrawnMarkup } from '../page/elements.ts'
import { findMotion } from './leaving.ts'
import { findClickableElements } from './listeners.ts'
import type {
  AriaInjected,
  AriaJson,
  AriaNode,
  AriaJsonNode,
  AriaRef,
  AriaSnapshotState,
  AriaTreeOptions,
} from './aria-injected.ts'
import type { ElementMatches } from '../page/element-arguments.ts'

/** The tree of the only match, or of the first, as JSON text: Playwright would take half a second to serialize ten thousand objects. */
export function ariaTree(
  { elements, injected }: ElementMatches,
  { first, events, findsMotion = false, isSeen = false, ...options }: AriaTreeOptions,
): string | undefined {
  const [root] = elements
  if (!root || (!first && elements.length > 1)) return undefined
  const markup = readDrawnMarkup(root)
  if (markup !== undefined) return JSON.stringify({ json: [markup], iframeRefs: [], iframeDepths: {} })
  const aria = injected as unknown as AriaInjected
  const state = aria.footlight as AriaSnapshotState
  const testIdAttribute = aria._testIdAttributeNameForStrictErrorAndConsoleCodegen ?? 'data-testid'
  const { clickable, focusable, editable, parts, pictures, closed, withoutRole, shadowRoots, hasListeners } =
    findClickableElements(events)

  // A <select> that stands behind a drawn one, or its box.
  function isPoint(part: Element): boolean {
    const { width, height } = part.getBoundingClientRect()
    if (width > 1 || height > 1) return false
    return part.matches('select') || (part.querySelector('select') !== null && isClipped(part))
  }
  const isClipped = (part: Element) => getComputedStyle(part).overflow === 'hidden'

  // Decoration may be hidden from the tree; hidden parts with controls or headings are included.
  const usableElements =
    'a[href],button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,table,[tabindex],[role]:not([role=presentation],[role=none],[role=img])'
  const controls = 'a,button,label,svg,[role=button],[role=link],[role=option]'
  const hiddenParts = new Set(
    [...document.querySelectorAll('[aria-hidden="true"]')].filter(
      (part) =>
        (part.matches(usableElements) || part.querySelector(usableElements)) &&
        !part.parentElement?.closest(controls) &&
        !isPoint(part),
    ),
  )
  const modal = [document, ...shadowRoots]
    .flatMap((part) => [...part.querySelectorAll('dialog:modal')])
    .at(-1)
  const contains = (outer: Element, inner: Element): boolean => {
    for (let node: Element | null = inner; node; node = parentOf(node)) if (node === outer) return true
    return false
  }

  function snapshot(): AriaJson {
    state.uncovered = hiddenParts
    state.withoutRole = withoutRole
    try {
      return aria.ariaSnapshotJSON(root as Element, { mode: 'ai', ...options })
    } finally {
      state.uncovered = new Set()
      state.withoutRole = new Set()
    }
  }

  // The ancestor that hides an element may not be in the tree.
  const hiddenCache = new Map<Element, boolean>()
  function isHidden(element: Element): boolean {
    const cachedResult = hiddenCache.get(element)
    if (cachedResult !== undefined) return cachedResult
    const parent = parentOf(element)
    const holdsModal = modal !== undefined && element !== modal && contains(element, modal)
    const isBehindModal = modal !== undefined && !holdsModal && !contains(modal, element)
    const isInert = (element as HTMLElement).inert === true && !holdsModal
    const isHiddenItself = hiddenParts.has(element) || isInert || isBehindModal
    const result = isHiddenItself || (parent !== null && element !== root && isHidden(parent))
    hiddenCache.set(element, result)
    return result
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

  // A code editor draws its text itself, and some sliders theirs; what takes the keys has no size. Of two sliders on one track the mouse
  // reaches the thumbs alone.
  const takesKeysOnly = (element: Element): boolean =>
    Boolean((element as { editContext?: object | null }).editContext) ||
    element.matches('.monaco-editor textarea:not([readonly])') ||
    isDrawnSlider(element) ||
    (element.matches('input[type=range]') && getComputedStyle(element).pointerEvents === 'none')

  // Playwright gives none to an element without a size; a checkbox of that kind is clicked on its label or its drawing.
  function addRefWithoutSize(node: AriaJsonNode, element: Element): void {
    if (node.ref !== undefined) return
    const isToggle = element.matches('input[type=checkbox], input[type=radio]')
    const isShown = (label: Element) => label.checkVisibility?.() ?? true
    const hasLabel = isToggle && [...((element as HTMLInputElement).labels ?? [])].some(isShown)
    if (!hasLabel && !takesKeysOnly(element) && !findDrawingOf(element)) return
    const key = state.keys.get(element)
    const target = element as { _ariaRef?: AriaRef }
    target._ariaRef ??= { ref: `${frame}e0${key}`, name: node.name ?? '' }
    node.ref = target._ariaRef.ref
  }

  const isDraggable = (element: Element) => element.getAttribute('draggable') === 'true'
  const isIcon = (element: Element) => /^(svg|img)$/.test(element.localName)

  function completeClickable(node: AriaJsonNode, element: Element): void {
    const hasRef = node.ref !== undefined || state.refs.has(element)
    if (withoutRole.has(element)) {
      node.role = isIcon(element) ? 'img' : 'generic'
      if (!hasRef) delete node.name
    }
    if (!hasRef) return
    if (editable.has(element)) node.editable = true
    if (parts.has(element) && node.text !== undefined) node.part = true
    else if (parts.has(element) || clickable.has(element)) node.cursor = 'pointer'
    else if (focusable.has(element) && node.role === 'generic' && !isDraggable(element)) node.focusable = true
  }

  // Playwright tells it of fields of text that have no other role.
  function addPlaceholder(node: AriaJsonNode, element: Element): void {
    if (node.placeholder !== undefined || node.name || node.ref === undefined) return
    const placeholder = element.getAttribute('placeholder') || element.getAttribute('aria-placeholder')
    if (placeholder) node.placeholder = placeholder
  }

  // Playwright shows the values of native fields only.
  const valueRole = /^(slider|progressbar|meter|spinbutton)$/
  function addValue(node: AriaJsonNode, element: Element): void {
    if (!valueRole.test(node.role) || node.text !== undefined || node.children?.length) return
    if (element.matches(':indeterminate')) return
    const { value = '' } = element as HTMLProgressElement
    const text = element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow') || `${value}`
    if (text !== '') node.text = text.slice(0, NAME_LIMIT_CHARS)
  }

  const inputType = /^(date|time|datetime-local|month|week|color|file)$/

  const hasName = (node: AriaJsonNode | string): boolean =>
    typeof node === 'string' || Boolean(node.name || node.text || node.children?.some(hasName))

  // The character of an icon font says nothing: the class does.
  const privateUse = /[\uE000-\uF8FF\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}]/u
  const withoutIcons = (text: string): string => joinSpaces(text.split(privateUse).join(''))
  function removeIcons(node: AriaJsonNode): void {
    if (node.name && privateUse.test(node.name)) node.name = withoutIcons(node.name)
    if (node.text && privateUse.test(node.text)) node.text = withoutIcons(node.text)
    if (node.text === '') delete node.text
    if (!node.children) return
    node.children = node.children
      .map((child) => (typeof child === 'string' && privateUse.test(child) ? withoutIcons(child) : child))
      .filter((child) => child !== '')
  }

  // Of equal options in two groups, the group tells which is which.
  function nameWithGroup(option: HTMLOptionElement, name = ''): string {
    const group = option.parentElement
    const options = option.closest('select')?.options ?? []
    const isEqual = (other: HTMLOptionElement) => other !== option && other.label === option.label
    return group instanceof HTMLOptGroupElement && [...options].some(isEqual)
      ? `${group.label} / ${name}`
      : name
  }

  const shownElements: Element[] = []
  function complete(node: AriaJsonNode, aria: AriaNode, element: Element): void {
    shownElements.push(element)
    let key = state.keys.get(element)
    if (key === undefined) state.keys.set(element, (key = state.count += 1))
    node.key = `${frame}n${key}`
    completeClickable(node, element)
    restoreName(node, element)
    restoreRef(node, element)
    addRefWithoutSize(node, element)
    if (aria.expanded === false) node.expanded = false
    const { parentElement: parent } = element
    if (element.tagName === 'SUMMARY' && parent?.tagName === 'DETAILS') {
      node.expanded = (parent as HTMLDetailsElement).open
      if (node.role === 'generic') node.role = 'button'
    }
    const { type = '' } = element as HTMLInputElement
    if (element.localName === 'input' && inputType.test(type)) node.inputType = type
    if (isHidden(element)) node.hidden = true
    if (node.hidden && node.ref !== undefined && findInertRoot(element)) node.inert = true
    if (closed.has(element)) Object.assign(node, { name: element.localName, closed: true })
    addPlaceholder(node, element)
    addValue(node, element)
    if (isDraggable(element)) node.draggable = true
    if (element instanceof HTMLOptionElement) node.name = nameWithGroup(element, node.name)
    if (isUnseen(element, aria.role) && !takesKeysOnly(element)) node.unseen = true
  }

  // The areas of an image map have no box in Chromium.
  function addAreas(node: AriaJsonNode, image: HTMLImageElement): void {
    const map = image.useMap && document.querySelector(`map[name="${CSS.escape(image.useMap.slice(1))}"]`)
    const areas = map ? [...map.querySelectorAll('area')] : []
    const reacting = areas.filter(
      (area) =>
        (area.hasAttribute('href') || clickable.has(area)) && area.getBoundingClientRect().width === 0,
    )
    if (reacting.length > 0 && node.ref !== undefined) node.children = reacting.map(describeArea)
  }

  function describeArea(area: HTMLAreaElement): AriaJsonNode {
    const name = area.alt || area.getAttribute('aria-label') || area.title || area.id
    const key = state.keys.get(area) ?? (state.count += 1)
    state.keys.set(area, key)
    const target = area as { _ariaRef?: AriaRef }
    target._ariaRef ??= { ref: `${frame}e${key}`, name }
    const { ref } = target._ariaRef
    const url = area.getAttribute('href')
    return { role: 'link', name, ref, key: `${frame}n${key}`, ...(url !== null && { url }) }
  }

  const frame = aria._frameSeq ? `f${aria._frameSeq}` : ''
  const isNode = (child: AriaNode | string): child is AriaNode => typeof child !== 'string'

  let elementSymbol: symbol | undefined
  function elementOf(aria: AriaNode): Element | undefined {
    elementSymbol ??= Object.getOwnPropertySymbols(aria).find(({ description }) => description === 'element')
    return elementSymbol && (aria as unknown as Record<symbol, Element | undefined>)[elementSymbol]
  }
  const isBehindDrawn = (element: Element | undefined): boolean => {
    const part = element?.localName === 'select' ? element.closest('[aria-hidden="true"]') : null
    return part !== null && isPoint(part)
  }
  function walk(node: AriaJsonNode, aria: AriaNode): void {
    const element = elementOf(aria)
    if (element) complete(node, aria, element)
    removeIcons(node)
    const childNodes = aria.children.filter(isNode)
    const behind = new Set<AriaJsonNode | string>()
    let index = 0
    for (const child of node.children ?? []) {
      const match = typeof child === 'string' ? undefined : childNodes[index++]
      if (match && isBehindDrawn(elementOf(match))) behind.add(child)
      else if (match) walk(child as AriaJsonNode, match)
    }
    if (behind.size > 0) node.children = node.children?.filter((child) => !behind.has(child)) ?? []
    const isActive =
      node.ref !== undefined &&
      (node.cursor === 'pointer' ||
        node.focusable ||
        node.draggable ||
        node.editable ||
        nameFromContentRoles.test(node.role))
    if (element?.localName === 'img') addAreas(node, element as HTMLImageElement)
    if (element && (isActive || pictures.has(element)) && !hasName(node))
      node.icon = describeIcon(element, testIdAttribute)
  }

  const isWhole = first && options.depth === undefined
  if (first) state.redrawn.inheritRefs()
  const result = snapshot()
  const rootNode = aria._lastAriaSnapshotForQuery?.root
  const nodes = rootNode?.role === 'fragment' ? rootNode.children : rootNode ? [rootNode] : []
  result.json.forEach((node, index) => {
    const match = nodes[index]
    if (match && isNode(match)) walk(node, match)
  })
  if (isWhole) {
    state.redrawn.remember(shownElements)
    state.places.remember(shownElements)
  }
  if (isSeen) state.changes.mark(shadowRoots)
  const motion = findsMotion ? findMotion() : undefined
  return JSON.stringify({ ...result, hasListeners, ...(motion && { motion }) })
}

// What may name an element without a text: its own attributes, and those of the icon in it.
function describeIcon(element: Element, testIdAttribute: string): IconDescription {
  const LIMIT_CHARS = 200
  const nodes = [element, ...element.querySelectorAll('*')].slice(0, 8)
  const read = (...names: string[]): string => {
    for (const node of nodes)
      for (const name of names) {
        const value = node.getAttribute(name)?.trim()
        if (value) return value.slice(0, LIMIT_CHARS)
      }
    return ''
  }
  // A symbol of a sprite
  const readSymbol = (): string => {
    const symbol = nodes.find(({ localName }) => localName === 'use')
    const address = symbol?.getAttribute('href') ?? symbol?.getAttribute('xlink:href') ?? ''
    return /#(.+)$/.exec(address)?.[1]?.slice(0, LIMIT_CHARS) ?? ''
  }
  const readSource = () => {
    const background = /url\("?([^")]*)/.exec(getComputedStyle(element).backgroundImage)?.[1] ?? ''
    const source = read('src') || background
    return source.startsWith('data:') ? '' : source.slice(0, LIMIT_CHARS)
  }
  const title = element.querySelector('title')?.textContent?.trim() ?? ''
  return {
    label: (read('aria-label', 'title', 'alt') || title).slice(0, LIMIT_CHARS),
    icon: read('data-icon', 'data-lucide', 'icon', 'data-action') || readSymbol(),
    classes: nodes.map((node) => (node.getAttribute('class') ?? '').trim().slice(0, LIMIT_CHARS)),
    id: read(testIdAttribute, 'data-testid', 'data-test', 'name', 'id'),
    source: readSource(),
    tag: element.localName,
  }
}

// A honeypot, or a control only for screen readers or the keyboard. Checkboxes are excluded because custom ones often hide their input.
function isUnseen(element: Element, role: string): boolean {
  const isTextField = role === 'textbox' || role === 'searchbox'
  if (!isTextField && role !== 'link' && role !== 'button') return false
  if (isTextField && element.checkVisibility && !element.checkVisibility({ opacityProperty: true }))
    return true
  const box = element.getBoundingClientRect()
  if (getComputedStyle(element).display === 'contents') return false
  if (box.width <= 1 || box.height <= 1) return !findDrawingOf(element)
  let { right, bottom } = box
  if (right > 0 && bottom > 0) return false
  for (let part: Element | null = element.parentElement; part; part = part.parentElement) {
    right += part.scrollLeft
    bottom += part.scrollTop
  }
  return right <= 0 || bottom <= 0
}
