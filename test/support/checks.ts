// Pages for waits on elements: random elements, the assertions of Playwright's test runner as the oracle, and browsers to run them in.

import type { Browser, Locator, Page } from 'playwright'
import { expect as assertion } from 'playwright/test'
import type { ElementCheck } from '../../src/core/base/action.ts'
import { createDeadline } from '../../src/core/base/system/race-deadline.ts'
import { launchBrowser } from '../../src/core/browser/process/launch-browser.ts'
import { openRefusingProxy } from '../../src/features/host-rules/refusing-proxy.ts'

/** What the page has below `#root`: `count` equal elements. */
export interface ElementSetup {
  readonly count: number
  readonly kind:
    | 'input'
    | 'textarea'
    | 'select'
    | 'checkbox'
    | 'radio'
    | 'switch'
    | 'button'
    | 'div'
    | 'label'
    | 'editable'
  readonly hiding: 'none' | 'display' | 'visibility' | 'parent' | 'attribute' | 'size'
  readonly isDisabled: boolean
  readonly isReadonly: boolean
  readonly isChecked: boolean
  readonly isFocused: boolean
  readonly value: string
  readonly text: string
}

/** Runs in the page. Elements of the same kind and number are changed, others are replaced. */
export function applySetup(setup: ElementSetup): void {
  const root = document.querySelector('#root') as HTMLElement
  const { kind, count } = setup
  const html: Record<ElementSetup['kind'], string> = {
    input: '<input>',
    textarea: '<textarea></textarea>',
    select: '<select><option></option><option>a</option><option>ab</option><option>b c</option></select>',
    checkbox: '<input type="checkbox">',
    radio: '<input type="radio">',
    switch: '<div role="switch" tabindex="0"></div>',
    button: '<button></button>',
    div: '<div tabindex="0"></div>',
    label: '<label>Name <input></label>',
    editable: '<div contenteditable></div>',
  }
  const one = html[kind].replace(/^<(\w+)/, '<$1 class="target"')
  if (root.dataset['made'] !== `${kind} ${count}`) root.innerHTML = one.repeat(count)
  root.dataset['made'] = `${kind} ${count}`
  root.style.display = setup.hiding === 'parent' ? 'none' : ''
  for (const target of root.querySelectorAll<HTMLInputElement>('.target')) {
    const field = target.querySelector('input') ?? target
    target.style.cssText =
      {
        display: 'display:none',
        visibility: 'visibility:hidden',
        size: 'width:0;height:0;padding:0;border:0;overflow:hidden;min-width:0;position:absolute;font-size:0;appearance:none',
      }[setup.hiding as string] ?? ''
    target.hidden = setup.hiding === 'attribute'
    const isWidget = kind === 'switch' || kind === 'div' || kind === 'editable'
    if (isWidget) target.ariaDisabled = String(setup.isDisabled)
    else field.disabled = setup.isDisabled
    if (kind === 'switch' || kind === 'editable') target.ariaReadOnly = String(setup.isReadonly)
    else field.readOnly = setup.isReadonly
    if (kind === 'switch') target.ariaChecked = String(setup.isChecked)
    else field.checked = setup.isChecked
    if (/^(input|textarea|select|label)$/.test(kind)) field.value = setup.value
    else if (isWidget || kind === 'button') target.textContent = setup.text
    if (setup.isFocused) field.focus()
    else field.blur()
  }
}

// Enough for one look, unless the machine is so busy that there was none.
const ASSERTION_TIMEOUT_MS = 1
const RETRY_TIMEOUT_MS = 500
const IS_DECIDED = /Received:|not found|strict mode violation|Not an? |is not an /

/** Whether the assertion that says the same holds now. */
export async function isAsserted(targets: Locator, check: ElementCheck, not: boolean): Promise<boolean> {
  const firstLook: Options = { timeout: ASSERTION_TIMEOUT_MS }
  const holds = async (
    locator: Locator,
    assert: (one: Assertions, within: Options) => Promise<void>,
    isOpposite = not,
    within = firstLook,
  ): Promise<boolean> => {
    const one = assertion(locator)
    const error = await assert(isOpposite ? one.not : one, within).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    if (!error) return true
    if (IS_DECIDED.test(error.message) || within !== firstLook) return false
    return holds(locator, assert, isOpposite, { timeout: RETRY_TIMEOUT_MS })
  }
  const count = await targets.count()
  const each = Array.from({ length: count }, (_, index) => targets.nth(index))
  if (check.kind === 'count') return holds(targets, (one, options) => one.toHaveCount(check.count, options))
  if (check.kind === 'value') return holds(targets, (one, options) => one.toHaveValue(check.value, options))
  if (check.kind === 'text') {
    const contains = (one: Assertions, options: Options) =>
      one.toContainText(check.text, { ...options, ignoreCase: true })
    if (not) return count > 0 && (await Promise.all(each.map((one) => holds(one, contains)))).every(Boolean)
    const isShown = async (one: Locator) =>
      (await holds(one, contains)) && (await holds(one, (shown, options) => shown.toBeVisible(options)))
    return (await Promise.all(each.map(isShown))).some(Boolean)
  }
  const { state, isFirst = false } = check
  const isAbsence = not ? state === 'visible' : state === 'hidden'
  if (isAbsence && count > 1 && !isFirst)
    return (
      await Promise.all(each.map((one) => holds(one, (hidden, options) => hidden.toBeHidden(options), false)))
    ).every(Boolean)
  return holds(isFirst ? targets.first() : targets, (one, options) => {
    if (state === 'attached') return one.toBeAttached(options)
    if (state === 'detached') return one.toBeAttached({ ...options, attached: false })
    if (state === 'visible') return one.toBeVisible(options)
    if (state === 'hidden') return one.toBeHidden(options)
    if (state === 'enabled') return one.toBeEnabled(options)
    if (state === 'disabled') return one.toBeDisabled(options)
    if (state === 'editable') return one.toBeEditable(options)
    if (state === 'readonly') return one.toBeEditable({ ...options, editable: false })
    if (state === 'checked') return one.toBeChecked(options)
    if (state === 'unchecked') return one.toBeChecked({ ...options, checked: false })
    return state === 'focused' ? one.toBeFocused(options) : one.toBeEmpty(options)
  })
}

type Options = { readonly timeout: number }
type Assertions = ReturnType<typeof assertion<Locator>>

export const deadlineIn = (timeout: number) =>
  createDeadline(timeout, new AbortController().signal, () => performance.now())

export interface BrowserPages {
  readonly pages: readonly Page[]
  close(): Promise<void>
}

/** Opens pages, each in a context of its own. Without `network` they reach no server. */
export async function openPages(
  browser: 'chromium' | 'firefox',
  count: number,
  { network = false } = {},
): Promise<BrowserPages> {
  const refusing = await openRefusingProxy()
  const launched = await launchBrowser({
    browser,
    headless: true,
    ...(!network && { refusingProxy: `http://127.0.0.1:${refusing.port}` }),
    timeout: 60_000,
    onNotice: () => {},
  })
  if (!launched.ok) throw new Error(JSON.stringify(launched.error))
  const { value } = launched as { value: Browser }
  const open = async () => (await value.newContext()).newPage()
  const pages = await Promise.all(Array.from({ length: count }, open))
  return {
    pages,
    async close() {
      await value.close()
      refusing.close()
    },
  }
}
