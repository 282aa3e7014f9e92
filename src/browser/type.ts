// Typing. Whether the element takes text is asked first, because keys go to whatever has the focus.

import type { Locator } from 'playwright'
import { attempt, isTimeout } from './failures.ts'
import { probe, type ProbeOptions, type Verdict } from './probe.ts'
import { ENTER, strike, strokesOf } from './strokes.ts'
import type { Surface } from './tabs.ts'
import { shortcut } from './tracing.ts'
import type { OnSecret } from './known-fields.ts'
import { aim, ask, examine, EXPLAIN, left, locate, missedIn, nameOf, targetFailure } from './target.ts'
import { submitting } from './validation.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, map, ok } from '../core/result.ts'
import type { Call, Target, TypeOptions } from '../runtime/ports/page.ts'

/** Types key by key. Answers a note when the focus went elsewhere meanwhile, as in a row of one-letter fields. */
export async function type(
  surface: Surface,
  target: Target,
  text: string,
  { delay = 0, clear, submit }: TypeOptions,
  call: Call,
  onSecret: OnSecret,
): Promise<Outcome<string>> {
  const { page } = surface
  const since = performance.now()
  const aimed = aim(page, target)
  if (!aimed.ok) return aimed
  const locator = aimed.value
  const ready = () => editable(locator, target, call, since)
  let state = await ready()
  if (!state.ok) return state
  if (state.value.field) onSecret(state.value.field, text)
  const explain = (error: Error) => (isTimeout(error) ? untyped(call) : fieldFailure(error, target, text))
  if (state.value.whole) return map(await attempt(locator.fill(text, call), explain), () => '')
  if (clear) {
    const emptied = await attempt(locator.fill('', call), explain)
    if (!emptied.ok) return emptied
    // Emptying it may have made the page draw it anew.
    state = await ready()
    if (!state.ok) return state
  }
  const typed = await attempt(keys(surface, locator, target, { text, delay, signal: call.signal }), explain)
  if (!typed.ok) return typed
  if (typed.value === LOST) {
    const waited = Math.round(performance.now() - since)
    return err({ code: 'ELEMENT_NOT_EDITABLE', target: nameOf(target), reason: 'detached', waited })
  }
  if (!submit) return ok(typed.value)
  const entered = await submitting(page, () => attempt(enter(surface), explain))
  return map(entered, () => typed.value)
}

async function enter(surface: Surface): Promise<void> {
  const channel = await shortcut(surface)
  return channel ? strike(channel, [ENTER]) : surface.page.keyboard.press('Enter')
}

const LOST = 'lost'

// The probe has put the focus and the caret where they belong; Playwright's own way would move the caret to the start in Firefox.
// Its keyboard takes no signal, so a long text goes in parts of about 200 ms. A page may replace the field, which loses the keys,
// or move the focus on, which is its right and is told.
async function keys(
  surface: Surface,
  locator: Locator,
  target: Target,
  { text, delay, signal }: { text: string; delay: number; signal: AbortSignal },
): Promise<string> {
  const channel = delay === 0 ? await shortcut(surface) : undefined
  const letters = [...text]
  const size = Math.max(1, Math.floor(200 / (delay + 5)))
  for (let from = 0; from < letters.length && !signal.aborted; from += size) {
    const part = letters.slice(from, from + size).join('')
    const strokes = channel && strokesOf(part)
    if (strokes) await strike(channel, strokes)
    else await surface.page.keyboard.type(part, { delay })
    const focus = await examine(locator, target, focusAfter, undefined).catch(() => '')
    if (focus === LOST || (focus && from + size >= letters.length)) return focus
  }
  return ''
}

// Runs inside the page: nothing when the field has the focus, LOST when nothing has it, else what does.
function focusAfter([field]: Element[]): string {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  if (!field || active === field) return field ? '' : 'lost'
  if (!active || active === document.body) return 'lost'
  return `<${active.localName}${active.id ? ` id="${active.id}"` : ''}>`
}

const untyped = (call: Call): Failure => ({
  code: 'TIMEOUT',
  waitedFor: 'the field to be ready',
  waited: call.timeout,
})

function fieldFailure(error: Error, target: Target, text: string): Failure {
  if (!/Malformed value/.test(error.message)) return targetFailure(error, target)
  const expected = 'a value that this field takes, such as 2030-01-31 for a date or 13:45 for a time'
  return { code: 'INVALID_PARAMETERS', field: 'text', expected, received: JSON.stringify(text.slice(0, 100)) }
}

// Playwright types into whatever has the focus; so whether the element takes text is asked first. The first look asks all matches
// at once and waits for none, which takes a third of the time of asking one.
async function editable(
  locator: Locator,
  target: Target,
  call: Call,
  since: number,
): Promise<Outcome<Verdict>> {
  const options: ProbeOptions = { want: 'type', budget: 0 }
  const first = await examine(locator, target, probe, options).catch((): Verdict => ({ unclear: true }))
  if (!first.unclear && !first.obstacle) return ok(first)
  const located = await locate(locator.page(), target)
  if (!located.ok) return located
  for (;;) {
    const budget = Math.min(left(call, since), 500)
    const verdict = await attempt(
      ask(locator, { want: 'type', budget }, left(call, since) + EXPLAIN, call),
      (error) => (isTimeout(error) ? missedIn(locator, target, call) : targetFailure(error, target)),
    )
    if (!verdict.ok) return verdict
    const { obstacle, by } = verdict.value
    if (!obstacle) return verdict
    const waited = Math.round(performance.now() - since)
    if (obstacle !== 'no_text' && waited < call.timeout) continue
    return err({
      code: 'ELEMENT_NOT_EDITABLE',
      target: nameOf(target),
      reason: obstacle,
      waited,
      ...(by && { by }),
    })
  }
}
