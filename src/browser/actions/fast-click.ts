// A click, and a hover, without waiting. Playwright waits two frames of every element to see whether it stands still; an element that is
// there, in view, enabled, not animated and hit by its own point need not be waited for. Whether it is so is asked in one look, and it
// is asked again by the mouse's own events: a press that would reach anything else, or that meets the element elsewhere than it was
// seen, is kept from the page's elements, and Playwright's way begins. Only Chromium has the channel for it.

import type { CdpSession } from '../playwright/cdp-session.ts'
import { contextIdOf } from '../playwright/internals.ts'
import type { Tab } from '../tab/tab.ts'
import { evaluateTarget, remainingTime, type ResolvedTarget } from '../playwright/locator.ts'
import { watchNavigation } from '../tab/navigation-watch.ts'
import { interceptHitTarget, type HitTarget } from '../in-page/actions/hit-target-interceptor.ts'
import { hitElement } from '../in-page/dom/hit-element.ts'
import { describeInvalidField } from '../in-page/forms/invalid-field.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import { isInvalid, type Invalid } from '../forms/form-validation.ts'
import type { ClickOptions } from '../../runtime/ports/page.ts'

const checkHitTarget = composeInPage(interceptHitTarget, { hitElement, describeInvalidField })

type Point = { readonly x: number; readonly y: number }

/** 'clicked' and the page stayed or the next one is there; 'leaving' when that is still on its way; 'unsure' when the page was another
 * one before it could be asked; 'no' when nothing was done; else what kept a form from being submitted by it. */
export type FastClick = 'clicked' | 'leaving' | 'unsure' | 'no' | Invalid

// Milliseconds that a page which is about to leave may take to say what the mouse met.
const LAST_WORD = 300

export async function fastClick(
  tab: Tab,
  element: ResolvedTarget,
  { button = 'left', clickCount = 1, modifiers, force }: ClickOptions,
): Promise<FastClick> {
  const { call } = element
  const since = performance.now()
  const cdp = await untracedCdpSession(tab)
  if (!cdp || force || modifiers?.length || clickCount > 1) return 'no'
  const mark = `${since}`
  const leaving = await watchNavigation(cdp)
  let world: number | undefined
  const outcome = () => outcomeOf(cdp, mark, world)
  let watching = false
  try {
    const seen = await evaluateTarget(element, checkHitTarget, mark).catch((): HitTarget => ({
      sure: false,
    }))
    watching = seen.sure
    world = await contextIdOf(tab.page.mainFrame(), 'utility')
    if (!seen.sure || call.signal.aborted || leaving.hasStarted()) return 'no'
    await press(cdp, seen, button)
    const met = outcome()
    // A page that is about to leave may answer nothing any more.
    const gone = leaving.started.then(async () => (await settleWithin(LAST_WORD, met)) ?? 'another page')
    const told = await Promise.race([met, gone])
    watching = false
    if (told === 'nothing' || told === 'stopped') return 'no'
    if (isInvalid(told)) return told
    if (told !== 'hit' && !leaving.hasStarted()) return 'unsure'
    return (await leaving.waitForEnd(remainingTime(call, since))) ? 'clicked' : 'leaving'
  } finally {
    leaving.dispose()
    if (watching) void outcome()
  }
}

// Sent at once, because the browser takes them in order.
function press(cdp: CdpSession, { x, y }: Point, button: 'left' | 'middle' | 'right'): Promise<unknown> {
  const pressed = { x, y, button, clickCount: 1 }
  return Promise.all([
    cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'none' }),
    cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...pressed }),
    cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...pressed }),
  ])
}

/** Whether the mouse now is over an element that it need not wait for. */
export async function fastHover(tab: Tab, element: ResolvedTarget): Promise<boolean> {
  const cdp = await untracedCdpSession(tab)
  const seen = cdp && (await evaluateTarget(element, checkHitTarget, ''))
  if (!cdp || !seen?.sure) return false
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: seen.x, y: seen.y })
  return evaluateTarget(element, ([match]) => match?.matches(':hover') ?? false, undefined)
}

type Outcome = 'hit' | 'stopped' | 'nothing' | 'another page' | Invalid

/** What the watched mouse met; the watch ends with the question. */
async function outcomeOf(cdp: CdpSession, mark: string, contextId: number | undefined): Promise<Outcome> {
  const expression = `window[Symbol.for('footlight mouse')]?.(${JSON.stringify(mark)})`
  const told = await cdp
    .send('Runtime.evaluate', { expression, returnByValue: true, ...(contextId && { contextId }) })
    .catch(() => undefined)
  return (told?.result.value as Outcome | undefined) ?? 'another page'
}
