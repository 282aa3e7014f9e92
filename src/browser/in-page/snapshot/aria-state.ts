// Changes what Playwright's accessibility tree sees of a document, in Playwright's world only; the page and its observers are not affected.

import type {
  AriaInjected,
  AriaRef,
  AriaSnapshotState,
  ElementIdentities,
  ElementPlaces,
  RedrawnElements,
} from '../../playwright/injected-script.ts'

interface Dependencies {
  createRedrawnElements(identities: ElementIdentities): RedrawnElements
  createElementPlaces(): ElementPlaces
}

/** Installs the changes and returns what later snapshots of the document need. An element keeps its ref as long as it exists, and leaves it
 * to the element that replaces it. */
export function createAriaState(
  { createRedrawnElements, createElementPlaces }: Dependencies,
  aria: AriaInjected,
): Omit<AriaSnapshotState, 'takeTree'> {
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
  const state: Omit<AriaSnapshotState, 'takeTree'> = {
    uncovered: new Set(),
    withoutRole: new Set(),
    ...identities,
    redrawn: createRedrawnElements(identities),
    places: createElementPlaces(),
    count: 0,
  }
  const { getAttribute } = Element.prototype
  Element.prototype.getAttribute = function (name) {
    if (name === 'aria-hidden' && state.uncovered.has(this)) return null
    // Playwright neither omits a region nor merges it with others, and it does not contribute differently to the names of its ancestors.
    if (name === 'role' && state.withoutRole.has(this)) return 'region'
    return getAttribute.call(this, name)
  }
  return state
}
