// What is wrong with how a document lies in its window: what is wider than it, texts that are cut or lie over others, targets that are too
// small to be hit.

import { type AuditInjected, type AuditMatches, openAuditState } from './audit-state.ts'
import { readLayout } from './page-layout.ts'
import type { LayoutIssue } from './page-reports.ts'

interface DrawnElement {
  readonly element: Element
  readonly boxes: readonly DOMRect[]
}

/** The size of the window and all issues of the document, as JSON text. */
export function readLayoutIssues(matches: AuditMatches): string {
  const ISSUE_LIMIT = 50
  const ELEMENT_LIMIT = 6000
  const CONTROL_LIMIT = 1000
  const CONTROLS =
    'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],[onclick]'
  const { elements } = openAuditState(matches)
  const note = (element: Element): number => elements.push(element) - 1
  const isDrawn = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })

  const roots: (Document | ShadowRoot)[] = [document]
  const all: Element[] = []
  for (const root of roots)
    for (const element of root.querySelectorAll(root === document ? 'body *' : '*')) {
      if (all.length >= ELEMENT_LIMIT) break
      all.push(element)
      if (element.shadowRoot) roots.push(element.shadowRoot)
    }

  const boxesOfText = (element: Element): DOMRect[] =>
    [...element.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE || (node.nodeValue ?? '').trim() === '') return []
      const range = document.createRange()
      range.selectNodeContents(node)
      return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    })
  const drawn = all.filter(isDrawn)
  const isText = ({ boxes }: DrawnElement): boolean => boxes.length > 0
  const texts = drawn.map((element) => ({ element, boxes: boxesOfText(element) })).filter(isText)
  const controls = drawn
    .filter((element) => element.matches(CONTROLS))
    .map((element) => ({ element, boxes: [element.getBoundingClientRect()] }))
    .filter(({ boxes: [box] }) => box && box.width > 0 && box.height > 0)
    .slice(0, CONTROL_LIMIT)

  const { width, height, wide } = readLayout(document.documentElement)
  const issues: LayoutIssue[] = [
    ...wide.flatMap(({ selector, right }): LayoutIssue[] => {
      const element = document.querySelector(selector.replace(/^css=/, ''))
      return element
        ? [{ rule: 'overflow', element: note(element), detail: `${right - width} px wider than the page` }]
        : []
    }),
    ...findCutTexts(texts).map(([element, detail]): LayoutIssue => ({
      rule: 'cut',
      element: note(element),
      detail,
    })),
    ...findOverlaps(texts, controls).map(([element, other]): LayoutIssue => ({
      rule: 'overlap',
      element: note(element),
      other: note(other),
      detail: '',
    })),
    ...findSmallTargets(controls).map(([element, detail]): LayoutIssue => ({
      rule: 'target',
      element: note(element),
      detail,
    })),
  ]
  return JSON.stringify({ width: innerWidth, height, issues: issues.slice(0, ISSUE_LIMIT) })
}

