// Choosing in a list that a page has made itself: it is opened, the option is looked for and clicked as a person would, and what the page
// shows then is read.

import type { ElementHandle, JSHandle, Page } from 'playwright'
import { comboboxWidget, type Found, type Widget } from '../in-page/forms/combobox-widget.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { activate } from './focused-element.ts'
import { isDocumentFocused } from '../in-page/forms/focus.ts'
import { optionList } from '../in-page/forms/option-list.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import {
  remainingTime,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Target } from '../../runtime/ports/page.ts'

const OPEN_MS = 700
const SEARCH_MS = 8000
const TYPED_MS = 2000
const SHOWN_MS = 1000

interface Combobox {
  readonly page: Page
  readonly element: ResolvedTarget
  readonly widget: JSHandle<Widget>
  /** Milliseconds left. */
  rest(): number
}

export async function chooseInCombobox(
  page: Page,
  element: ResolvedTarget,
  values: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const { locator, target, call } = element
  const since = performance.now()
  const rest = () => remainingTime(call, since)
  const explain = (error: Error) =>
    isTimeout(error) ? explainTimeout(element) : targetFailure(error, target)
  const made = await attempt(locator.evaluateHandle(composedComboboxWidget, undefined, { ...call }), explain)
  if (!made.ok) return made
  const widget = made.value as JSHandle<Widget>
  const combobox = { page, element, widget, rest }
  const done = await attempt(chooseAll(combobox, values), explain)
  await widget.dispose().catch(() => {})
  return done.ok ? done.value : done
}

const MOST = 30

/** The failure where values are not, or not to be, chosen. */
export function noOption(options: readonly string[], values: readonly string[], why = ''): Failure {
  const labels = options.slice(0, MOST).map((one) => clip(one, 80))
  const more = options.length > MOST ? [`… ${options.length - MOST} more`] : []
  const received = values.slice(0, MOST).map((value) => clip(value, 200))
  const expected =
    options.length > 0 ? `some of ${[...labels, ...more].join(', ')}` : 'one of its options (it shows none)'
  return invalidParameter('values', expected, `${received.join(', ')}${why}`)
}

// --- internal ---

const composedComboboxWidget = composeInPage(comboboxWidget, { optionList })

async function chooseAll(combobox: Combobox, values: readonly string[]): Promise<Outcome<readonly string[]>> {
  const { widget, element } = combobox
  const state = await widget.evaluate((one: Widget | undefined) => one && { isDisabled: one.isDisabled() })
  if (!state) return err(notList(element.target))
  if (state.isDisabled)
    return err({
      code: 'ELEMENT_NOT_CLICKABLE',
      target: describeTarget(element.target),
      reason: 'disabled',
      waited: 0,
    })
  const labels: string[] = []
  for (const value of values) {
    const chosen = await chooseOne(combobox, value)
    if (!chosen.ok) {
      await close(combobox).catch(() => {})
      return chosen
    }
    labels.push(chosen.value)
  }
  await close(combobox).catch(() => {})
  return ok(labels)
}

async function chooseOne(combobox: Combobox, value: string): Promise<Outcome<string>> {
  const { widget, rest } = combobox
  const opened = await open(combobox)
  if (!opened.ok) return opened
  const found = await find(combobox, value)
  const { label, isDisabled, isSelected, options } = found
  if (label === undefined) return err(noOption(options, [value]))
  if (isDisabled) return err(noOption(options, [value], ', disabled'))
  if (isSelected) return ok(label)
  const clicked = await clickOption(combobox, value)
  if (!clicked.ok) return clicked
  const shown = await attempt(
    widget.evaluate((one, { label, ms }) => one.shows(label, ms), { label, ms: Math.min(rest(), SHOWN_MS) }),
    () => undefined,
  )
  // A choice may lead to another page.
  if (!shown.ok || shown.value !== 'same') return ok(label)
  return err(notShown(label, await widget.evaluate((one) => one.text())))
}

