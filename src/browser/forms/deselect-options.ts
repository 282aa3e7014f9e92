// Multi-select lists: options that are not requested are deselected with the mouse.

import { attempt } from '../playwright/errors.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import { elementOf, type Combobox } from './find-combobox-option.ts'
import { clip } from '../../core/text/clip.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

const DESELECTED_OPTION_LIMIT = 200
const SEARCH_TIMEOUT_MS = 4000
const DESELECT_TIMEOUT_MS = 1000

/** Deselects all options with other labels. A single-select list is not changed. */
export async function deselectOtherOptions(
  { widget, element: { deadline } }: Combobox,
  labels: readonly string[],
): Promise<Outcome<void>> {
  // A selection may have started a navigation.
  const isMultiple = await attempt(
    widget.evaluate((one) => one.isMultiple()),
    () => undefined,
  )
  if (!isMultiple.ok || !isMultiple.value) return ok(undefined)
  for (let count = 0; count < DESELECTED_OPTION_LIMIT; count += 1) {
    const ms = Math.min(deadline.remaining() / 2, SEARCH_TIMEOUT_MS)
    const other = await widget.evaluate((one, { labels, ms }) => one.findOther(labels, ms), { labels, ms })
    if (other === undefined) return ok(undefined)
    const option = await elementOf(widget, (one) => one.optionElement())
    const clickResult = await attempt(option.click(playwrightOptions(deadline)), () => undefined)
    const timeoutMs = Math.min(deadline.remaining(), DESELECT_TIMEOUT_MS)
    const isDeselected =
      clickResult.ok && (await widget.evaluate((one, ms) => one.waitUntilDeselected(ms), timeoutMs))
    if (!isDeselected) return err(notDeselectedFailure(other))
  }
  return ok(undefined)
}

const notDeselectedFailure = (label: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the option ${JSON.stringify(clip(label, 100))} was chosen before and could not be taken back`,
  next: 'Take a snapshot to see what is chosen, and click it away.',
})
