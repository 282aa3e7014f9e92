export type HydrationState = 'ready' | 'waiting' | 'unknown'

/** Waits until the framework of the page has attached its handlers to the element, or until a timeout. */
export async function waitForHydration([element]: Element[], timeoutMs: number): Promise<HydrationState> {
  if (!element) return 'ready'
  const globals = window as unknown as Record<string, unknown>
  const hasProperty = (node: Element, name: RegExp) => Object.keys(node).some((key) => name.test(key))
  const control = element.closest('a, button, input, select, textarea, label, [role]') ?? element

  function readState(): HydrationState {
    const stateOf = (isWaiting: boolean) => (isWaiting ? 'waiting' : 'ready')
    // Astro removes this attribute when the island is hydrated.
    if (element?.closest('astro-island[ssr]')) return 'waiting'
    const nuxt = document.querySelector('#__nuxt, [data-server-rendered="true"]')
    if (nuxt) return stateOf(!('__vue_app__' in nuxt))
    const react =
      document.querySelector('#__next, #__NEXT_DATA__, #___gatsby, [data-reactroot]') !== null ||
      ['__next_f', '__remixContext', '__reactRouterContext'].some((name) => name in globals)
    if (react)
      return stateOf(![element, control].some((node) => node && hasProperty(node, /^__react(Fiber|Props)\$/)))
    if (!Object.keys(globals).some((name) => name.startsWith('__sveltekit_'))) return unmarkedState()
    // Svelte marks only elements with handlers of the common events. Its scripts are imported, and the page is complete before they have loaded.
    const isSvelte = (node: Element) =>
      Object.getOwnPropertySymbols(node).some(({ description }) => description === 'events') ||
      hasProperty(node, /^__(click|input|change|keydown|pointerdown|mousedown)$/)
    if (isSvelte(control)) return 'ready'
    return document.readyState === 'complete' ? 'unknown' : 'waiting'
  }

  // No framework has marked the page. Module scripts run before DOMContentLoaded, but their dynamic imports may load later.
  function unmarkedState(): HydrationState {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const isDeferred = document.querySelector('script[src][defer], script[type="module"]') !== null
    if (isDeferred && navigation?.domContentLoadedEventStart === 0) return 'waiting'
    const root = control.closest('#root, #app')
    if (!root || !document.querySelector('script[src], script[type="module"]')) return 'ready'
    if (!hasProperty(root, /^(__reactContainer\$|_reactRootContainer$)/))
      return Object.keys(root).length > 0 ? 'ready' : 'unknown'
    // React marks the root first. Elements that it did not create have no mark, but an ancestor has one.
    for (let node: Element | null = element ?? null; node && node !== root; node = node.parentElement)
      if (hasProperty(node, /^__react(Fiber|Props|InternalInstance)\$/)) return 'ready'
    return 'unknown'
  }

  const deadline = performance.now() + timeoutMs
  for (;;) {
    const state = readState()
    if (state === 'ready' || performance.now() > deadline) return state
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
