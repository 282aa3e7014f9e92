// A click or a hover without waiting. Playwright waits two frames until an element is stable; that is unnecessary for one that is visible,
// in the viewport, enabled, not animated and hit at its own point. One message checks this, and the mouse events check it again: a press
// that would hit another element is not delivered to the page, and Playwright clicks instead. The element may move or grow under the mouse,
// as long as the press hits it. Only Chromium has the CDP session that this needs.

import type { CdpSession } from '../playwright/cdp-session.ts'
import { contextIdOf, noteMousePosition } from '../playwright/internals.ts'
import { awaitDownload } from '../playwright/awaited-downloads.ts'
import type { Tab } from '../tab/tab.ts'
import { evaluateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { watchNavigation } from '../tab/page-activity.ts'
import { interceptHitTarget } from '../in-page/generated.ts'
import type { HitTargetCheck } from '../in-page/actions/hit-target-interceptor.ts'
import type { ClickLoss } from '../in-page/actions/click-watch.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import type { ClickOptions } from '../../base/action.ts'
import { isClickLoss, isInvalidField, type InvalidField } from './click-check.ts'
import type { Point } from '../../base/geometry.ts'

/** 'clicked': delivered, and a page it leads to has loaded. 'leaving': that page is still loading. 'unsure': another document had loaded
 * before the result could be read. 'no': nothing was done. Else the invalid field that blocked a submit, or how the page lost the click. */
type FastClickResult = 'clicked' | 'leaving' | 'unsure' | 'no' | ClickLoss | InvalidField | ClickPlace

/** It was clicked while it moves without an end, or a control that fills it took the click. */
type ClickPlace = 'endless' | `inner\n${string}`

// Maximum time for a page that is being unloaded to report what the mouse hit.
const UNLOAD_TIMEOUT_MS = 300

export async function fastClick(
  tab: Tab,
  element: ResolvedTarget,
  { button = 'left', clickCount = 1, modifiers, position, force }: ClickOptions,
): Promise<FastClickResult> {
  const { deadline } = element
  const cdp = await untracedCdpSession(tab)
  if (!cdp || force || position || modifiers?.length || clickCount > 1) return 'no'
  const mark = `${performance.now()}`
  const navigation = await watchNavigation(cdp)
  let world: number | undefined
  const endInterception = () => readMouseResult(cdp, mark, world)
  let isIntercepting = false
  try {
    const check = await evaluateTarget(element, interceptHitTarget, mark).catch((): HitTargetCheck => ({
      canClick: false,
    }))
    isIntercepting = check.canClick
    world = await contextIdOf(tab.page.mainFrame(), 'utility')
    if (!check.canClick || deadline.signal.aborted || navigation.hasStarted()) return 'no'
    noteMousePosition(tab.page, check)
    await dispatchClick(cdp, check, button)
    const mouseResult = endInterception()
    // A page that is being unloaded may not respond.
    const unloadResult = navigation.start.then(
      async () => (await settleWithin(UNLOAD_TIMEOUT_MS, mouseResult)) ?? 'another page',
    )
    const result = await Promise.race([mouseResult, unloadResult])
    isIntercepting = false
    if (result === 'nothing' || result === 'stopped') return 'no'
    if (isInvalidField(result) || (isClickLoss(result) && !navigation.hasStarted())) return result
    if (result === 'download') awaitDownload(tab.page)
    else if (result !== 'hit' && !navigation.hasStarted()) return 'unsure'
    if (!(await navigation.waitForEnd(deadline.remaining()))) return 'leaving'
    if (check.inner !== undefined) return `inner\n${check.inner}`
    return check.isMoving ? 'endless' : 'clicked'
  } finally {
    navigation.dispose()
    if (isIntercepting) void endInterception()
  }
}

// Sent without waiting in between, because the browser handles them in order.
function dispatchClick(
  cdp: CdpSession,
  { x, y }: Point,
  button: 'left' | 'middle' | 'right',
): Promise<unknown> {
  const buttonEvent = { x, y, button, clickCount: 1 }
  return Promise.all([
    cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'none' }),
    cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...buttonEvent }),
    cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...buttonEvent }),
  ])
}

/** Moves the mouse over the element; false if it is not actionable now or was not reached. */
export async function fastHover(tab: Tab, element: ResolvedTarget): Promise<boolean> {
  const cdp = await untracedCdpSession(tab)
  const check = cdp && (await evaluateTarget(element, interceptHitTarget, ''))
  if (!cdp || !check?.canClick) return false
  noteMousePosition(tab.page, check)
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: check.x, y: check.y })
  // In quirks mode `:hover` alone matches only links.
  return evaluateTarget(element, ([match]) => match?.matches(':is(:hover)') ?? false, undefined)
}

type MouseResult = 'hit' | 'download' | 'stopped' | 'nothing' | 'another page' | ClickLoss | InvalidField

/** Reads what the mouse hit and ends the interception. */
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
