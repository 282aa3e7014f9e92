export const waitOneFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))

export const waitTwoFrames = (): Promise<unknown> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
