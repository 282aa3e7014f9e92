// Clicking. Playwright waits until the element can be used; when it gives up, one look into the page says why.

import type { Locator, Page } from 'playwright'
import { attempt, isTimeout, withoutColours } from './failures.ts'
import type { Verdict } from './probe.ts'
import { ask, EXPLAIN, locate, missedIn, nameOf, targetFailure } from './target.ts'
import type { Failure, Outcome } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import type { Call, ClickOptions, Target } from '../runtime/ports/page.ts'

/** Answers a note where the click was delivered and more is to be said. */
export async function click(
  page: Page,
  target: Target,
  options: ClickOptions,
  call: Call,
): Promise<Outcome<string>> {
  const located = await locate(page, target)
  if (!located.ok) return located
  const { modifiers, ...rest } = options
  const settings = { ...rest, ...(modifiers && { modifiers: [...modifiers] }), ...call }
  const double = (options.clickCount ?? 1) > 1 && engineOf(page) === 'firefox'
  const clicks = double ? doubleClick(located.value, settings) : located.value.click(settings)
  const clicked = await attempt(clicks, (error) => error)
  if (clicked.ok) return ok('')
  const error = clicked.error
  // The click was delivered, and the page it leads to is slow.
  if (isTimeout(error) && /click action done|scheduled navigations/.test(error.message)) {
    return ok('The page it leads to is still on its way: wait_for its text or url.')
  }
  return err(
    isTimeout(error) ? await unclickable(located.value, target, call, error) : targetFailure(error, target),
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
  // The clicks may have left the page; then there is nothing to add.
  const add = seen.evaluate(({ fired, element }) => {
    if (!fired)
      element.dispatchEvent(
        new MouseEvent('dblclick', { bubbles: true, cancelable: true, composed: true, detail: 2 }),
      )
  })
  await add.catch(() => {})
}

async function unclickable(locator: Locator, target: Target, call: Call, error: Error): Promise<Failure> {
  const missed = await missedIn(locator, target, call)
  if (missed.code === 'ELEMENT_NOT_FOUND') return missed
  const verdict = await ask(locator, { want: 'click', budget: 0 }, EXPLAIN, call).catch((): Verdict => ({}))
  const told = verdict.obstacle ? verdict : verdictOf(withoutColours(error.message))
  const { obstacle: reason, by } = told
  if (!reason)
    return { code: 'TIMEOUT', waitedFor: `the click on ${nameOf(target)} to be done`, waited: call.timeout }
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
  if (/viewport/.test(last)) return { obstacle: 'outside' }
  return /not stable/.test(last) ? { obstacle: 'moving' } : {}
}