// Texts of which a part is cut off by an ancestor that cannot be scrolled to it. What ends with an ellipsis is cut on purpose.
function findCutTexts(texts: readonly DrawnElement[]): readonly (readonly [Element, string])[] {
  const LEAST_CUT_PX = 3
  const CUT_SHARE = 0.25
  const HIDDEN_SIZE_PX = 2
  const issues: (readonly [Element, string])[] = []
  const clips = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip'
  // The window cuts what a page without a scroll bar is wider than.
  const clipOf = (box: Element) => {
    const { overflowX, overflowY } = getComputedStyle(box)
    const isWindow = box === document.body || box === document.documentElement
    const { left, right, top, bottom } = box.getBoundingClientRect()
    const beside = { left, right: isWindow ? document.documentElement.clientWidth : right }
    const isHidden = !isWindow && Math.min(right - left, bottom - top) <= HIDDEN_SIZE_PX
    return { ...beside, top, bottom, isHidden, x: clips(overflowX), y: clips(overflowY) && !isWindow }
  }
  const describeCut = (
    boxes: readonly DOMRect[],
    { left, right, top, bottom, x, y }: ReturnType<typeof clipOf>,
  ) => {
    const partly = boxes.filter(
      (text) => text.left < right && text.right > left && (!y || (text.top < bottom && text.bottom > top)),
    )
    const beside = Math.max(...partly.map((text) => Math.round(text.right - right)))
    if (x && beside >= LEAST_CUT_PX) return `${beside} px of its text are cut at the right`
    const last = boxes.at(-1)
    if (!y || !last || partly.length === 0) return undefined
    const below = Math.round(last.bottom - bottom)
    return below > last.height * CUT_SHARE ? `${below} px of its text are cut below` : undefined
  }
  const cutOf = (element: Element, boxes: readonly DOMRect[]): string | undefined => {
    for (let box: Element | null = element; box; box = box.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp, position } = getComputedStyle(box)
      if (textOverflow !== 'clip' || /^[1-9]/.test(webkitLineClamp)) return undefined
      const clip = clipOf(box)
      if (clip.isHidden && (clip.x || clip.y)) return undefined
      const cut = clip.x || clip.y ? describeCut(boxes, clip) : undefined
      if (cut !== undefined) return cut
      if (/auto|scroll/.test(overflowX + overflowY) || position === 'fixed') return undefined
    }
    return undefined
  }
  for (const { element, boxes } of texts) {
    const detail = cutOf(element, boxes)
    if (detail !== undefined) issues.push([element, detail])
  }
  return issues
}

// Texts that lie over texts, and controls over controls, with nothing opaque between them.
function findOverlaps(
  texts: readonly DrawnElement[],
  controls: readonly DrawnElement[],
): readonly (readonly [Element, Element])[] {
  const LEAST_OVERLAP_PX = 4
  const PAIR_LIMIT = 20
  const BOX_LIMIT = 4000
  const LOOK_LIMIT = 2000
  let looks = 0
  const pairs: [Element, Element][] = []
  const overlaps = (a: DOMRect, b: DOMRect): boolean =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) >= LEAST_OVERLAP_PX &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) >= LEAST_OVERLAP_PX
  // A layer lies over others on purpose: it covers them, or stays where it is when they are scrolled.
  const isLayer = (element: Element, other: Element): boolean => {
    for (let one: Element | null = element; one && !one.contains(other); one = one.parentElement) {
      const { position, backgroundColor, backgroundImage, transform, overflowX } = getComputedStyle(one)
      if (position === 'fixed' || position === 'sticky') return true
      if (backgroundImage !== 'none' || !/^transparent$|^rgba.*, 0\)$/.test(backgroundColor)) return true
      if (overflowX !== 'visible' || /^(dialog|option|svg|canvas)$/.test(one.localName)) return true
      if (transform !== 'none' && transform.startsWith('matrix3d')) return true
    }
    return false
  }
  const isWithin = (a: Element, b: Element): boolean => {
    const label = a.closest('label') ?? b.closest('label')
    return a.contains(b) || b.contains(a) || (label !== null && label.contains(a) && label.contains(b))
  }
  const compare = (list: readonly DrawnElement[], sees: (a: Element, b: Element) => boolean): void => {
    const flat = list
      .flatMap(({ element, boxes }) => boxes.map((box) => ({ element, box })))
      .slice(0, BOX_LIMIT)
      .toSorted((a, b) => a.box.top - b.box.top)
    for (const [index, a] of flat.entries())
      for (let next = index + 1; next < flat.length; next += 1) {
        const b = flat[next]
        if (!b || b.box.top >= a.box.bottom || pairs.length >= PAIR_LIMIT) break
        if (a.element === b.element || !overlaps(a.box, b.box) || isWithin(a.element, b.element)) continue
        const isKnown = pairs.some((pair) => pair.includes(a.element) && pair.includes(b.element))
        if (isKnown || (looks += 1) > LOOK_LIMIT || !sees(a.element, b.element)) continue
        const isAfter = a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING
        pairs.push(isAfter ? [b.element, a.element] : [a.element, b.element])
      }
  }
  compare(texts, (a, b) => !isLayer(a, b) && !isLayer(b, a))
  // A control has a background of its own: its ancestors tell whether it is in a layer.
  const isInLayer = (element: Element, other: Element): boolean =>
    getComputedStyle(element).position === 'fixed' ||
    (element.parentElement !== null &&
      !element.parentElement.contains(other) &&
      isLayer(element.parentElement, other))
  compare(controls, (a, b) => !isInLayer(a, b) && !isInLayer(b, a))
  return pairs
}

