// A submit that the browser's own validation of a form stopped is no success. Whether it did is seen by the events of the page: a field
// was invalid, and no submit followed.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { evaluateTarget } from '../playwright/locator.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

/** What stopped a submit: the field, and what the browser says of it. Its parts are lines, because it comes from inside a page. */
export type Invalid = `invalid\n${string}\n${string}`

export const isInvalid = (told: unknown): told is Invalid =>
  typeof told === 'string' && told.startsWith('invalid\n')

export function notSubmitted(told: Invalid): Failure {
  const [, field, message] = told.split('\n')
  return {
    code: 'BROWSER_ERROR',
    text: `the form was not submitted, because ${field} is not valid: ${message}`.replace(/\.$/, ''),
    next: 'Give that field a valid value, then submit again.',
  }
}

const READ_TIMEOUT_MS = 500
const ROOT = { selector: 'html' }

/** Runs what may submit a form of the page's main frame. */
export async function submitting<T>(page: Page, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const root = page.locator(ROOT.selector)
  await evaluateTarget(root, ROOT, watchValidation, undefined).catch(() => {})
  const done = await work()
  if (!done.ok) return done
  const told = await settleWithin(READ_TIMEOUT_MS, evaluateTarget(root, ROOT, endWatch, undefined))
  return isInvalid(told) ? err(notSubmitted(told)) : done
}

// Runs inside the page, so it may use nothing but its arguments and the DOM. `watchMouse` does the same for its own click.
function watchValidation(): void {
  let clicked: Event | undefined
  let invalid: string | undefined
  const onClick = (event: Event) => (clicked = event)
  const onSubmit = () => (invalid = undefined)
  const onInvalid = ({ target }: Event) => {
    const field = target as HTMLInputElement
    if (invalid !== undefined || !field.form || field.form.noValidate) return
    const name = field.id ? ` id="${field.id}"` : field.name ? ` name="${field.name}"` : ''
    const line = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200)
    invalid = `invalid\n<${field.localName}${line(name)}>\n${line(field.validationMessage)}`
  }
  window.addEventListener('click', onClick, true)
  window.addEventListener('submit', onSubmit, true)
  window.addEventListener('invalid', onInvalid, true)
  const own = window as unknown as Record<symbol, unknown>
  own[Symbol.for('footlight validation')] = () => {
    window.removeEventListener('click', onClick, true)
    window.removeEventListener('submit', onSubmit, true)
    window.removeEventListener('invalid', onInvalid, true)
    return clicked?.defaultPrevented ? undefined : invalid
  }
}

function endWatch(): string | undefined {
  const key = Symbol.for('footlight validation')
  const own = window as unknown as Record<symbol, (() => string | undefined) | undefined>
  const told = own[key]?.()
  delete own[key]
  return told
}
