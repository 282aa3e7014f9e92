// Whether an element shows something, from what was read of it.

/** What tells whether an element shows something; sizes in CSS pixels. */
export interface ElementFacts {
  readonly tag: string
  readonly hasText: boolean
  /** Whether it has a background, a border, a shadow or generated content. */
  readonly isPainted: boolean
  readonly isAnimated: boolean
  /** Whether its content cannot be read, as that of a closed shadow root. */
  readonly isClosed: boolean
  readonly width: number
  readonly height: number
  /** Whether it lies above or left of the page, where nobody can scroll to. */
  readonly isOutside: boolean
}

interface ViewportSize {
  readonly width: number
  readonly height: number
}

/** Elements that show something without text. */
const SHOWING = new Set(
  'audio button canvas embed frame hr iframe img input math meter object portal progress select summary svg textarea video'.split(
    ' ',
  ),
)

/** Whether an element can show something without the style that paints it. */
export const isShowing = ({
  tag,
  hasText,
  isClosed,
}: Pick<ElementFacts, 'tag' | 'hasText' | 'isClosed'>): boolean => hasText || isClosed || SHOWING.has(tag)

/** Whether a rendered element shows something. Texts for screen readers are one pixel in size. */
export function showsContent(facts: ElementFacts, viewport: ViewportSize): boolean {
  const { width, height, isOutside, isPainted } = facts
  // A line has one size only.
  const isLine = isPainted && Math.max(width, height) > 1 && Math.min(width, height) > 0
  if (isOutside || !(isLine || (width > 1 && height > 1))) return false
  return isShowing(facts) || (isPainted && !isBackdrop(facts, viewport))
}

// --- internal ---

const BACKDROP_SHARE = 0.9

/** What is as large as the viewport is a background, unless it moves. */
const isBackdrop = ({ width, height, isAnimated }: ElementFacts, viewport: ViewportSize): boolean =>
  !isAnimated && width >= viewport.width * BACKDROP_SHARE && height >= viewport.height * BACKDROP_SHARE
