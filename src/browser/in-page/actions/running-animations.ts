/** Resolves when no finite animation has run for three frames: one may start a frame late, and elements are removed a frame after its end. */
export async function waitForAnimations(): Promise<void> {
  const waitFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const runningAnimations = () =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
      )
  for (let quietFrames = 0; quietFrames < 3; quietFrames += 1) {
    await waitFrame()
    const animations = runningAnimations()
    if (animations.length === 0) continue
    await Promise.all(animations.map((animation) => animation.finished.catch(() => {})))
    quietFrames = -1
  }
}