// Targets below 24 pixels whose circle of 24 pixels meets another target, as in WCAG 2.5.8; not those in a line of text.
function findSmallTargets(controls: readonly DrawnElement[]): readonly (readonly [Element, string])[] {
  const LEAST_SIZE_PX = 24
  const ROUNDING_PX = 0.5
  const targets = controls.flatMap(({ element, boxes: [box] }) => (box ? [{ element, box }] : []))
  const isSmall = ({ width, height }: DOMRect): boolean =>
    Math.min(width, height) < LEAST_SIZE_PX - ROUNDING_PX
  const isInline = (element: Element): boolean => {
    if (!/^inline$/.test(getComputedStyle(element).display)) return false
    const around = element.parentElement?.textContent ?? ''
    return around.trim().length > (element.textContent ?? '').trim().length
  }
  const centerOf = (box: DOMRect) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 })
  const distanceTo = (box: DOMRect, other: DOMRect): number => {
    const { x, y } = centerOf(box)
    if (isSmall(other)) {
      const center = centerOf(other)
      return Math.hypot(x - center.x, y - center.y) - LEAST_SIZE_PX / 2
    }
    return Math.hypot(
      Math.max(other.left - x, 0, x - other.right),
      Math.max(other.top - y, 0, y - other.bottom),
    )
  }
  // A label is a target too: what it belongs to is as large as both.
  const isLabelled = (element: Element): boolean =>
    [...((element as HTMLInputElement).labels ?? [])].some((label) => {
      const box = label.getBoundingClientRect()
      return box.height >= LEAST_SIZE_PX - ROUNDING_PX || label.contains(element)
    })
  return targets
    .filter(({ element, box }) => isSmall(box) && !isInline(element) && !isLabelled(element))
    .filter(({ element, box }) =>
      targets.some(
        (other) =>
          !other.element.contains(element) &&
          !element.contains(other.element) &&
          distanceTo(box, other.box) < LEAST_SIZE_PX / 2 - ROUNDING_PX,
      ),
    )
    .map(({ element, box }) => [element, `${Math.round(box.width)}x${Math.round(box.height)} px`] as const)
}

/** Notes what is scrolled, before the size of the window changes. */
export function noteScrolling(matches: AuditMatches): void {
  const state = openAuditState(matches)
  state.scrolled = [...document.querySelectorAll('*')]
    .filter((element) => element.scrollLeft !== 0 || element.scrollTop !== 0)
    .map((element) => ({ element, left: element.scrollLeft, top: element.scrollTop }))
}

/** Scrolls to where everything was, once the page is drawn in its old size. */
export async function restoreScrolling(matches: AuditMatches): Promise<void> {
  await waitForDrawing(matches)
  for (const { element, left, top } of openAuditState(matches).scrolled ?? [])
    element.scrollTo({ left, top, behavior: 'instant' })
}

/** Resolves after two frames, or after a while in a window that draws none. */
export async function waitForDrawing({ injected }: AuditMatches): Promise<void> {
  const DRAWING_LIMIT_MS = 400
  const clock = (injected as AuditInjected).utils?.builtins ?? window
  await new Promise<void>((resolve) => {
    clock.setTimeout(() => resolve(), DRAWING_LIMIT_MS)
    clock.requestAnimationFrame(() => clock.requestAnimationFrame(() => resolve()))
  })
}