// A list that draws its options anew is looked into again.
async function clickOption({ element, widget, rest }: Combobox, value: string): Promise<Outcome<void>> {
  for (let tries = 3; ; tries -= 1) {
    const option = await elementOf(widget, (one) => one.option())
    const clicked = await attempt(
      option.click({ timeout: rest(), signal: element.call.signal }),
      (error) => error,
    )
    if (clicked.ok) return clicked
    const isRedrawn = /not attached/.test(clicked.error.message) && tries > 1
    if (!isRedrawn)
      return err(await explainRefusal(element, clicked.error, 'click', `the choice of ${value}`))
    await widget.evaluate((one, { value, ms }) => one.find(value, ms, true), { value, ms: rest() / 2 })
  }
}

async function open(combobox: Combobox): Promise<Outcome<void>> {
  const { page, element, widget, rest } = combobox
  const isOpen = () => widget.evaluate((one, ms) => one.isOpen() || one.opened(ms), Math.min(rest(), OPEN_MS))
  if (await widget.evaluate((one) => one.isOpen())) return ok(undefined)
  await activate(page, () => widget.evaluate(isDocumentFocused))
  const opener = await elementOf(widget, (one) => one.opener())
  const clicked = await attempt(
    opener.click({ timeout: rest(), signal: element.call.signal }),
    (error) => error,
  )
  if (!clicked.ok) return err(await explainRefusal(element, clicked.error, 'click', 'the choice'))
  if (await isOpen()) return ok(undefined)
  const box = await elementOf(widget, (one) => one.box())
  await box.focus()
  await page.keyboard.press('ArrowDown')
  if (await isOpen()) return ok(undefined)
  return err({
    code: 'BROWSER_ERROR',
    text: `${describeTarget(element.target)} did not open a list of options`,
    next: 'Take a snapshot to see what the click did.',
  })
}

// What a box can be searched for is found sooner by that than in a long list.
async function find({ page, widget, rest }: Combobox, value: string): Promise<Found> {
  const look = (share: number, most: number, whole: boolean) =>
    widget.evaluate((one, { value, ms, whole }) => one.find(value, ms, whole), {
      value,
      ms: Math.min(rest() * share, most),
      whole,
    })
  const isEditable = await widget.evaluate((one) => one.isEditable())
  const first = await look(0.8, SEARCH_MS, !isEditable)
  if (first.label !== undefined || !isEditable) return first
  const box = (await elementOf(widget, (one) => one.box())) as ElementHandle<HTMLInputElement>
  const before = await box.inputValue()
  await enterText(page, box, value)
  const typed = await look(0.5, TYPED_MS, true)
  if (typed.label !== undefined) return typed
  // Most boxes forget what was searched for when they are left, and keep their choice; it would be lost by emptying them.
  await page.keyboard.press('Escape')
  await box.evaluate((one) => one.blur())
  if ((await box.inputValue()) === value) await enterText(page, box, before)
  return { ...typed, options: first.options }
}

async function enterText(page: Page, box: ElementHandle<HTMLInputElement>, text: string): Promise<void> {
  await box.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await (text === '' ? page.keyboard.press('Delete') : page.keyboard.insertText(text))
}

async function close({ page, widget }: Combobox): Promise<void> {
  const isOpen = await widget.evaluate((one) => !one.isList && one.isOpen() && one.box().isConnected)
  if (isOpen) await page.keyboard.press('Escape')
}

async function elementOf(
  widget: JSHandle<Widget>,
  part: (widget: Widget) => Element,
): Promise<ElementHandle<Element>> {
  return (await widget.evaluateHandle(part)) as ElementHandle<Element>
}

const notList = (target: Target): Failure =>
  invalidParameter(
    'selector',
    'a <select>, a combobox or a listbox; use click in any other list',
    describeTarget(target),
  )

const notShown = (label: string, text: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the option ${JSON.stringify(label.slice(0, 100))} was clicked, but the page does not show it as selected: it shows ${JSON.stringify(text.slice(0, 100))}`,
  next: 'Take a snapshot to see the result.',
})
