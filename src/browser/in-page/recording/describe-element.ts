// Runs in Playwright's utility world: how the only element that matches can be found again, and what it is.

import type { ElementMatches } from '../../playwright/internals.ts'
import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

export interface ElementReport {
  readonly count: number
  /** Of the only match; omitted if there is none, or more. */
  readonly element?: {
    /** Selectors within its frame that match only it, the most robust one first. */
    readonly selectors: readonly string[]
    readonly isInFrame: boolean
    readonly role: string
    readonly name: string
    readonly type: string
    readonly isEmpty: boolean
    readonly field: FieldDescription
  }
}

interface Dependencies {
  describeField(element: Element): FieldDescription
}

interface GeneratorOptions {
  readonly noText?: boolean
  /** The element, or one around it, by what does not depend on its text. */
  readonly forTextExpect?: boolean
}

/** The parts of Playwright's injected script that generate selectors. */
interface SelectorGenerator {
  generateSelectorSimple(element: Element, options?: GeneratorOptions): string
  parseSelector(selector: string): object
  querySelectorAll(selector: object, root: Document): Element[]
  readonly utils: {
    getAriaRole(element: Element): string | null
    getElementAccessibleNameText(element: Element, includesHidden: boolean): string
  }
}

export function describeElement(
  { describeField }: Dependencies,
  { elements, injected }: ElementMatches,
  isForText: boolean,
): ElementReport {
  const NAME_LIMIT_CHARS = 200
  const SELECTOR_LIMIT_CHARS = 1000
  const [element] = elements
  if (!element || elements.length > 1) return { count: elements.length }
  const generator = injected as unknown as SelectorGenerator
  const matchesOnly = (selector: string): boolean =>
    generator.querySelectorAll(generator.parseSelector(selector), document).length === 1
  const variants: GeneratorOptions[] = isForText ? [{ forTextExpect: true }] : [{}, { noText: true }]
  const selectors = variants
    .map((options) => generator.generateSelectorSimple(element, options))
    .filter((selector, index, all) => all.indexOf(selector) === index)
    .filter((selector) => selector.length <= SELECTOR_LIMIT_CHARS && matchesOnly(selector))
  const { utils } = generator
  const isInput = element.localName === 'input'
  const content = 'value' in element ? String(element.value) : (element.textContent ?? '')
  return {
    count: 1,
    element: {
      selectors,
      isInFrame: window.parent !== window,
      role: utils.getAriaRole(element) ?? '',
      name: utils.getElementAccessibleNameText(element, false).slice(0, NAME_LIMIT_CHARS),
      type: isInput ? (element as HTMLInputElement).type : element.localName,
      isEmpty: content.trim() === '',
      field: describeField(element),
    },
  }
}
