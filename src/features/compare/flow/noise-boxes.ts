// Where a page differs between two runs of the base: the elements at that place, in each of the runs and in the current version.

import type { Box } from '../../../core/base/geometry.ts'
import type { PageView, ViewDifference } from '../differences/page-view.ts'
import type { Capture } from './capture.ts'

/** The areas that are not compared. `noise` is how the runs of the base differ, `masked` what the current version differs by for that reason. */
export function noiseBoxes(
  { base, again, current }: Readonly<Record<'base' | 'again' | 'current', Capture>>,
  noise: readonly ViewDifference[],
  masked: readonly ViewDifference[],
): readonly Box[] {
  const boxOf = ({ boxes }: Capture, ref: string | undefined) => boxes.get(ref ?? '') ?? []
  const toBase = refsOf(again.view, base.view)
  const toCurrent = refsOf(again.view, current.view)
  // A picture that differs without a text: the elements that it was found in.
  const drawn = again.areas.flatMap(({ box, elements }) => [
    box,
    ...elements.flatMap(({ ref }) => [
      ...smallOnly(boxOf(again, ref), box),
      ...smallOnly(boxOf(base, toBase.get(ref)), box),
      ...smallOnly(boxOf(current, toCurrent.get(ref)), box),
    ]),
  ])
  const written = [
    ...noise.flatMap(({ refBefore, refAfter }) => [boxOf(base, refBefore), boxOf(again, refAfter)]),
    ...masked.flatMap(({ refBefore, refAfter }) => [boxOf(base, refBefore), boxOf(current, refAfter)]),
  ].flat()
  return [...drawn, ...written].map(grow)
}

/** The refs of the second view by those of the first: of lines with the same text the ones at the same place. */
export function refsOf(view: PageView, other: PageView): ReadonlyMap<string, string> {
  const refsByText = new Map<string, string>()
  const counts = new Map<string, number>()
  const key = (text: string) => {
    const count = counts.get(text) ?? 0
    counts.set(text, count + 1)
    return `${count} ${text}`
  }
  for (const { text, ref } of other.lines) if (ref !== undefined) refsByText.set(key(text), ref)
  counts.clear()
  return new Map(
    view.lines.flatMap(({ text, ref }) => {
      const match = ref === undefined ? undefined : refsByText.get(key(text))
      return ref === undefined || match === undefined ? [] : [[ref, match] as const]
    }),
  )
}

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

// --- internal ---

/** A number that counts may become wider. */
const MARGIN_PIXELS = 12
/** An element that is so much larger than what differs in it is not masked as a whole. */
const SIZE_LIMIT = 60
const SMALL_PIXELS = 40_000

const areaOf = ({ width, height }: Box): number => width * height

const smallOnly = (match: Box | readonly never[], area: Box): readonly Box[] =>
  'x' in match && (areaOf(match) < SMALL_PIXELS || areaOf(match) < SIZE_LIMIT * areaOf(area)) ? [match] : []

const grow = ({ x, y, width, height }: Box): Box => ({
  x: x - MARGIN_PIXELS,
  y: y - MARGIN_PIXELS,
  width: width + 2 * MARGIN_PIXELS,
  height: height + 2 * MARGIN_PIXELS,
})
