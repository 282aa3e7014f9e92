// Setting a field without waiting. Like a click, a field that is present, visible and enabled need not be waited for: one message checks
// it and sets it, with Playwright's own functions inside the page. All other fields take Playwright's way, which also explains failures.

import { checkFormat } from '../in-page/forms/field-format.ts'
import { composedReadFieldState } from './field-kind.ts'
import { setField } from '../in-page/forms/set-field.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import type { ResolvedTarget } from '../playwright/locator.ts'
import { formatFailure } from './refused-format.ts'
import { composedIsSecretField } from '../secrets/secret-field.ts'
import type { OnFieldInput } from '../secrets/typed-secrets.ts'
import { fastClick } from '../actions/fast-click.ts'
import type { Tab } from '../tab/tab.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { FieldValue } from '../../runtime/ports/page.ts'

/** Time in which a checkbox shows the effect of a click. */
const CHECKED_TIMEOUT_MS = 500

/** True when the field has the value now; false when nothing was done. */
export async function fastFill(
  tab: Tab,
  element: ResolvedTarget,
  value: FieldValue,
  onSecret: OnFieldInput,
): Promise<Outcome<boolean>> {
  const { locator, call } = element
  const cdp = await untracedCdpSession(tab)
  if (!cdp) return ok(false)
  const checked = checkedState(value)
  const until = Date.now() + call.timeout
  const set = async (checkedTimeoutMs = 0) => {
    const input = { value, checked, checkedTimeoutMs, until }
    return (await evaluateInternally(locator, composedSetField, input))?.result
  }
  const state = await set().catch(() => undefined)
  if (!state || call.signal.aborted) return ok(false)
  if (state.kind === 'text') onSecret(state.field, String(value))
  if (state.kind === 'check') {
    if (state.checked === undefined || checked === undefined) return ok(false)
    if (state.checked === checked) return ok(true)
    // A radio is not unchecked by a click.
    const clicked = checked ? await fastClick(tab, element, {}) : 'no'
    if (clicked !== 'clicked') return ok(clicked !== 'no')
    const after = await set(CHECKED_TIMEOUT_MS).catch(() => undefined)
    return after?.checked === false ? err(unchangedCheckbox) : ok(true)
  }
  if (state.expected !== undefined) return err(formatFailure('value', state.expected, String(value)))
  if (state.done === 'needsinput')
    await (value ? cdp.send('Input.insertText', { text: String(value) }) : tab.page.keyboard.press('Delete'))
  return ok(state.done !== undefined)
}

/** The meaning of a value for a checkbox; undefined where it has none. */
export const checkedState = (value: FieldValue): boolean | undefined => {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

// --- internal ---

const unchangedCheckbox: Failure = {
  code: 'BROWSER_ERROR',
  text: 'Clicking the checkbox did not change its state',
}

const composedSetField = composeInPage(setField, {
  readFieldState: composedReadFieldState,
  isSecretField: composedIsSecretField,
  checkFormat,
})
