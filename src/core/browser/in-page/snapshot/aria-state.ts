// Changes what Playwright's accessibility tree sees of a document, in Playwright's world only; the page and its observers are not affected.

import { ariaTree } from './aria-tree.ts'
import { createChangeWatch } from './change-watch.ts'
import { createElementPlaces } from './element-places.ts'
import type {
  AriaInjected,
  AriaRef,
  AriaSnapshotState,
  ElementIdentities,
  RedrawnElements,
  AriaTreeOptions,
} from './aria-injected.ts'
import type { ElementMatches } from '../page/element-arguments.ts'

// Installs the changes and returns what later snapshots of the document need. An element keeps its ref as long as it exists, and leaves it
// to the element that replaces it.
function createAriaState(aria: AriaInjected): AriaSnapshotState {
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
      // The leading zero tells how it is clicked.
      if (!previousRef && this.localName === 'area') newRef.ref = newRef.ref.replace(/e(?=\d+$)/, 'e0')
      if (previousRef) newRef.ref = previousRef.ref
      else elementsByRef.set(newRef.ref, new WeakRef(this))
      refs.set(this, newRef)
      if (elementsByRef.size > refLimit) removeCollected()
    },
  })
  aria._engines.set('aria-ref', {
    queryAll(_, ref) {
      const find = () =>
        elementsByRef.get(ref)?.deref() ?? aria._lastAriaSnapshotForQuery?.info.get(ref)?.element
      if (!find()?.isConnected) state.redrawn.inheritRefs()
      const element = find()
      return element?.isConnected ? [element] : []
    },
  })
  const identities = {
    refs,
    elementsByRef,
    keys: new WeakMap<Element, number>(),
    unnamed: new WeakSet<Element>(),
    pointed: new WeakSet<Element>(),
  }
  const state: AriaSnapshotState = {
    uncovered: new Set(),
    withoutRole: new Set(),
    ...identities,
    redrawn: createRedrawnElements(identities),
    places: createElementPlaces(),
    changes: createChangeWatch(aria.utils.builtins),
    count: 0,
  }
  const { getAttribute } = Element.prototype
  Element.prototype.getAttribute = function (name) {
    if (name === 'aria-hidden' && state.uncovered.has(this)) return null
    // Playwright neither omits a region nor merges it with others, and it does not contribute differently to the names of its ancestors.
    if (name === 'role' && state.withoutRole.has(this)) return 'region'
    // Else Playwright joins the words on both sides of a line break.
    if (name === 'role' && this instanceof HTMLBRElement) return 'none'
    return getAttribute.call(this, name)
  }
  return state
}

