// A page that a server rendered shows its controls before its framework has attached their handlers: a click in between is lost. While
// scripts of such a page load or have just been loaded, a click waits until the element is known to the framework.

import type { Locator } from 'playwright'
import type { Scripts } from '../network/network-requests.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { remainingTime } from '../playwright/locator.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

// Milliseconds after its last script in which a page may still be attaching its handlers.
const EXECUTION_MS = 1000
// Where the framework leaves no mark, milliseconds without a script after which it is taken for started.
const QUIET_MS = 300
const ROUND_MS = 250
const ANSWER_MS = 500

const NOTE =
  'The page was still loading its scripts or hydrating and may have ignored this action: check what it shows.'

/** Waits, and answers a note where the wait was given up. Costs nothing on a page whose scripts are done. */
export async function awaitHydration(
  locator: Locator,
  target: Target,
  scripts: Scripts,
  call: Call,
): Promise<string> {
  const since = performance.now()
  const isBusy = () => scripts.pending() > 0 || scripts.quietFor() < EXECUTION_MS
  let isWaiting = false
  while (isBusy() && !call.signal.aborted) {
    const state = await settleWithin(ROUND_MS + ANSWER_MS, ask(locator, target))
    // Without an answer it is busy executing.
    if (state instanceof Error || state === 'ready') return ''
    isWaiting = state === 'waiting'
    if (state === 'unknown' && scripts.pending() === 0 && scripts.quietFor() > QUIET_MS) return ''
    if (remainingTime(call, since) < call.timeout / 2) return NOTE
  }
  return isWaiting ? NOTE : ''
}

type Hydration = 'ready' | 'waiting' | 'unknown'

// The marks of frameworks are properties of elements, which only the page's own world has.
async function ask(locator: Locator, target: Target): Promise<Hydration> {
  if ('selector' in target) return locator.evaluateAll(untilHydrated, ROUND_MS)
  const element = await locator.elementHandle({ timeout: ROUND_MS })
  if (!element) return 'ready'
  const handles = await element.evaluateHandle((one) => [one as Element])
  return handles
    .evaluate(untilHydrated, ROUND_MS)
    .finally(() => void Promise.all([handles.dispose(), element.dispose()]).catch(() => {}))
}

// Runs inside the page, so it may use nothing but its arguments and the DOM.
async function untilHydrated([element]: Element[], ms: number): Promise<Hydration> {
  if (!element) return 'ready'
  const own = window as unknown as Record<string, unknown>
  const holds = (one: Element, mark: RegExp) => Object.keys(one).some((key) => mark.test(key))
  const control = element.closest('a, button, input, select, textarea, label, [role]') ?? element

  function stateNow(): Hydration {
    const stateOf = (isWaiting: boolean) => (isWaiting ? 'waiting' : 'ready')
    // Astro takes this attribute away once the island works.
    if (element?.closest('astro-island[ssr]')) return 'waiting'
    const nuxt = document.querySelector('#__nuxt, [data-server-rendered="true"]')
    if (nuxt) return stateOf(!('__vue_app__' in nuxt))
    const react =
      document.querySelector('#__next, #__NEXT_DATA__, #___gatsby, [data-reactroot]') !== null ||
      ['__next_f', '__remixContext', '__reactRouterContext'].some((name) => name in own)
    if (react) return stateOf(![element, control].some((one) => one && holds(one, /^__react(Fiber|Props)\$/)))
    if (!Object.keys(own).some((name) => name.startsWith('__sveltekit_'))) return 'ready'
    // Svelte marks only what has a handler of the common events. Its scripts are imported, and the page is complete before they are there.
    const isSvelte = (one: Element) =>
      Object.getOwnPropertySymbols(one).some(({ description }) => description === 'events') ||
      holds(one, /^__(click|input|change|keydown|pointerdown|mousedown)$/)
    if (isSvelte(control)) return 'ready'
    return document.readyState === 'complete' ? 'unknown' : 'waiting'
  }

  const end = performance.now() + ms
  for (;;) {
    const state = stateNow()
    if (state === 'ready' || performance.now() > end) return state
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
