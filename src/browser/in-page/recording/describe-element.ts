// Runs in Playwright's utility world: how the only element that matches can be found again, and what it is.

import type { ElementMatches } from '../dom/element-arguments.ts'
import type { FieldDescription } from '../../../core/redaction/secret-names.ts'
import type { DescriptionPurpose } from '../../../runtime/ports/page/recorded-page.ts'

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

interface Dependencies {
  describeField(element: Element): FieldDescription
  listScopedSelectors(generator: SelectorGenerator, element: Element): readonly string[]
  pathSelectorOf(element: Element): string
}

export function describeElement(
  { describeField, listScopedSelectors, pathSelectorOf }: Dependencies,
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
