import type { Page } from 'playwright'
import { waitForAnimations as waitInPage } from '../in-page/actions/running-animations.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

const ANIMATION_TIMEOUT_MS = 700

/** Waits for the finite animations of the page, such as those of a layer that opens or closes. */
export async function waitForAnimations(page: Page): Promise<void> {
  await settleWithin(ANIMATION_TIMEOUT_MS, evaluateInternally(page.locator(':root'), waitInPage, undefined))
}
