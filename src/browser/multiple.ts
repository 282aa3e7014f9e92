// A list of several choices is set to those that are wanted: what else was chosen is taken back, as a person would.

import type { ElementHandle, JSHandle } from 'playwright'
import type { Widget } from './combobox-widget.ts'
import { attempt } from './failures.ts'
import { clip } from '../core/clip.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { Call } from '../runtime/ports/page.ts'

const MOST = 200
const SEARCH_MS = 4000
const GONE_MS = 1000

export interface Multiple {
  readonly widget: JSHandle<Widget>
  readonly call: Call
  /** Milliseconds left. */
  rest(): number
}

/** Takes back what was chosen beside these. A list of one choice is left as it is. */
export async function deselectOthers(
  { widget, call, rest }: Multiple,
  labels: readonly string[],
): Promise<Outcome<void>> {
  // A choice may have led to another page.
  const isMultiple = await attempt(
    widget.evaluate((one) => one.isMultiple()),
    () => undefined,
  )
  if (!isMultiple.ok || !isMultiple.value) return ok(undefined)
  for (let turn = 0; turn < MOST; turn += 1) {
    const ms = Math.min(rest() / 2, SEARCH_MS)
    const other = await widget.evaluate((one, { labels, ms }) => one.findOther(labels, ms), { labels, ms })
    if (other === undefined) return ok(undefined)
    const element = (await widget.evaluateHandle((one) => one.option())) as ElementHandle<Element>
    const clicked = await attempt(element.click({ timeout: rest(), signal: call.signal }), () => undefined)
    const isGone =
      clicked.ok && (await widget.evaluate((one, ms) => one.isTakenBack(ms), Math.min(rest(), GONE_MS)))
    if (!isGone) return err(notTakenBack(other))
  }
  return ok(undefined)
}

const notTakenBack = (label: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the option ${JSON.stringify(clip(label, 100))} was chosen before and could not be taken back`,
  next: 'Take a snapshot to see what is chosen, and click it away.',
})
