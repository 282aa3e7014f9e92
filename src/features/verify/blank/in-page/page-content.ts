// Whether a document shows something. Runs in Playwright's world, so the page sees nothing of it.

import type { ElementMatches } from '../../../../core/browser/in-page/page/element-arguments.ts'
import { type ElementFacts, isShowing, showsContent } from './element-content.ts'

export interface PageContent {
  /** Identifies the document while it lives. */
  readonly document: number
  readonly elements: number
  readonly isBlank: boolean
  /** Whether it loads, or an animation has not ended. */
  readonly isLoading: boolean
  /** The number of timers that were set in the document, if that was asked for. */
  readonly timers?: number | undefined
}

/** What is no content of the page: code, and what frameworks and build tools add in development. */
const OMITTED = new Set(
  'script style link meta template noscript title base astro-dev-toolbar nextjs-portal nuxt-devtools-frame'.split(
    ' ',
  ),
)
const PSEUDO_ELEMENTS = ['::before', '::after']

export function readContent(
  { injected }: Partial<Pick<ElementMatches, 'injected'>>,
  countsTimers: boolean,
): PageContent {
  const { body } = document
  const elements = body ? elementsIn(body) : []
  return {
    document: performance.timeOrigin,
    elements: elements.length,
    isBlank: isReadable() && !hasContent(body?.localName === 'body' ? [body, ...elements] : elements),
    isLoading: document.readyState !== 'complete' || document.getAnimations().some(isRunning),
    timers: countsTimers ? countTimers(injected?.utils.builtins ?? window) : undefined,
  }
}

/** Resolves when the document changes, or after `ms` milliseconds. */
export function awaitChange(_: unknown, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect()
      clearTimeout(timer)
      resolve()
    }
    const observer = new MutationObserver(end)
    const timer = setTimeout(end, ms)
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  })
}

// --- internal ---

/** The numbers of timers increase by one, whoever asks for them. */
function countTimers(builtins: Window): number {
  const timer = builtins.setTimeout(() => {}, 0)
  builtins.clearTimeout(timer)
  return Number(timer)
}

/** A picture, a PDF or a text that is opened by itself has content of its own kind. */
const isReadable = (): boolean => /html/.test(document.contentType)

/** All elements below a node, with those in open shadow roots. */
const elementsIn = (root: ParentNode): readonly Element[] =>
  [...root.querySelectorAll('*')].flatMap((element) => {
    if (OMITTED.has(element.localName)) return []
    return element.shadowRoot ? [element, ...elementsIn(element.shadowRoot)] : element
  })

function hasContent(elements: readonly Element[]): boolean {
  // Styles take longest, and a page with content rarely needs them.
  return (
    elements.some((element) => isShowing(factsOf(element)) && shows(element, false)) ||
    elements.some((element) => element !== document.body && shows(element, true))
  )
}

const factsOf = (element: Element) => ({
  tag: element.localName,
  hasText: [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ''),
  ),
  isClosed:
    element.localName.includes('-') &&
    !element.shadowRoot &&
    element.childElementCount === 0 &&
    element.matches(':defined'),
})

function shows(element: Element, readsStyle: boolean): boolean {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
  const { width, height, right, bottom } = element.getBoundingClientRect()
  const isOutside = right + scrollX <= 0 || bottom + scrollY <= 0
  const facts: ElementFacts = {
    ...factsOf(element),
    width,
    height,
    isOutside,
    isPainted: readsStyle && isPainted(element),
    isAnimated: readsStyle && element.getAnimations().length > 0,
  }
  return showsContent(facts, { width: innerWidth, height: innerHeight })
}

function isPainted(element: Element): boolean {
  const style = getComputedStyle(element)
  const isClear = (color: string) => /^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/.test(color)
  const hasBorder = ['Top', 'Right', 'Bottom', 'Left'].some((side) => {
    const [width, kind, color] = ['Width', 'Style', 'Color'].map((part) =>
      String(Reflect.get(style, `border${side}${part}`)),
    )
    return Number.parseFloat(width ?? '0') > 0 && kind !== 'none' && !isClear(color ?? '')
  })
  const isGenerated = (pseudo: string) => {
    const { content, display } = getComputedStyle(element, pseudo)
    return content !== 'none' && content !== 'normal' && display !== 'none'
  }
  return (
    !isClear(style.backgroundColor) ||
    style.backgroundImage !== 'none' ||
    style.boxShadow !== 'none' ||
    hasBorder ||
    PSEUDO_ELEMENTS.some(isGenerated)
  )
}

const isRunning = ({ playState, effect }: Animation): boolean =>
  playState === 'running' && effect?.getComputedTiming().endTime !== Infinity
