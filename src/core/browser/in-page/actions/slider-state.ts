export interface SliderState {
  readonly now: number
  readonly min: number
  readonly max: number
  readonly isDisabled: boolean
}

/** Waits a few frames for another value than `before`, if there is one. */
export async function readSlider(slider: Element, before?: number): Promise<SliderState> {
  const FRAME_COUNT = 4
  const numberOf = (name: string, missing: number) => {
    const text = slider.getAttribute(name) ?? ''
    return text.trim() === '' ? missing : Number(text)
  }
  const readNow = () => numberOf('aria-valuenow', NaN)
  for (let frame = 0; frame < FRAME_COUNT && readNow() === before; frame += 1)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  return {
    now: readNow(),
    min: numberOf('aria-valuemin', 0),
    max: numberOf('aria-valuemax', 100),
    isDisabled: slider.closest('[aria-disabled="true"]') !== null,
  }
}
