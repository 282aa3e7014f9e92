// Reads a part of the content of one element: it is rendered and truncated inside the page.

import type { DomNode } from '../../../runtime/ports/page/page-content.ts'

/** The value of the only match, or the number of matches. */
export type SingleMatch<T> = { readonly value: T } | { readonly count: number }

export const renderHtml = (element: Element): string => element.outerHTML

export const renderText = (element: Element): string =>
  (element as HTMLElement).innerText ?? element.textContent ?? ''

interface ContentDependencies {
  render(element: Element): string
}

export function readContent(
  { render }: ContentDependencies,
  elements: Element[],
  { from, maxChars }: { readonly from: number; readonly maxChars: number },
): SingleMatch<{ text: string; total: number; end: number }> {
  const [element] = elements
  if (!element || elements.length > 1) return { count: elements.length }
  const text = render(element)
  return { value: { text: text.slice(from, from + maxChars), total: text.length, end: text.length } }
}

interface DomDependencies {
  listDomNodes(root: Element, maxNodes: number): { nodes: DomNode[]; truncated: boolean }
}

/** As JSON text, because Playwright takes half a second to serialize ten thousand objects, which blocks all sessions. */
export function readDomNodes(
  { listDomNodes }: DomDependencies,
  elements: Element[],
  maxNodes: number,
): SingleMatch<string> {
  const [element] = elements
  if (!element || elements.length > 1) return { count: elements.length }
  return { value: JSON.stringify(listDomNodes(element, maxNodes)) }
}
