// Why nothing, or nothing for sure, was chosen in a list that a page has made itself.

import { nameOf } from './target.ts'
import type { Failure } from '../core/failure.ts'
import type { Target } from '../runtime/ports/page.ts'

export const notList = (target: Target): Failure => ({
  code: 'INVALID_PARAMETERS',
  field: 'selector',
  expected: 'a <select>, a combobox or a listbox; click the parts of any other list',
  received: nameOf(target),
})

export const notShown = (label: string, text: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the option ${JSON.stringify(label.slice(0, 100))} was clicked, and the page does not show it as chosen: it shows ${JSON.stringify(text.slice(0, 100))}`,
  next: 'Take a snapshot to see what the page made of it.',
})
