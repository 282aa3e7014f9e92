export type HydrationState = 'ready' | 'waiting' | 'unknown'

/** Waits until the framework of the page has attached its handlers to the element, or a time is over. */
export async function waitForHydration([element]: Element[], ms: number): Promise<HydrationState> {
  if (!element) return 'ready'
  const own = window as unknown as Record<string, unknown>
  const holds = (one: Element, mark: RegExp) => Object.keys(one).some((key) => mark.test(key))
  const control = element.closest('a, button, input, select, textarea, label, [role]') ?? element

  function stateNow(): HydrationState {
    const stateOf = (isWaiting: boolean) => (isWaiting ? 'waiting' : 'ready')
    // Astro takes this attribute away once the island works.
    if (element?.closest('astro-island[ssr]')) return 'waiting'
    const nuxt = document.querySelector('#__nuxt, [data-server-rendered="true"]')
    if (nuxt) return stateOf(!('__vue_app__' in nuxt))
    const react =
      document.querySelector('#__next, #__NEXT_DATA__, #___gatsby, [data-reactroot]') !== null ||
      ['__next_f', '__remixContext', '__reactRouterContext'].some((name) => name in own)
    if (react) return stateOf(![element, control].some((one) => one && holds(one, /^__react(Fiber|Props)\$/)))
    if (!Object.keys(own).some((name) => name.startsWith('__sveltekit_'))) return unmarkedState()
    // Svelte marks only what has a handler of the common events. Its scripts are imported, and the page is complete before they are there.
    const isSvelte = (one: Element) =>
      Object.getOwnPropertySymbols(one).some(({ description }) => description === 'events') ||
      holds(one, /^__(click|input|change|keydown|pointerdown|mousedown)$/)
    if (isSvelte(control)) return 'ready'
    return document.readyState === 'complete' ? 'unknown' : 'waiting'
  }

  // No framework has left a mark on the page. Module scripts run before its DOMContentLoaded, but what they import may come later.
  function unmarkedState(): HydrationState {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const isDeferred = document.querySelector('script[src][defer], script[type="module"]') !== null
    if (isDeferred && navigation?.domContentLoadedEventStart === 0) return 'waiting'
    const root = control.closest('#root, #app')
    if (!root || !document.querySelector('script[src], script[type="module"]')) return 'ready'
    if (!holds(root, /^(__reactContainer\$|_reactRootContainer$)/))
      return Object.keys(root).length > 0 ? 'ready' : 'unknown'
    // React marks the root first. What it did not make has no mark, but what that is in has one.
    for (let node: Element | null = element ?? null; node && node !== root; node = node.parentElement)
      if (holds(node, /^__react(Fiber|Props|InternalInstance)\$/)) return 'ready'
    return 'unknown'
  }

  const end = performance.now() + ms
  for (;;) {
    const state = stateNow()
    if (state === 'ready' || performance.now() > end) return state
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
