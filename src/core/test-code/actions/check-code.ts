// Checks as assertions with the same meaning.

import type { ElementCheck, ElementState } from '../../checks/element-check.ts'
import type { ItemOrder, RecordedCheck, RecordedStep } from '../../recording/recorded-step.ts'
import { groupDigits } from '../literals.ts'
import { callCode, type Code } from '../print-code.ts'
import type { ActionScope } from './action-scope.ts'
import { ariaTemplates } from './aria-template.ts'
import { expectedUrlCode } from './url-code.ts'

/** The assertions of a check, in the order in which it was made. */
export function checkCode(
  check: RecordedCheck,
  { urlAfter, durationMs }: RecordedStep,
  scope: ActionScope,
): readonly Code[] {
  const { element, checks, order, aria, text, textElement, textGone, url } = check
  const timeout = timeoutOf(durationMs)
  const locator: Code = element ? { head: scope.page, links: scope.linksOf(element, scope.page) } : ''
  const body: Code = `${scope.page}.locator('body')`
  const assertions: Assertion[] = []
  if (text !== undefined)
    assertions.push(
      textElement
        ? { of: { head: scope.page, links: scope.linksOf(textElement, scope.page) }, matcher: 'toBeVisible' }
        : {
            of: body,
            matcher: 'toContainText',
            items: [scope.text.label(text)],
            options: ['useInnerText: true'],
          },
    )
  if (textGone !== undefined) assertions.push(goneAssertion(textGone, scope))
  if (url !== undefined)
    assertions.push({ of: scope.page, matcher: 'toHaveURL', items: [expectedUrlCode(url, urlAfter, scope)] })
  for (const one of checks) assertions.push(elementAssertion(one, check, locator, scope))
  if (order) assertions.push(orderAssertion(order, locator, scope))
  if (aria !== undefined)
    for (const template of ariaTemplates(aria, check.not))
      assertions.push(ariaAssertion(template, element ? locator : body, check.not, scope))
  return assertions.map((assertion) => formatAssertion(assertion, timeout))
}

// --- internal ---

interface Assertion {
  readonly of: Code
  readonly not?: boolean
  readonly matcher: string
  readonly items?: readonly Code[]
  readonly options?: readonly Code[]
}

/** What Playwright waits without an option is 5 s; a check that took nearly as long needs more. */
const SLOW_CHECK_MS = 4000
const TIMEOUT_UNIT_MS = 5000

const timeoutOf = (durationMs: number): number | undefined =>
  durationMs > SLOW_CHECK_MS ? Math.ceil((2 * durationMs) / TIMEOUT_UNIT_MS) * TIMEOUT_UNIT_MS : undefined

function formatAssertion(
  { of, not, matcher, items = [], options = [] }: Assertion,
  timeout: number | undefined,
): Code {
  const allOptions = [...options, ...(timeout === undefined ? [] : [`timeout: ${groupDigits(timeout)}`])]
  const optionsCode: readonly Code[] =
    allOptions.length === 0 ? [] : [{ open: '{', items: allOptions, close: '}' }]
  return [
    'await ',
    callCode('expect', [of]),
    not ? '.not' : '',
    callCode(`.${matcher}`, [...items, ...optionsCode]),
    ';',
  ]
}

// Hidden texts do not count.
const goneAssertion = (text: string, { page, text: texts }: ActionScope): Assertion => ({
  of: { head: page, links: [callCode('.getByText', [texts.label(text)]), '.filter({ visible: true })'] },
  matcher: 'toHaveCount',
  items: ['0'],
})

interface StateMatcher {
  readonly matcher: string
  readonly opposite?: string
  readonly items?: readonly string[]
  readonly not?: boolean
}

/** `opposite` has the meaning of `not`; without it `.not` has. */
const STATE_MATCHERS: Readonly<Record<ElementState, StateMatcher>> = {
  visible: { matcher: 'toBeVisible', opposite: 'toBeHidden' },
  hidden: { matcher: 'toBeHidden', opposite: 'toBeVisible' },
  enabled: { matcher: 'toBeEnabled', opposite: 'toBeDisabled' },
  disabled: { matcher: 'toBeDisabled', opposite: 'toBeEnabled' },
  editable: { matcher: 'toBeEditable' },
  readonly: { matcher: 'toBeEditable', not: true },
  checked: { matcher: 'toBeChecked' },
  unchecked: { matcher: 'toBeChecked', not: true },
  focused: { matcher: 'toBeFocused' },
  empty: { matcher: 'toBeEmpty' },
  attached: { matcher: 'toBeAttached' },
  detached: { matcher: 'toHaveCount', items: ['0'], opposite: 'toBeAttached' },
}

function elementAssertion(
  check: ElementCheck,
  { not, element, isOptionLabel }: RecordedCheck,
  of: Code,
  { text }: ActionScope,
): Assertion {
  if (check.kind === 'state') {
    const { matcher, opposite, items = [], not: isInverted = false } = STATE_MATCHERS[check.state]
    if (not && opposite !== undefined) return { of, matcher: opposite }
    return { of, matcher, items, not: isInverted !== not }
  }
  if (check.kind === 'count') return { of, not, matcher: 'toHaveCount', items: [String(check.count)] }
  if (check.kind === 'text') return { of, not, matcher: 'toContainText', items: [text.label(check.text)] }
  if (isOptionLabel && element?.type === 'select')
    return {
      of: [of, ".locator('option:checked')"],
      not,
      matcher: 'toHaveText',
      items: [text.value(check.value)],
    }
  return { of, not, matcher: 'toHaveValue', items: [text.value(check.value)] }
}

const orderAssertion = ({ texts }: ItemOrder, of: Code, { text }: ActionScope): Assertion => ({
  of,
  matcher: 'toContainText',
  items: [{ open: '[', items: texts.map((one) => text.label(one)), close: ']' }],
})

function ariaAssertion(
  template: readonly string[],
  of: Code,
  not: boolean,
  { text }: ActionScope,
): Assertion {
  const lines = template.map((line) => text.template(line))
  return { of, not, matcher: 'toMatchAriaSnapshot', items: [{ template: lines }] }
}
