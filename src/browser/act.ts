// Clicking and typing. Playwright waits until the element can be used; when it gives up, one look into the page says why.

import type { Locator, Page } from 'playwright'
import { attempt, isTimeout, withoutColours } from './failures.ts'
import { probe, type ProbeOptions, type Verdict } from './probe.ts'
import { left, locate, missedIn, nameOf, targetFailure } from './target.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { Call, ClickOptions, Target, TypeOptions } from '../runtime/ports/page.ts'

const LOOK = 700

export async function click(
  page: Page,
  target: Target,
  options: ClickOptions,
  call: Call,
): Promise<Outcome<void>> {
  const located = await locate(page, target)
  if (!located.ok) return located
  const { modifiers, ...rest } = options
  const settings = { ...rest, ...(modifiers && { modifiers: [...modifiers] }), ...call }
  const double = (options.clickCount ?? 1) > 1 && engineOf(page) === 'firefox'
  const clicks = double ? doubleClick(located.value, settings) : located.value.click(settings)
  return attempt(clicks, (error) =>
    isTimeout(error) ? unclickable(located.value, target, call, error) : targetFailure(error, target),
  )
}

type Settings = Parameters<Locator['click']>[0] & Call

const engineOf = (page: Page): string | undefined => page.context().browser()?.browserType().name()

// Stock Firefox takes the clicks of a double click for single ones, so the event that is missing is sent after them.
async function doubleClick(locator: Locator, settings: Settings): Promise<void> {
  const { timeout, signal } = settings
  const watch = (element: Element) => {
    const seen = { fired: false, element }
    element.addEventListener('dblclick', () => (seen.fired = true), { capture: true, once: true })
    return seen
  }
  const seen = await locator.evaluateHandle(watch, undefined, { timeout, signal })
  await locator.click(settings)
  await seen.evaluate(({ fired, element }) => {
    if (!fired)
      element.dispatchEvent(
        new MouseEvent('dblclick', { bubbles: true, cancelable: true, composed: true, detail: 2 }),
      )
  })
}

export async function type(
  page: Page,
  target: Target,
  text: string,
  { delay = 0, clear, submit }: TypeOptions,
  call: Call,
): Promise<Outcome<void>> {
  const since = performance.now()
  const located = await locate(page, target)
  if (!located.ok) return located
  const ready = await editable(located.value, target, call, since)
  if (!ready.ok) return ready
  const explain = (error: Error) => (isTimeout(error) ? untyped(call) : targetFailure(error, target))
  const limits = () => ({ timeout: left(call, since), signal: call.signal })
  const steps = [
    () => (clear ? located.value.fill('', limits()) : undefined),
    () => keys(page, text, delay, call.signal),
    () => (submit ? located.value.press('Enter', limits()) : undefined),
  ]
  for (const step of steps) {
    const done = await attempt(Promise.resolve(step()), explain)
    if (!done.ok) return done
  }
  return ok(undefined)
}

// The probe has put the focus and the caret where they belong; Playwright's own way would move the caret to the start in Firefox.
// Its keyboard takes no signal, so a long text goes in parts of about 200 ms.
async function keys(page: Page, text: string, delay: number, signal: AbortSignal): Promise<void> {
  const letters = [...text]
  const size = Math.max(1, Math.floor(200 / (delay + 5)))
  for (let from = 0; from < letters.length && !signal.aborted; from += size) {
    await page.keyboard.type(letters.slice(from, from + size).join(''), { delay })
  }
}

const untyped = (call: Call): Failure => ({
  code: 'TIMEOUT',
  waitedFor: 'the text to be typed',
  waited: call.timeout,
})

// Playwright types into whatever has the focus; so whether the element takes text is asked first, again each time it is replaced.
// The first look asks all matches at once and waits for none, which takes a third of the time of asking one.
async function editable(locator: Locator, target: Target, call: Call, since: number): Promise<Outcome<void>> {
  const first = await locator
    .evaluateAll(probe, { want: 'type', budget: 0 } as ProbeOptions)
    .catch((): Verdict => ({ unclear: true }))
  if (!first.unclear && !first.obstacle) return ok(undefined)
  for (;;) {
    const budget = Math.min(left(call, since), 500)
    const verdict = await attempt(
      look(locator, { want: 'type', budget }, left(call, since) + LOOK, call),
      (error) => (isTimeout(error) ? missedIn(locator, target, call) : targetFailure(error, target)),
    )
    if (!verdict.ok) return verdict
    const { obstacle, by } = verdict.value
    if (!obstacle) return ok(undefined)
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

async function unclickable(locator: Locator, target: Target, call: Call, error: Error): Promise<Failure> {
  const missed = await missedIn(locator, target, call)
  if (missed.code === 'ELEMENT_NOT_FOUND') return missed
  const verdict = await look(locator, { want: 'click', budget: 0 }, LOOK, call).catch((): Verdict => ({}))
  const told = verdict.obstacle ? verdict : verdictOf(withoutColours(error.message))
  const { obstacle: reason = 'moving', by } = told
  return {
    code: 'ELEMENT_NOT_CLICKABLE',
    target: nameOf(target),
    reason,
    waited: call.timeout,
    ...(by && { by }),
  }
}

// By the time we look the obstacle may be gone. Playwright's log still has what it last waited for.
function verdictOf(log: string): Verdict {
  const last =
    log
      .split('\n')
      .findLast((line) => /element is not|intercepts pointer|outside of the viewport/.test(line)) ?? ''
  const cover = /- (<.*>.*) (?:from .* subtree )?intercepts pointer events/.exec(last)
  if (cover?.[1]) return { obstacle: 'covered', by: cover[1].slice(0, 120) }
  if (/not visible/.test(last)) return { obstacle: 'hidden' }
  if (/not enabled/.test(last)) return { obstacle: 'disabled' }
  return /viewport/.test(last) ? { obstacle: 'outside' } : { obstacle: 'moving' }
}

const look = (locator: Locator, options: ProbeOptions, timeout: number, { signal }: Call): Promise<Verdict> =>
  locator.evaluate(probe, options, { timeout, signal })
