// The contact sheet of a video: which of its frames it shows, and where. Few frames are kept while a video is recorded.

import type { Point, Size } from '../../core/base/geometry.ts'

export interface Moment<F> {
  /** The number of the action that it shows the end of. */
  readonly action: number
  /** Milliseconds from the start of the video. */
  readonly time: number
  readonly frame: F
}

/** Where the pictures are, each with its caption below it. */
export interface SheetPlan extends Size {
  readonly captionHeight: number
  readonly cells: readonly (Size & Point)[]
}

export const SHEET_FONT_PIXELS = 14
const LINE_HEIGHT_PIXELS = 18
/** More than most letters have. */
const LETTER_WIDTH_PIXELS = 8.5
const CAPTION_PADDING_PIXELS = 10
const SHEET_PICTURES = 12
/** Twice as many, so that what is left when every second one was dropped is still spread over the video. */
const KEPT_MOMENTS = 2 * SHEET_PICTURES
/** Of a page on which nothing is done. */
const MOMENT_INTERVAL_MS = 5000
const GAP_PIXELS = 8

/** Adds a moment. The last one is replaced if it is of the same action: what counts is the end of it. */
export function addMoment<F>(moments: readonly Moment<F>[], moment: Moment<F>): readonly Moment<F>[] {
  const last = moments.at(-1)
  if (last?.action === moment.action && moment.time - last.time < MOMENT_INTERVAL_MS)
    return [...moments.slice(0, -1), { ...moment, time: last.time }]
  const earlier = moments.length < KEPT_MOMENTS ? moments : moments.filter((_, index) => index % 2 === 0)
  return [...earlier, moment]
}

/** The moments that the sheet shows: the first, the last, and those between at equal distances. */
export function chooseMoments<F>(moments: readonly Moment<F>[]): readonly Moment<F>[] {
  const step = Math.max(1, (moments.length - 1) / (SHEET_PICTURES - 1))
  const count = Math.min(moments.length, SHEET_PICTURES)
  return Array.from({ length: count }, (_, index) => moments[Math.round(index * step)] as Moment<F>)
}

/** Places pictures of one size in the columns that leave them largest, within a square of `limit` pixels, above captions of at most so many
 * letters. */
export function planSheet(count: number, picture: Size, limit: number, captionChars: number): SheetPlan {
  const plans = Array.from({ length: count }, (_, index) =>
    planColumns({ count, columns: index + 1, picture, limit, captionChars }),
  )
  return plans.reduce((best, plan) =>
    (plan.cells[0]?.width ?? 0) >= (best.cells[0]?.width ?? 0) ? plan : best,
  )
}

/** Such as 1:05. */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

// --- internal ---

const CELL_WIDTH_LIMIT_PIXELS = 512
/** Captions need it, also below the picture of a narrow page. */
const CELL_WIDTH_MINIMUM_PIXELS = 160

const heightOfCaption = (chars: number, width: number): number =>
  LINE_HEIGHT_PIXELS *
    Math.max(1, Math.ceil((chars * LETTER_WIDTH_PIXELS) / (width - 2 * CAPTION_PADDING_PIXELS))) +
  CAPTION_PADDING_PIXELS

interface SheetContent {
  readonly count: number
  readonly columns: number
  readonly picture: Size
  readonly limit: number
  readonly captionChars: number
}

function planColumns({ count, columns, picture, limit, captionChars }: SheetContent): SheetPlan {
  const rows = Math.ceil(count / columns)
  const share = (cells: number) => (limit - (cells + 1) * GAP_PIXELS) / cells
  const widest = Math.min(share(columns), CELL_WIDTH_LIMIT_PIXELS)
  const narrowest = Math.min(widest, CELL_WIDTH_MINIMUM_PIXELS)
  const fit = (captionHeight: number) => {
    const free = Math.max(1, share(rows) - captionHeight)
    const scale = Math.min(widest / picture.width, free / picture.height)
    return { scale, width: Math.max(Math.floor(narrowest), Math.floor(picture.width * scale)) }
  }
  // A narrower picture has a higher caption.
  const captionHeight = heightOfCaption(captionChars, fit(heightOfCaption(captionChars, widest)).width)
  const { scale, width } = fit(captionHeight)
  const height = Math.max(1, Math.floor(picture.height * scale)) + captionHeight
  const place = (index: number, size: number) => GAP_PIXELS + index * (size + GAP_PIXELS)
  const cells = Array.from({ length: count }, (_, index) => ({
    x: place(index % columns, width),
    y: place(Math.floor(index / columns), height),
    width,
    height,
  }))
  return { width: place(columns, width), height: place(rows, height), captionHeight, cells }
}
