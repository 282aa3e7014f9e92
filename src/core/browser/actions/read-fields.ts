// Reads the values of fields at the end of a call.

import type { Page } from 'playwright'
import { readFieldContent, readFieldContents } from '../in-page/generated.ts'
import { evaluateInternally, selectorOf } from '../playwright/internals.ts'
import { evaluateTarget, locatorOf } from '../playwright/locator.ts'
import type { FieldContent } from '../../base/text/field-content.ts'
import type { FilledField } from '../../sessions/types/page.ts'

/** The contents in the order of the fields; undefined for a field that is gone or cannot be read. One message reads those in the frame of the
 * last field. */
export async function readFields(
  page: Page,
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
  const contents = await evaluateInternally(last.locator, readFieldContents, inputs).catch(() => undefined)
  return Promise.all(
    entries.map(async ({ text, ...element }, index) => {
      const content = contents?.result[index]
      if (content !== undefined) return content ?? undefined
      return evaluateTarget(element, readFieldContent, text).catch(() => undefined)
    }),
  )
}