// A page that draws a part of itself anew, with innerHTML or with other keys in React, replaces elements by equal ones. Those get the refs of
// the elements that they replace, so that refs survive and `changes` names only what differs.
function createRedrawnElements(state: ElementIdentities): RedrawnElements {
  const containers = /^(main|nav|header|footer|section|form|fieldset|ul|ol|dl|table|thead|tbody|dialog|menu)$/
  // They keep elements that are gone from being collected, until the next snapshot.
  let elements: readonly Element[] = []
  let childrenOf = new Map<ParentNode, readonly Element[]>()

  // An item of a list or a row is the same one only if all of it is equal: its controls may have the names of those of another one.
  const textOf = (element: Element): string => element.outerHTML
  // A button with another label may do another thing.
  const labelOf = ({ localName, textContent }: Element): string =>
    /^(a|button|summary|option)$/.test(localName) ? (textContent ?? '') : ''
  // A field with its label is the same one while that has the same text.
  const labelledFieldOf = (element: Element): string | undefined => {
    const children = [...element.children]
    const [field, other] = children.filter((child) => child.matches('input, select, textarea'))
    const label = [element, ...children].find(({ localName }) => localName === 'label')
    if (!field || other || !label) return undefined
    const texts = [...label.childNodes].filter((node) => node !== field).map((node) => node.textContent)
    return `${element.localName} ${texts.join(' ').trim()} ${field.localName}`
  }
  const containerOf = (element: Element): string | undefined => {
    const { localName, id } = element
    if (id === '' && element.matches('label > :is(input, select, textarea)')) return localName
    if (id === '' && !containers.test(localName)) return labelledFieldOf(element)
    return id !== '' || containers.test(localName) ? `${localName}#${id} ${labelOf(element)}` : undefined
  }

  // An element has a pair only if no other one looks the same: either of two equal ones may be the one that is left.
  function findPairs(
    removed: readonly Element[],
    added: readonly Element[],
    signatureOf: (element: Element) => string | undefined,
  ): (readonly [Element, Element])[] {
    const group = (members: readonly Element[]) => {
      const groups = new Map<string, Element[]>()
      for (const member of members) {
        const signature = signatureOf(member)
        const known = signature === undefined ? undefined : groups.get(signature)
        if (known) known.push(member)
        else if (signature !== undefined) groups.set(signature, [member])
      }
      return groups
    }
    const addedGroups = group(added)
    return [...group(removed)].flatMap(([signature, [one, ...others]]) => {
      const [match, ...otherMatches] = addedGroups.get(signature) ?? []
      return one && match && others.length + otherMatches.length === 0 ? [[one, match] as const] : []
    })
  }

  function passOn(before: Element, after: Element): void {
    const [ref, key] = [state.refs.get(before), state.keys.get(before)]
    if (key === undefined || state.keys.has(after)) return
    state.keys.delete(before)
    state.keys.set(after, key)
    if (state.unnamed.has(before)) state.unnamed.add(after)
    if (state.pointed.has(before)) state.pointed.add(after)
    if (!ref) return
    state.refs.delete(before)
    state.refs.set(after, ref)
    state.elementsByRef.set(ref.ref, new WeakRef(after))
  }

  function passOnAll(before: Element, after: Element, heirs: Map<Element, Element>): void {
    const all = (element: Element) => [element, ...element.querySelectorAll('*')]
    const elementsAfter = all(after)
    for (const [index, element] of all(before).entries()) {
      const heir = elementsAfter[index]
      if (!heir) continue
      heirs.set(element, heir)
      passOn(element, heir)
    }
  }

  function compare(
    before: readonly Element[],
    after: readonly Element[],
    heirs: Map<Element, Element>,
  ): void {
    const known = new Set(before)
    const removed = before.filter((element) => !element.isConnected)
    const added = after.filter((element) => !known.has(element))
    if (removed.length === 0 || added.length === 0) return
    const survivors = after.filter((element) => known.has(element))
    const equalPairs = findPairs(removed, added, textOf).filter(
      ([one]) => !survivors.some((element) => element.isEqualNode(one)),
    )
    for (const [one, other] of equalPairs) passOnAll(one, other, heirs)
    const paired = new Set(equalPairs.flat())
    const isUnpaired = (element: Element) => !paired.has(element)
    const pairs = findPairs(removed.filter(isUnpaired), added.filter(isUnpaired), containerOf)
    for (const [one, other] of pairs) {
      heirs.set(one, other)
      passOn(one, other)
      compare([...one.children], [...other.children], heirs)
    }
  }

  function remember(newElements: readonly Element[]): void {
    elements = newElements
    childrenOf = new Map()
    const add = (element: Element): void => {
      const { parentNode } = element
      if (!parentNode || childrenOf.has(parentNode)) return
      childrenOf.set(parentNode, [...parentNode.children])
      const parent = parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement
      if (parent) add(parent)
    }
    for (const element of newElements) add(element)
  }

  return {
    remember,
    inheritRefs() {
      if (elements.every((element) => element.isConnected)) return
      const heirs = new Map<Element, Element>()
      for (const [parent, children] of childrenOf)
        if (parent.isConnected && children.some((child) => !child.isConnected))
          compare(children, [...parent.children], heirs)
      remember(elements.map((element) => heirs.get(element) ?? element))
    },
  }
}

/** The tree as `ariaTree` returns it. Runs in Playwright's world; the document keeps what is known of its elements. */
export function takeAriaTree(matches: ElementMatches, options: AriaTreeOptions): string | undefined {
  const aria = matches.injected as unknown as AriaInjected
  aria.footlight ??= createAriaState(aria)
  return ariaTree(matches, options)
}
