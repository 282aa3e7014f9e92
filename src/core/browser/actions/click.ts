// Clicking. An actionable element is clicked at once; otherwise Playwright waits until it is actionable, and after a timeout one check in
// the page finds the reason.

import type { Locator, Page } from 'playwright'
import { engineOfPage, playwrightOptions, type PlaywrightOptions } from '../playwright/engine.ts'
import { attempt, isClickDelivered } from '../playwright/errors.ts'
import {
  completeDoubleClick,
  findAreaPoint,
  waitForHydration,
  watchDoubleClick,
} from '../in-page/generated.ts'
import { waitForTarget } from './wait-for-target.ts'
import { explainRefusal } from './explain-refusal.ts'
import { checkClick, CLICK_LOSS_NOTES, isInvalidField, submitFailure } from './click-check.ts'
import { fastClick } from './fast-click.ts'
import { findClickPlace } from './click-place.ts'
import { clickInForeignFrame } from './foreign-frame.ts'
import type { Tab } from '../tab/tab.ts'
import {
  locate,
  resolveTarget,
  targetFailure,
  type ResolvedTarget,
  evaluateTarget,
} from '../playwright/locator.ts'
import type { Outcome } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { ClickOptions, Target } from '../../base/action.ts'
import type { HydrationState } from '../in-page/actions/hydration-state.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import { variantsOf } from '../playwright/compose-in-page.ts'

const notes = {
  clicked: '',
  leaving: 'The navigation has not finished yet: use wait_for with a text or url.',
  unsure: 'The page navigated during the click: check what it shows.',
  endless: 'It moves without an end: it was clicked where it was.',
  ...CLICK_LOSS_NOTES,
}

const noteOf = (result: keyof typeof notes | `inner\n${string}`): string =>
  result in notes
    ? notes[result as keyof typeof notes]
    : `It has no point of its own: its ${result.slice('inner\n'.length)} took the click.`

/** Returns a note if the click was delivered and its effect needs a check, else an empty string. */
export async function click(
  tab: Tab,
  target: Target,
  options: ClickOptions,
  deadline: Deadline,
  scriptQuietMs: () => number,
): Promise<Outcome<string>> {
  const { page } = tab
  const targetResult = await resolveTarget(page, target, deadline)
  if (!targetResult.ok) return targetResult
  const element = targetResult.value
  const hydrationNote = await waitForHydratedTarget(element, scriptQuietMs)
  const fastResult = await attempt(fastClick(tab, element, options), () => undefined)
  const result = fastResult.ok ? fastResult.value : 'no'
  if (isInvalidField(result)) return err(submitFailure(result))
  if (result !== 'no') return ok(noteOf(result) || hydrationNote)
  const locatorResult = await locate(page, target)
  if (!locatorResult.ok) return locatorResult
  const areaResult = await attempt(clickArea(page, element, options), (error) => targetFailure(error, target))
  if (!areaResult.ok || areaResult.value) return areaResult.ok ? ok(hydrationNote) : areaResult
  const { modifiers, ...rest } = options
  const settings = { ...rest, modifiers: modifiers && [...modifiers] }
  const isDoubleClick = (options.clickCount ?? 1) > 1 && engineOfPage(page) === 'firefox'
  const place = options.position || options.force ? undefined : await findClickPlace(element)
  const isForeign = engineOfPage(page) === 'firefox'
  const performClick = async (): Promise<Outcome<string>> => {
    const clicks = waitForTarget(element, 'clickable', async (limit) => {
      const placed = place && { position: place.position, ...(place.isEndless && { force: true }) }
      const limitedSettings = { ...settings, ...placed, ...playwrightOptions(limit) }
      if (isForeign && (await clickInForeignFrame(page, element, options, playwrightOptions(limit))))
        return undefined
      return isDoubleClick
        ? doubleClick(element.locator, limitedSettings)
        : (place?.label ?? element.locator).click(limitedSettings)
    })
    const clickResult = await attempt(clicks, (error) => error)
    const finding = place?.inner === undefined ? 'clicked' : (`inner\n${place.inner}` as const)
    if (clickResult.ok) return ok(noteOf(place?.isEndless && finding === 'clicked' ? 'endless' : finding))
    const error = clickResult.error
    if (isClickDelivered(error)) return ok(notes.leaving)
    return err(await explainRefusal(element, error, 'click', 'the click'))
  }
  const clickResult = await checkClick(page, options.clickCount ?? 1, performClick, element)
  return map(clickResult, (note) => note || hydrationNote)
}

