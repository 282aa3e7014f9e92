import { createDeadline } from './deadline.ts'
import type { Clock } from '../clock.ts'
import type { Page } from '../ports/page/page.ts'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import { showPageText } from '../../core/text/page-text.ts'

const TIMEOUT_MS = 500

// The browser gives it the focus when it refuses to submit the form.
const INVALID_FIELD = { selector: ':focus:invalid' }

/** Names the field that stopped a submit by its role, name and ref; one without a name by its tag. */
export async function nameInvalidField<T>(
  outcome: Outcome<T>,
  page: Page,
  clock: Clock,
): Promise<Outcome<T>> {
  if (outcome.ok || outcome.error.code !== 'BROWSER_ERROR' || !outcome.error.invalidField) return outcome
  const deadline = createDeadline(TIMEOUT_MS, new AbortController().signal, clock)
  const tree = await page.tree({ target: INVALID_FIELD }, deadline)
  const [field] = tree.ok ? tree.value : []
  if (typeof field !== 'object' || field.ref === undefined) return outcome
  const name = field.name ? showPageText(field.name, 'quoted') : outcome.error.invalidField
  return err({ ...outcome.error, invalidField: `${field.role} ${name} [${field.ref}]` })
}
