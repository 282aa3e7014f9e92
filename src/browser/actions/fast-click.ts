// A click, and a hover, without waiting. Playwright waits two frames until an element is stable; one that is visible, in the viewport,
// enabled, not animated and hit at its own point need not be waited for. One message checks that, and the mouse events check it again:
// a press that would hit another element, or this one at another position, is kept from the page, and Playwright clicks instead. Only
// Chromium has the CDP session for it.

import type { CdpSession } from '../playwright/cdp-session.ts'
import { contextIdOf } from '../playwright/internals.ts'
import type { Tab } from '../tab/tab.ts'
import { evaluateTarget, remainingTime, type ResolvedTarget } from '../playwright/locator.ts'
import { watchNavigation } from '../tab/navigation-watch.ts'
import { interceptHitTarget, type HitTargetCheck } from '../in-page/actions/hit-target-interceptor.ts'
import { hitElement } from '../in-page/dom/hit-element.ts'
import { describeInvalidField } from '../in-page/forms/invalid-field.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import { isInvalidField, type InvalidField } from '../forms/form-validation.ts'
import type { ClickOptions } from '../../runtime/ports/page.ts'

const checkHitTarget = composeInPage(interceptHitTarget, { hitElement, describeInvalidField })

type Point = { readonly x: number; readonly y: number }

/** 'clicked': delivered, and a page it leads to has loaded. 'leaving': that page is still loading. 'unsure': another document had loaded
 * before the result could be read. 'no': nothing was done. Else the field that stopped a form. */
export type FastClickResult = 'clicked' | 'leaving' | 'unsure' | 'no' | InvalidField

// A page that is being left may take this long to report what the mouse hit.
const UNLOAD_TIMEOUT_MS = 300

export async function fastClick(
  tab: Tab,
  element: ResolvedTarget,
  { button = 'left', clickCount = 1, modifiers, force }: ClickOptions,
): Promise<FastClickResult> {
  const { call } = element
  const since = performance.now()
  const cdp = await untracedCdpSession(tab)
  if (!cdp || force || modifiers?.length || clickCount > 1) return 'no'
  const mark = `${since}`
  const leaving = await watchNavigation(cdp)
  let world: number | undefined
  const outcome = () => readMouseResult(cdp, mark, world)
  let isWatching = false
  try {
    const check = await evaluateTarget(element, checkHitTarget, mark).catch((): HitTargetCheck => ({
      sure: false,
    }))
    isWatching = check.sure
    world = await contextIdOf(tab.page.mainFrame(), 'utility')
    if (!check.sure || call.signal.aborted || leaving.hasStarted()) return 'no'
    await dispatchClick(cdp, check, button)
    const mouseResult = outcome()
    // A page that is being left may not answer any more.
    const unloaded = leaving.started.then(
      async () => (await settleWithin(UNLOAD_TIMEOUT_MS, mouseResult)) ?? 'another page',
    )
    const result = await Promise.race([mouseResult, unloaded])
    isWatching = false
    if (result === 'nothing' || result === 'stopped') return 'no'
    if (isInvalidField(result)) return result
    if (result !== 'hit' && !leaving.hasStarted()) return 'unsure'
    return (await leaving.waitForEnd(remainingTime(call, since))) ? 'clicked' : 'leaving'
  } finally {
    leaving.dispose()
    if (isWatching) void outcome()
  }
}

// Sent at once, because the browser takes them in order.
function dispatchClick(
  cdp: CdpSession,
  { x, y }: Point,
  button: 'left' | 'middle' | 'right',
): Promise<unknown> {
  const pressed = { x, y, button, clickCount: 1 }
  return Promise.all([
    cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'none' }),
    cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...pressed }),
    cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...pressed }),
  ])
}

/** Whether the mouse is over the element now; false where it has to be waited for. */
export async function fastHover(tab: Tab, element: ResolvedTarget): Promise<boolean> {
  const cdp = await untracedCdpSession(tab)
  const check = cdp && (await evaluateTarget(element, checkHitTarget, ''))
  if (!cdp || !check?.sure) return false
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: check.x, y: check.y })
  return evaluateTarget(element, ([match]) => match?.matches(':hover') ?? false, undefined)
}

type MouseResult = 'hit' | 'stopped' | 'nothing' | 'another page' | InvalidField

/** What the mouse hit; ends the interception. */
async function readMouseResult(
  cdp: CdpSession,
  mark: string,
  contextId: number | undefined,
): Promise<MouseResult> {
  const expression = `window[Symbol.for('footlight mouse')]?.(${JSON.stringify(mark)})`
  const result = await cdp
    .send('Runtime.evaluate', { expression, returnByValue: true, ...(contextId && { contextId }) })
    .catch(() => undefined)
  return (result?.result.value as MouseResult | undefined) ?? 'another page'
}
