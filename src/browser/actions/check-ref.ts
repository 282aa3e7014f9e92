// A ref stays with its element. The page may have drawn another item into that since the client read it; no action is done on that one.

import type { Page } from 'playwright'
import { findPlaceChange } from '../in-page/observe/element-places.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { describeTarget, locatorOf } from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { clip } from '../../core/text/clip.ts'
import type { Target } from '../../core/recording/action.ts'

/** Fails if the element of a ref belongs to another item than it was read as. */
export async function checkRef(page: Page, target: Target | undefined): Promise<Outcome<void>> {
  const locator = target && 'ref' in target ? await locatorOf(page, target) : undefined
  if (!target || !locator?.ok) return ok(undefined)
  const reply = await evaluateInternally(locator.value, findPlaceChange, undefined).catch(() => undefined)
  const change = reply?.result
  if (!change) return ok(undefined)
  const changed = { from: clip(change.from, TEXT_LIMIT_CHARS), to: clip(change.to, TEXT_LIMIT_CHARS) }
  return err({ code: 'ELEMENT_NOT_FOUND', target: describeTarget(target), waited: 0, stale: true, changed })
}

// --- internal ---

const TEXT_LIMIT_CHARS = 80