type ClickSettings = Parameters<Locator['click']>[0] & PlaywrightOptions

// Stock Firefox treats the clicks of a double click as single clicks, so the missing event is dispatched after them.
async function doubleClick(locator: Locator, settings: ClickSettings): Promise<void> {
  const { timeout, signal } = settings
  const watch = await locator.evaluateHandle(watchDoubleClick, undefined, { timeout, signal })
  await locator.click(settings)
  // The clicks may have started a navigation; then there is nothing to dispatch.
  await watch.evaluate(completeDoubleClick).catch(() => {})
}

// --- internal ---

// A server-rendered page shows its controls before its framework has attached their handlers: a click in between has no effect. While
// scripts of such a page load or have just loaded, a click waits until the framework has hydrated the element.
// Time after the last script in which a page may attach its handlers.
const SCRIPT_EXECUTION_MS = 1000
// A framework that marks no elements counts as started after this time without a script.
const SCRIPT_IDLE_MS = 300
const CHECK_INTERVAL_MS = 250
const CHECK_TIMEOUT_MS = 500

const HYDRATION_NOTE =
  'The page was still loading its scripts or hydrating and may have ignored this action: check what it shows.'

/** Returns a note if the wait timed out. Returns at once on a page whose scripts have loaded. */
async function waitForHydratedTarget(
  { locator, target, deadline }: ResolvedTarget,
  scriptQuietMs: () => number,
): Promise<string> {
  let isWaiting = false
  while (scriptQuietMs() < SCRIPT_EXECUTION_MS && !deadline.signal.aborted) {
    const state = await settleWithin(
      CHECK_INTERVAL_MS + CHECK_TIMEOUT_MS,
      readHydrationState(locator, target),
    )
    // A page that does not respond is executing scripts.
    if (state instanceof Error || state === 'ready') return ''
    isWaiting = state === 'waiting'
    if (state === 'unknown' && scriptQuietMs() > SCRIPT_IDLE_MS) return ''
    if (deadline.remaining() < deadline.timeout / 2) return HYDRATION_NOTE
  }
  return isWaiting ? HYDRATION_NOTE : ''
}

// Frameworks mark elements with properties, which only the page's main world has.
async function readHydrationState(locator: Locator, target: Target): Promise<HydrationState> {
  if ('selector' in target) return locator.evaluateAll(waitForHydration, CHECK_INTERVAL_MS)
  const element = await locator.elementHandle({ timeout: CHECK_INTERVAL_MS })
  if (!element) return 'ready'
  return element
    .evaluate(variantsOf(waitForHydration).onElement, CHECK_INTERVAL_MS)
    .finally(() => void element.dispose().catch(() => {}))
}

// An area of an image map has no box of its own in Chromium, so Playwright calls it hidden. The mouse clicks its middle on the image.
/** Whether the target is an area that was clicked. Only refs of areas have a leading zero. */
async function clickArea(
  page: Page,
  element: ResolvedTarget,
  { button = 'left', clickCount = 1 }: ClickOptions,
): Promise<boolean> {
  if (!('ref' in element.target) || !/e0\d+$/.test(element.target.ref)) return false
  const point = await evaluateTarget(element, findAreaPoint, undefined)
  if (point) await page.mouse.click(point.x, point.y, { button, clickCount })
  return point !== undefined
}
