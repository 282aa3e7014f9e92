import type { Obstacle } from '../../../base/failure-records.ts'
import { findInertRoot, isControlDisabled } from '../page/elements.ts'

export interface SliderState {
  readonly now: number
  readonly min: number
  readonly max: number
  readonly obstacle?: Obstacle
}

/** Waits until the value has stood still for two frames; where it is still `before`, for four. */
export async function readSlider(slider: Element, before?: number): Promise<SliderState> {
  const STILL_FRAME_COUNT = 2
  const UNCHANGED_FRAME_COUNT = 4
  const FRAME_LIMIT = 20
  const numberOf = (name: string, missing: number) => {
    const text = slider.getAttribute(name) ?? ''
    return text.trim() === '' ? missing : Number(text)
  }
  const readNow = () => numberOf('aria-valuenow', NaN)
  let now = readNow()
  let still = 0
  for (let frame = 0; frame < FRAME_LIMIT; frame += 1) {
    if (still >= (now === before ? UNCHANGED_FRAME_COUNT : STILL_FRAME_COUNT)) break
    await new Promise((resolve) => requestAnimationFrame(resolve))
    still = Object.is(readNow(), now) ? still + 1 : 0
    now = readNow()
  }
  return {
    now,
    min: numberOf('aria-valuemin', 0),
    max: numberOf('aria-valuemax', 100),
    ...(isControlDisabled(slider) && { obstacle: findInertRoot(slider) ? 'inert' : 'disabled' }),
  }
}
