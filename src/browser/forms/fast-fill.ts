// Sets a field without waiting. If it is present, visible and enabled, one message checks and sets it, with Playwright's own functions
// inside the page. All other fields are filled by Playwright, which also explains failures.

import { checkFormat } from '../in-page/forms/field-format.ts'
import { composedReadFieldState } from './field-kind.ts'
import { setField } from '../in-page/forms/set-field.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import type { ResolvedTarget } from '../playwright/locator.ts'
import { formatFailure } from './refused-format.ts'
import { composedIsSecretField } from '../secrets/secret-field.ts'
import type { OnFieldInput } from '../secrets/typed-secrets.ts'
import { isClickLoss } from '../pointer/click-check.ts'
import { fastClick } from '../pointer/fast-click.ts'
import type { Tab } from '../tab/tab.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { FieldValue } from '../../runtime/ports/page/page.ts'

// Time in which a click changes the state of a checkbox.
const CHECKED_STATE_TIMEOUT_MS = 500

/** 'done': the field has the value. 'no': nothing was done. 'lost': it was editable until it got the focus. */
export type FastFillResult = 'done' | 'no' | 'lost'

export async function fastFill(
  tab: Tab,
  element: ResolvedTarget,
  value: FieldValue,
  onSecret: OnFieldInput,
): Promise<Outcome<FastFillResult>> {
  const { locator, deadline } = element
  const cdp = await untracedCdpSession(tab)
  if (!cdp) return ok('no')
  const checked = parseChecked(value)
  const expiresAt = Date.now() + deadline.remaining()
  const setNow = async (checkedTimeoutMs = 0) => {
    const input = { value, checked, checkedTimeoutMs, expiresAt }
    return (await evaluateInternally(locator, composedSetField, input))?.result
  }
  const state = await setNow().catch(() => undefined)
  if (!state || deadline.signal.aborted) return ok('no')
  if (state.isLost) return ok('lost')
  if (state.kind === 'text') onSecret(state.field, String(value))
  if (state.kind === 'check') {
    if (state.checked === undefined || checked === undefined) return ok('no')
    if (state.checked === checked) return ok('done')
    // A click does not uncheck a radio button.
    const clickResult = checked ? await fastClick(tab, element, {}) : 'no'
    if (clickResult === 'no' || isClickLoss(clickResult)) return ok('no')
    if (clickResult !== 'clicked') return ok('done')
    const stateAfterClick = await setNow(CHECKED_STATE_TIMEOUT_MS).catch(() => undefined)
    return stateAfterClick?.checked === false ? err(unchangedCheckboxFailure) : ok('done')
  }
  if (state.expected !== undefined) return err(formatFailure('value', state.expected, String(value)))
  if (state.fillResult === 'needsinput')
    await (value ? cdp.send('Input.insertText', { text: String(value) }) : tab.page.keyboard.press('Delete'))
  return ok(state.fillResult === undefined ? 'no' : 'done')
}

/** The checked state that a value stands for; undefined for any other value. */
export const parseChecked = (value: FieldValue): boolean | undefined => {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

// --- internal ---

const unchangedCheckboxFailure: Failure = {
  code: 'BROWSER_ERROR',
  text: 'Clicking the checkbox did not change its state',
}

const composedSetField = composeInPage(setField, {
  readFieldState: composedReadFieldState,
  isSecretField: composedIsSecretField,
  checkFormat,
})
