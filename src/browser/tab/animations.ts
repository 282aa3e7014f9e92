import type { Page } from 'playwright'
import { evaluateInternally } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

const ANIMATION_TIMEOUT_MS = 700

/** Waits for the finite animations of the page, such as those of a layer that opens or closes. */
export async function waitForAnimations(page: Page): Promise<void> {
  await settleWithin(ANIMATION_TIMEOUT_MS, evaluateInternally(page.locator(':root'), stillness, undefined))
}

// Runs inside the page. What a library animates may begin a frame later, and what it removes goes a frame after the end.
async function stillness(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const moving = () =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
      )
  for (let still = 0; still < 3; still += 1) {
    await frame()
    const animations = moving()
    if (animations.length === 0) continue
    await Promise.all(animations.map((animation) => animation.finished.catch(() => {})))
    still = -1
  }
}
