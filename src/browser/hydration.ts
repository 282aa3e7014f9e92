// A page that a server rendered shows its controls before its framework has attached their handlers: a click in between is lost. While
// scripts of such a page load or have just been loaded, a click waits until the element is known to the framework.

import type { Locator } from 'playwright'
import type { Scripts } from './exchanges.ts'
import { soon } from './soon.ts'
import { left } from './target.ts'
import type { Call, Target } from '../runtime/ports/page.ts'

// Milliseconds after its last script in which a page may still be attaching its handlers.
const EXECUTION_MS = 1000
const ROUND_MS = 250
const ANSWER_MS = 500

const NOTE =
  'The page was still loading its scripts or starting its framework, and may have ignored this: check what it shows.'

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
    const state = await soon(ROUND_MS + ANSWER_MS, ask(locator, target))
    // Without an answer it is busy executing.
    if (state instanceof Error || state === 'ready') return ''
    isWaiting = state === 'waiting'
    if (left(call, since) < call.timeout / 2) return NOTE
  }
  return isWaiting ? NOTE : ''
}

// The marks of frameworks are properties of elements, which only the page's own world has.
async function ask(locator: Locator, target: Target): Promise<'ready' | 'waiting'> {
  if ('selector' in target) return locator.evaluateAll(untilHydrated, ROUND_MS)
  const element = await locator.elementHandle({ timeout: ROUND_MS })
  if (!element) return 'ready'
  const handles = await element.evaluateHandle((one) => [one as Element])
  return handles
    .evaluate(untilHydrated, ROUND_MS)
    .finally(() => void Promise.all([handles.dispose(), element.dispose()]).catch(() => {}))
}

// Runs inside the page, so it may use nothing but its arguments and the DOM.
async function untilHydrated([element]: Element[], ms: number): Promise<'ready' | 'waiting'> {
  if (!element) return 'ready'
  const own = window as unknown as Record<string, unknown>
  const holds = (one: Element, mark: RegExp) => Object.keys(one).some((key) => mark.test(key))
  const control = element.closest('a, button, input, select, textarea, label, [role]') ?? element

  function isWaiting(): boolean {
    // Astro takes this attribute away once the island works.
    if (element?.closest('astro-island[ssr]')) return true
    const nuxt = document.querySelector('#__nuxt, [data-server-rendered="true"]')
    if (nuxt) return !('__vue_app__' in nuxt)
    const react =
      document.querySelector('#__next, #__NEXT_DATA__, #___gatsby, [data-reactroot]') !== null ||
      ['__next_f', '__remixContext', '__reactRouterContext'].some((name) => name in own)
    if (react) return ![element, control].some((one) => one && holds(one, /^__react(Fiber|Props)\$/))
    // Svelte leaves no mark; its page imports its scripts before the document is complete.
    const svelte = Object.keys(own).some((name) => name.startsWith('__sveltekit_'))
    return svelte && document.readyState !== 'complete'
  }

  const end = performance.now() + ms
  while (isWaiting()) {
    if (performance.now() > end) return 'waiting'
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  return 'ready'
}
