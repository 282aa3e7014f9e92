// A page that draws a part of itself anew, with innerHTML or with other keys in React, replaces elements by equal ones. Those get the refs of
// the elements that they replace, so that refs survive and `changes` names only what differs.

import type { ElementIdentities, RedrawnElements } from '../../playwright/injected-script.ts'

export function createRedrawnElements(state: ElementIdentities): RedrawnElements {
  const containers = /^(main|nav|header|footer|section|form|fieldset|ul|ol|dl|table|thead|tbody|dialog|menu)$/
  // They keep elements that are gone from being collected, until the next snapshot.
  let elements: readonly Element[] = []
  let childrenOf = new Map<ParentNode, readonly Element[]>()

  // An item of a list or a row is the same one only if all of it is equal: its controls may have the names of those of another one.
  const textOf = (element: Element): string => element.outerHTML
  // A button with another label may do another thing.
  const labelOf = ({ localName, textContent }: Element): string =>
    /^(a|button|summary|option)$/.test(localName) ? (textContent ?? '') : ''
  const containerOf = (element: Element): string | undefined => {
    const { localName, id } = element
    return id !== '' || containers.test(localName) ? `${localName}#${id} ${labelOf(element)}` : undefined
  }

  // Of two that look the same, either may be the one that is left, so only an element without its like has a pair.
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
