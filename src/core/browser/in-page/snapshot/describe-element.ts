// Runs in Playwright's utility world: how the only element that matches can be found again, and what it is.

import { describeField, joinSpaces } from '../page/elements.ts'
import type { ElementMatches } from '../page/element-arguments.ts'
import type { FieldDescription } from '../../../base/redaction/secret-names.ts'

/** For what an element is described. `action`: quickly, beside an action. `text-check`: by what does not depend on its text. `replay`: with
 * every locator that matches only it. */
export type DescriptionPurpose = 'action' | 'text-check' | 'replay'

export interface ElementReport {
  readonly count: number
  /** Of the only match; omitted if there is none, or more. */
  readonly element?: {
    /** Selectors within its frame that match only it, the most robust one first; none if it cannot be told from others. */
    readonly selectors: readonly string[]
    readonly isInFrame: boolean
    readonly role: string
    readonly name: string
    readonly type: string
    readonly isEmpty: boolean
    readonly field: FieldDescription
  }
}

/** The parts of Playwright's injected script that generate selectors. */
export interface SelectorGenerator {
  /** `forTextExpect`: of the element, or of one around it, by what does not depend on its text. */
  generateSelectorSimple(
    element: Element,
    options?: { readonly noText?: boolean; readonly forTextExpect?: boolean },
  ): string
  parseSelector(selector: string): object
  querySelectorAll(selector: object, root: Document): Element[]
  readonly utils: {
    getAriaRole(element: Element): string | null
    getElementAccessibleNameText(element: Element, includesHidden: boolean): string
  }
}

