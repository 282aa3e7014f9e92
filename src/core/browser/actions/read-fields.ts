// Reads the values of fields at the end of a call.

import type { Page as PlaywrightPage } from 'playwright'
import type { FieldValue, Target } from '../../base/action.ts'
import { ok } from '../../base/result.ts'
import type { Page } from '../../sessions/types/page.ts'
import { readFieldContent, readFieldContents } from '../in-page/generated.ts'
import { evaluateInternally, selectorOf } from '../playwright/internals.ts'
import { evaluateTarget, locatorOf } from '../playwright/locator.ts'
import type { FieldContent } from '../../base/text/field-content.ts'
import { settleWithin } from '../../base/system/settle-within.ts'

/** A field that was set to a value. */
export interface FilledField {
  readonly target: Target
  readonly value: FieldValue
}

/** What fields of the active tab have now, in their order; undefined for one that is gone or cannot be read. */
export async function readFields(
  { parts }: Page,
  fields: readonly FilledField[],
): Promise<readonly (FieldContent | undefined)[]> {
  const contents = await parts.runOnTab(async ({ page }) => ok(await readFieldsIn(page, fields)))
  return contents.ok ? contents.value : []
}

// --- internal ---

/** The time for a page to draw its next frame, which one in the background does not. */
const FRAME_TIMEOUT_MS = 500

// One message reads those in the frame of the last field.
async function readFieldsIn(
  page: PlaywrightPage,
  fields: readonly FilledField[],
): Promise<readonly (FieldContent | undefined)[]> {
  const locators = await Promise.all(fields.map(({ target }) => locatorOf(page, target)))
  const entries = fields.flatMap(({ target, value }, index) => {
    const locator = locators[index]
    return locator?.ok
      ? [{ target, locator: locator.value, text: typeof value === 'string' ? value : '' }]
      : []
  })
  const last = entries.at(-1)
  if (!last) return []
  const inputs = entries.map(({ locator, text }) => ({ selector: selectorOf(locator), text }))
  const reading = evaluateInternally(last.locator, readFieldContents, inputs)
  const reply = await settleWithin(FRAME_TIMEOUT_MS, reading)
  const contents = reply && 'result' in reply ? reply.result : undefined
  return Promise.all(
    entries.map(async ({ text, ...element }, index) => {
      const content = contents?.[index]
      if (content !== undefined && content !== 'missing') return content ?? undefined
      return evaluateTarget(element, readFieldContent, text).catch(() => undefined)
    }),
  )
}
