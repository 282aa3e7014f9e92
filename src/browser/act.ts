// Clicking and typing. Playwright waits until the element can be used; when it gives up, one look into the page says why.

import type { Locator, Page } from 'playwright'
import { attempt, isTimeout, withoutColours } from './failures.ts'
import { probe, type ProbeOptions, type Verdict } from './probe.ts'
import { left, locate, nameOf, targetFailure } from './target.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { Call, ClickOptions, Target, TypeOptions } from '../runtime/ports.ts'

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
  return attempt(located.value.click(settings), (error) =>
    isTimeout(error) ? unclickable(located.value, target, call, error) : targetFailure(error, target),
  )
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
  const { signal } = call
  const steps = [
    () => (clear ? located.value.fill('', { timeout: left(call, since), signal }) : undefined),
    () =>
      located.value.pressSequentially(text, {
        delay,
        timeout: left(call, since) + typingTime(text, delay),
        signal,
      }),
    () => (submit ? located.value.press('Enter', { timeout: left(call, since), signal }) : undefined),
  ]
  for (const step of steps) {
    const done = await attempt(Promise.resolve(step()), explain)
    if (!done.ok) return done
  }
  return ok(undefined)
}

/** Milliseconds that typing itself takes, which the deadline must leave room for. */
export const typingTime = (text: string, delay: number): number => text.length * (delay + 10)

const untyped = (call: Call): Failure => ({
  code: 'TIMEOUT',
  waitedFor: 'the text to be typed',
  waited: call.timeout,
})

// Playwright types into whatever has the focus; so whether the element takes text is asked first, again each time it is replaced.
async function editable(locator: Locator, target: Target, call: Call, since: number): Promise<Outcome<void>> {
  for (;;) {
    const verdict = await attempt(
      look(locator, { want: 'type', budget: Math.min(left(call, since), 500) }, left(call, since), call),
      (error) => (isTimeout(error) ? notFound(target, call) : targetFailure(error, target)),
    )
    if (!verdict.ok) return verdict
    const { obstacle, by } = verdict.value
    if (!obstacle) return ok(undefined)
    if (obstacle === 'no_text' || performance.now() - since >= call.timeout) {
      const waited = Math.round(performance.now() - since)
      return err({
        code: 'ELEMENT_NOT_EDITABLE',
        target: nameOf(target),
        reason: obstacle,
        waited,
        ...(by && { by }),
      })
    }
  }
}

async function unclickable(locator: Locator, target: Target, call: Call, error: Error): Promise<Failure> {
  const count = await locator.count().catch(() => 1)
  if (count === 0) return notFound(target, call)
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

const notFound = (target: Target, call: Call): Failure => ({
  code: 'ELEMENT_NOT_FOUND',
  target: nameOf(target),
  waited: call.timeout,
})