export function describeElement(
  { elements, injected }: ElementMatches,
  purpose: DescriptionPurpose,
): ElementReport {
  const NAME_LIMIT_CHARS = 200
  const SELECTOR_LIMIT_CHARS = 1000
  // Playwright computes the role and the name of every element for each selector that it tries.
  const GENERATED_SIZE_LIMIT = 700
  const [element] = elements
  if (!element || elements.length > 1) return { count: elements.length }
  const generator = injected as unknown as SelectorGenerator
  const { utils } = generator
  const role = utils.getAriaRole(element) ?? ''
  const name = utils.getElementAccessibleNameText(element, false).slice(0, NAME_LIMIT_CHARS)
  const generate = (options?: { noText?: boolean; forTextExpect?: boolean }): string =>
    generator.generateSelectorSimple(element, options)

  const hasIdAround = (selector: string): boolean => /(#|\[id=)[^>]*>>/.test(selector)

  function listSelectors(target: Element): readonly string[] {
    if (purpose === 'text-check') return [generate({ forTextExpect: true })]
    if (purpose === 'replay') {
      const selector = generate()
      // A path of tags, or the number of a match, says less than what is around the element.
      // A button of a dialog may have the name of one behind it, which is hidden only while it is open.
      const isInDialog =
        role === 'button' && target.closest('dialog, [role=dialog], [role=alertdialog]') !== null
      const isWeak =
        /nth-child|nth-of-type|>> nth=|internal:has-text|internal:role=(row|listitem)\[name=/.test(
          selector,
        ) ||
        hasIdAround(selector) ||
        !/internal:|data-test/.test(selector)
      const scoped = isWeak || isInDialog ? listScopedSelectors(generator, target) : []
      return [...listFieldSelectors(target), ...scoped, selector, generate({ noText: true })]
    }
    if (document.getElementsByTagName('*').length > GENERATED_SIZE_LIMIT) return [pathSelectorOf(target)]
    const selector = generate()
    // The number of a match, and the id of what is around it, may be others next time.
    return /nth|(#|\[id=)[^>]*>>/.test(selector)
      ? [...listScopedSelectors(generator, target), selector]
      : [selector]
  }

  // The text of a label may have the options of a choice in it, or the message of an error; a file field has the role of a button.
  function listFieldSelectors(target: Element): readonly string[] {
    const { labels, type, localName } = target as HTMLInputElement
    const label = labels?.[0]?.textContent?.trim() ?? ''
    if (type === 'file' && label) return [`internal:label=${JSON.stringify(label)}i`]
    const ownLabel = [...(labels?.[0]?.childNodes ?? [])]
      .filter(({ nodeType }) => nodeType === 3)
      .map(({ textContent }) => textContent?.trim() ?? '')
      .find((text) => text !== '')
    if (ownLabel && role === 'textbox' && name.startsWith(ownLabel) && name !== ownLabel)
      return [`internal:role=textbox[name=${JSON.stringify(ownLabel)}i]`]
    return localName === 'select' && name && labels?.[0]?.contains(target)
      ? [`internal:role=${role}[name=${JSON.stringify(name)}i]`]
      : []
  }

  const matchesOnly = (selector: string): boolean => {
    const matches = generator.querySelectorAll(generator.parseSelector(selector), document)
    return matches.length === 1
  }
  const selectors = listSelectors(element)
    .filter((selector, index, all) => all.indexOf(selector) === index)
    .filter((selector) => selector.length <= SELECTOR_LIMIT_CHARS)
  const isInput = element.localName === 'input'
  const content = 'value' in element ? String(element.value) : (element.textContent ?? '')
  return {
    count: 1,
    element: {
      selectors: purpose === 'replay' ? selectors.filter(matchesOnly) : selectors,
      isInFrame: window.parent !== window,
      role,
      name,
      type: isInput ? (element as HTMLInputElement).type : element.localName,
      isEmpty: content.trim() === '',
      field: describeField(element),
    },
  }
}

// Selectors of an element by what it is and by what is around it: the row, item or dialog that it is in, with a text that only this one
// has. At most two, each of which matches only the element.
function listScopedSelectors(generator: SelectorGenerator, element: Element): readonly string[] {
  const DEPTH_LIMIT = 12
  const TEXT_LIMIT = 8
  const TEXT_LIMIT_CHARS = 60
  const SELECTOR_LIMIT = 2
  const scopeRole =
    /^(row|listitem|article|dialog|alertdialog|region|group|form|tabpanel|treeitem|cell|figure)$/
  const { utils } = generator
  const roleOf = (node: Element) => utils.getAriaRole(node) ?? ''
  const nameOf = (node: Element) => utils.getElementAccessibleNameText(node, false).trim()
  const matchesOnly = (selector: string): boolean => {
    const matches = generator.querySelectorAll(generator.parseSelector(selector), document)
    return matches.length === 1 && matches[0] === element
  }
  const [role, name] = [roleOf(element), nameOf(element)]
  const testId = element.getAttribute('data-testid')
  const own = testId
    ? `internal:testid=[data-testid=${JSON.stringify(testId)}s]`
    : role && name && name.length <= TEXT_LIMIT_CHARS
      ? `internal:role=${role}[name=${JSON.stringify(name)}i]`
      : role
        ? `internal:role=${role}`
        : element.localName

  // What names a row or an item: its headings and links first, then the other texts in the order of the document.
  function textsOf(scope: Element): readonly string[] {
    const texts = (nodes: Iterable<Element>): string[] =>
      [...nodes]
        .filter((node) => !node.contains(element) && !element.contains(node) && node.childElementCount === 0)
        .map((node) => joinSpaces(node.textContent ?? ''))
        .filter((text) => text.length > 1 && text.length <= TEXT_LIMIT_CHARS && text !== name)
    const own = [...scope.childNodes].flatMap(({ nodeType, textContent }) => {
      const text = joinSpaces(textContent ?? '')
      return nodeType === 3 && text.length > 0 && text.length <= TEXT_LIMIT_CHARS ? [text] : []
    })
    const ranked = [
      ...own,
      ...texts(scope.querySelectorAll('h1, h2, h3, h4, h5, h6, th, a')),
      ...texts(scope.querySelectorAll('*:not(button):not(option):not(script):not(style)')),
    ]
    const distinct = ranked.filter((text, index) => ranked.indexOf(text) === index)
    // A number may be a price or a sum, which changes.
    const isNumeric = (text: string) => /\d/.test(text)
    const stable = distinct.filter((text) => !isNumeric(text))
    return [...stable, ...distinct.filter(isNumeric)].slice(0, TEXT_LIMIT)
  }

  const selectors: string[] = []
  let scope = element.parentElement
  for (let depth = 0; scope && depth < DEPTH_LIMIT && selectors.length < SELECTOR_LIMIT; depth += 1) {
    const current = scope
    scope = current.parentElement
    const currentRole = roleOf(current)
    if (!scopeRole.test(currentRole)) continue
    const label = /^(row|listitem|cell|treeitem)$/.test(currentRole) ? '' : nameOf(current)
    const isDialog = /dialog$/.test(currentRole)
    const candidates = [
      ...(label && label.length <= TEXT_LIMIT_CHARS
        ? [`internal:role=${currentRole}[name=${JSON.stringify(label)}i]`]
        : []),
      ...textsOf(current).map(
        (text) => `internal:role=${currentRole} >> internal:has-text=${JSON.stringify(text)}i`,
      ),
      ...(isDialog ? [`internal:role=${currentRole}`] : []),
    ]
    const match = candidates.map((candidate) => `${candidate} >> ${own}`).find(matchesOnly)
    if (match !== undefined) selectors.push(match)
  }
  return selectors.length > 0 ? selectors : listNeighborSelectors()

  // If nothing around the element has a role, its selector begins at a text beside it and goes up to the element that contains both.
  function listNeighborSelectors(): readonly string[] {
    const NEIGHBOR_DEPTH_LIMIT = 5
    let ancestor = element.parentElement
    for (let depth = 0; ancestor && depth < NEIGHBOR_DEPTH_LIMIT; depth += 1) {
      for (const text of textsOf(ancestor)) {
        const anchor = `internal:text=${JSON.stringify(text)}i`
        const [match, other] = generator.querySelectorAll(generator.parseSelector(anchor), document)
        if (!match || other || !ancestor.contains(match)) continue
        let steps = 0
        for (let node: Element | null = match; node && node !== ancestor; node = node.parentElement)
          steps += 1
        const selector = `${anchor} >> xpath=${Array.from({ length: steps }, () => '..').join('/')} >> ${own}`
        if (steps > 0 && matchesOnly(selector)) return [selector]
      }
      ancestor = ancestor.parentElement
    }
    return []
  }
}

// The path of an element from the root of its document, through shadow trees, by tags and positions.
function pathSelectorOf(element: Element): string {
  const trees: string[][] = [[]]
  let node: Element | null = element
  while (node) {
    const { localName, parentElement, parentNode }: Element = node
    const position = [...(parentNode?.childNodes ?? [])]
      .filter(({ nodeType }) => nodeType === 1)
      .indexOf(node)
    trees[0]?.unshift(`${localName}:nth-child(${position + 1})`)
    const isHosted: boolean = !parentElement && parentNode instanceof ShadowRoot
    if (isHosted) trees.unshift([])
    node = parentElement ?? (isHosted ? (parentNode as ShadowRoot).host : null)
  }
  return trees.map((steps) => steps.join(' > ')).join(' >> ')
}
