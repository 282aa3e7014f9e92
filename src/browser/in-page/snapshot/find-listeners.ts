// Finds the elements that handle a click or a press: by their listeners where the browser lists them, and by what libraries store on
// the elements whose events they handle in one place.

export type ListListeners = (target: EventTarget) => Readonly<Record<string, unknown>>

type Properties = Readonly<Record<string, unknown>>

/** Those of the document and its open shadow roots, without links, buttons and fields. */
export function findListeners(listListeners: ListListeners | undefined): ReadonlySet<Element> {
  const types = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'dblclick']
  const attributes = types.map((type) => `on${type}`)
  const anyType = `(?:${types.join('|')})`
  const eventName = new RegExp(`^(?:on)?${anyType}(?:false|true|Capture)?$|^onDoubleClick`, 'i')
  // Svelte, Solid, D3 and Zone.js
  const handlerKey = new RegExp(`^(?:__|__on|\\$\\$|__zone_symbol__)${anyType}(?:false|true|\\..*)?$`)
  const skippedTags = new Set(
    'html head title meta link style script noscript template body button input select textarea option summary br hr'.split(
      ' ',
    ),
  )
  const elements = new Set<Element>()

  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  const hasHandler = (handlers: unknown): boolean =>
    isObject(handlers) &&
    Object.entries(handlers).some(([name, handler]) => eventName.test(name) && Boolean(handler))

  // jQuery keeps the handlers of descendants on the element on which it listens.
  function readJQuery(target: Element | Document, data: unknown): 'own' | 'delegated' | undefined {
    const events = isObject(data) ? (data as { events?: Properties }).events : undefined
    if (!events) return undefined
    const handlers = types.flatMap((type) => [...((events[type] ?? []) as { selector?: string }[])])
    for (const { selector } of handlers) {
      try {
        if (selector) for (const element of target.querySelectorAll(selector)) elements.add(element)
      } catch {
        // a selector that only jQuery has
      }
    }
    if (handlers.length === 0) return undefined
    return handlers.some(({ selector }) => !selector) ? 'own' : 'delegated'
  }

  /** Whether a library handles events of the element, or listens on it for the elements inside. */
  function readLibraryHandlers(target: Element | Document): 'own' | 'delegated' | undefined {
    // Playwright's world of Firefox sees the properties that scripts of the page have set through this one only.
    const { wrappedJSObject = target } = target as { wrappedJSObject?: object }
    const properties = wrappedJSObject as Properties
    let isDelegated = false
    for (const key of Object.keys(properties)) {
      const value = properties[key]
      if (key.startsWith('_reactListening') || key.startsWith('__reactContainer$')) isDelegated = true
      else if (key.startsWith('jQuery')) {
        const handling = readJQuery(target, value)
        if (handling === 'own') return 'own'
        if (handling === 'delegated') isDelegated = true
      } else if (key === '__on') {
        const entries = value as { type?: string }[] | undefined
        if (Array.isArray(entries) && entries.some(({ type = '' }) => types.includes(type))) return 'own'
      } else if (key.startsWith('__reactProps$') || key === '_vei' || key === 'l') {
        if (hasHandler(value)) return 'own'
      } else if (handlerKey.test(key) && value) return 'own'
    }
    for (const symbol of Object.getOwnPropertySymbols(properties))
      if (/^(_vei|events)$/.test(symbol.description ?? '') && hasHandler(Reflect.get(properties, symbol)))
        return 'own'
    return isDelegated ? 'delegated' : undefined
  }

  function isListening(element: Element): boolean {
    if (!listListeners) return attributes.some((name) => Boolean(Reflect.get(element, name)))
    const listeners = listListeners(element)
    for (const type in listeners) if (types.includes(type)) return true
    return false
  }

  function collectFrom(root: Document | ShadowRoot): void {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) collectFrom(element.shadowRoot)
      if (skippedTags.has(element.localName)) continue
      const handling = readLibraryHandlers(element)
      if (handling === 'own' || (!handling && isListening(element))) elements.add(element)
    }
  }

  for (const target of [document, document.documentElement, document.body])
    if (target) readLibraryHandlers(target)
  collectFrom(document)
  for (const element of elements)
    if (skippedTags.has(element.localName) || element.matches('a[href]')) elements.delete(element)
  return elements
}
