// When a page is blank: it had content and shows nothing now, and nothing is on its way. A page that is short, loads, or never had content is not.

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

export interface ViewportSize {
  readonly width: number
  readonly height: number
}

/** Elements that show something without text. */
const SHOWING = new Set(
  'audio button canvas embed frame hr iframe img input math meter object portal progress select svg textarea video'.split(
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

export interface BlankFacts {
  readonly now: PageContent
  /** When it had content last; undefined if it never had. */
  readonly before: PageContent | undefined
  /** Whether an uncaught error or a script that failed to load came since. */
  readonly hasError: boolean
  /** Whether requests are without a response. */
  readonly isRequesting: boolean
  /** Whether the page has set timers since. */
  readonly hasTimers: boolean
  /** Milliseconds since it was found blank first. */
  readonly blankFor: number
}

/** `open`: it shows nothing, but may be on its way. */
export function judgeBlank(facts: BlankFacts): 'shown' | 'open' | 'blank' {
  const { now, before, hasError, isRequesting, hasTimers, blankFor } = facts
  if (!now.isBlank || !before) return 'shown'
  const isOther = now.document !== before.document
  // Another page may be empty or slow by its nature.
  if (isOther && !hasError) return 'shown'
  if (now.isLoading) return 'open'
  if (isOther) return isRequesting ? 'open' : 'blank'
  const isPending = (isRequesting || hasTimers) && blankFor < PATIENCE_MS
  return isPending && !hasError ? 'open' : 'blank'
}

// --- internal ---

/** What sets timers again and again is not waited for any longer. */
const PATIENCE_MS = 10_000
const BACKDROP_SHARE = 0.9

/** What is as large as the viewport is a background, unless it moves. */
const isBackdrop = ({ width, height, isAnimated }: ElementFacts, viewport: ViewportSize): boolean =>
  !isAnimated && width >= viewport.width * BACKDROP_SHARE && height >= viewport.height * BACKDROP_SHARE
