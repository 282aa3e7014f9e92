// Finds the elements that handle a click or a press: by their listeners where the browser lists them, and by what libraries store on
// the elements whose events they handle in one place.

import { parentOf } from '../page/elements.ts'

type ListListeners = (target: EventTarget) => Readonly<Record<string, unknown>>

type Properties = Readonly<Record<string, unknown>>

// Those of the document and its open shadow roots, without links, buttons and fields.
function findListeners(listListeners: ListListeners | undefined): readonly Element[] {
  const types = [
    'click',
    'mousedown',
    'mouseup',
    'pointerdown',
    'pointerup',
    'dblclick',
    'contextmenu',
    'drop',
  ]
  const attributes = types.map((type) => `on${type}`)
  const anyType = `(?:${types.join('|')})`
  const eventName = new RegExp(`^(?:on)?${anyType}(?:false|true|Capture)?$|^onDoubleClick`, 'i')
  // Svelte, Solid, D3 and Zone.js
  const handlerKey = new RegExp(`^(?:__|__on|\\$\\$|__zone_symbol__)${anyType}(?:false|true|\\..*)?$`)
  // No Set: the page may have replaced it.
  const skippedTags =
    /^(?:html|head|title|meta|link|style|script|noscript|template|body|button|input|select|textarea|option|summary|br|hr)$/
  const elements: Element[] = []

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
        if (selector) elements.push(...target.querySelectorAll(selector))
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
      if (skippedTags.test(element.localName)) continue
      const handling = readLibraryHandlers(element)
      if (handling === 'own' || (!handling && isListening(element))) elements.push(element)
    }
  }

  for (const target of [document, document.documentElement, document.body])
    if (target) readLibraryHandlers(target)
  collectFrom(document)
  return elements.filter((element) => !skippedTags.test(element.localName) && !element.matches('a[href]'))
}

// Which elements without a role of their own get a line with a ref, because they react to the pointer. Runs in Playwright's world.
export interface ClickableElements {
  /** They handle pointer events or have their own pointer cursor. */
  readonly clickable: ReadonlySet<Element>
  /** They can be focused or dragged. */
  readonly focusable: ReadonlySet<Element>
  /** They take text, though they are no fields. */
  readonly editable: ReadonlySet<Element>
  /** Texts and icons in a list that handles the clicks on all its items. */
  readonly parts: ReadonlySet<Element>
  /** Without a text for them, though they are to be looked at, as the characters of a captcha. */
  readonly pictures: ReadonlySet<Element>
  /** Components whose content nobody can read. */
  readonly closed: ReadonlySet<Element>
  /** The open ones. */
  readonly shadowRoots: readonly ShadowRoot[]
  /** Those of them that the accessibility tree would omit or merge with others. */
  readonly withoutRole: ReadonlySet<Element>
  /** Whether the main world reported listeners. */
  readonly hasListeners: boolean
}

export interface ListenerEvents {
  /** Requests a report from the main world. */
  readonly request: string
  /** Its target handles pointer events. */
  readonly report: string
}

export function findClickableElements(events: ListenerEvents): ClickableElements {
  const controls = 'a[href],area[href],button,input,select,textarea,option,summary,[role=button],[role=link]'
  const content =
    'a[href],button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,li,p,table,article,section,img[alt]:not([alt=""]),[role],[tabindex]'
  // Libraries that read these attributes handle the click.
  const clickAttributes =
    '[\\@click],[x-on\\:click],[ng-click],[wire\\:click],[hx-get],[hx-post],[hx-put],[hx-patch],[hx-delete],[data-toggle],[data-bs-toggle],[data-bs-dismiss],[jsaction*="click"],[data-action*="click"]'
  const roleTags =
    /^(ul|ol|menu|li|table|thead|tbody|tfoot|t[rdh]|caption|h[1-6]|p|article|main|nav|aside|search|dialog|details|fieldset|blockquote|code|em|strong|del|ins|su[bp]|time|hr|figure|d[dt]|address|output|meter|progress|math|iframe|frame)$/
  const clickable = new Set<Element>()
  const focusable = new Set<Element>()
  const editable = new Set<Element>()
  const parts = new Set<Element>()
  const closed = new Set<Element>()
  const pictures = new Set<Element>()
  const shadowRoots: ShadowRoot[] = []
  const withoutRole = new Set<Element>()

  const hasPointer = (element: Element) => getComputedStyle(element).cursor === 'pointer'
  const hasText = (element: Element) => /\S/.test(element.textContent ?? '')

  function isRoleless(element: Element): boolean {
    const role = element.getAttribute('role')
    if (role && !/^(none|presentation|generic|img)$/.test(role)) return false
    if (role || element.localName === 'svg') return true
    return !roleTags.test(element.localName) && !element.matches(controls)
  }

  function controlAround(element: Element): Element | null {
    for (let part = parentOf(element); part;) {
      const control = part.closest(controls)
      if (control) return control
      part = (part.getRootNode() as Partial<ShadowRoot>).host ?? null
    }
    return null
  }

  // An icon beside the text of a control, such as the cross of a tab, does something else.
  function isPartOfControl(element: Element): boolean {
    const control = controlAround(element)
    return control !== null && (hasText(element) || !hasText(control))
  }

  function containsWholePage(element: Element, total: number): boolean {
    let outermost = element
    while (outermost.parentElement?.childElementCount === 1) outermost = outermost.parentElement
    if (outermost !== document.body && outermost.parentElement !== document.body) return false
    if (element.getElementsByTagName('*').length < total * 0.8) return false
    let count = element.querySelectorAll(controls).length
    for (const other of clickable) if (other !== element && element.contains(other)) count += 1
    return count >= 3
  }

  const isText = (node: Node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? '')

  // Items look alike; what differs from item to item is not their first class.
  function isListOfItems(element: Element): boolean {
    const [first, second] = [...element.children].slice(-2)
    if (!first || !second || first.localName !== second.localName) return false
    return first.classList[0] === second.classList[0] && !hasPointer(element)
  }

  function addParts(list: Element): void {
    for (const element of list.querySelectorAll('*')) {
      const isLeaf = !element.firstElementChild || element.localName === 'svg'
      if (!isLeaf && ![...element.childNodes].some(isText)) continue
      if (clickable.has(element) || !isRoleless(element) || controlAround(element)) continue
      if (element.closest('svg') !== (element.localName === 'svg' ? element : null)) continue
      const box = element.getBoundingClientRect()
      if (box.width >= 4 && box.height >= 4) parts.add(element)
    }
  }

  // The tree keeps other elements with a pointer cursor.
  const isLostByTree = (element: Element): boolean => {
    const parent = parentOf(element)
    return !(parent && hasPointer(parent)) && !element.querySelector(content)
  }

  // A label without text, or of a control that is not visible, is what is clicked.
  function isOnlyWayToControl(label: HTMLLabelElement): boolean {
    const { control } = label
    return control !== null && (!hasText(label) || control.getClientRects().length === 0)
  }

  // It has a size, though it has no content and no style that draws it.
  function isClosed(element: Element): boolean {
    const MINIMUM_SIZE = 16
    if (element.shadowRoot || /\S/.test(element.innerHTML) || element.hasAttribute('role')) return false
    const { width, height } = element.getBoundingClientRect()
    if (width < MINIMUM_SIZE || height < MINIMUM_SIZE) return false
    const { backgroundImage, maskImage, visibility } = getComputedStyle(element)
    const isDrawn = ['::before', '::after'].some(
      (pseudo) => !/^(none|normal)$/.test(getComputedStyle(element, pseudo).content),
    )
    return (
      visibility === 'visible' && backgroundImage === 'none' && (maskImage ?? 'none') === 'none' && !isDrawn
    )
  }

  // A large one, or one beside a field.
  function isPicture(image: HTMLImageElement): boolean {
    const MINIMUM_SIZE = 16
    if (['alt', 'role', 'title', 'aria-label', 'aria-hidden'].some((name) => image.hasAttribute(name)))
      return false
    const { width, height } = image.getBoundingClientRect()
    if (width < MINIMUM_SIZE * 2 || height < MINIMUM_SIZE || image.closest('a[href],button,[role=button]'))
      return false
    const around = image.closest('form,fieldset') ?? image.parentElement?.parentElement ?? image.parentElement
    const hasField = around !== document.body && around?.querySelector('input:not([type=hidden]),textarea')
    return Boolean(hasField) || width * height * 4 > innerWidth * innerHeight
  }

  function collectFrom(root: Document | ShadowRoot): void {
    for (const element of root.querySelectorAll(clickAttributes))
      if (isRoleless(element)) clickable.add(element)
    for (const element of root.querySelectorAll('[tabindex],[draggable="true"]'))
      if ((element as HTMLElement).tabIndex >= 0 || element.getAttribute('draggable')) focusable.add(element)
    for (const element of root.querySelectorAll<HTMLElement>('[contenteditable]'))
      if (element.isContentEditable && !element.parentElement?.isContentEditable) editable.add(element)
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) {
        shadowRoots.push(element.shadowRoot)
        collectFrom(element.shadowRoot)
      }
      const { localName: name } = element
      if (name.includes('-') && isClosed(element)) closed.add(element)
      if (name === 'img' && isPicture(element as HTMLImageElement)) pictures.add(element)
      if (name === 'label' && isOnlyWayToControl(element as HTMLLabelElement)) clickable.add(element)
      const isCandidate = /^(div|span|i|b|u|s|small|a|svg|img|canvas|label|font|abbr)$/.test(name)
      if ((isCandidate || name.includes('-')) && hasPointer(element) && isRoleless(element))
        if (isLostByTree(element)) clickable.add(element)
    }
  }

  const report = requestListeners(events)
  const listeners = [...(report ?? [])]
  for (const element of listeners) clickable.add(element)
  collectFrom(document)
  for (const element of clickable) if (isPartOfControl(element)) clickable.delete(element)
  const total = document.body?.getElementsByTagName('*').length ?? 0
  for (const element of listeners) {
    if (containsWholePage(element, total)) clickable.delete(element)
    else if (clickable.has(element) && isListOfItems(element)) addParts(element)
  }
  for (const set of [clickable, focusable, editable, parts, closed, pictures])
    for (const element of set) if (isRoleless(element)) withoutRole.add(element)
  const hasListeners = report !== undefined
  return { clickable, focusable, editable, parts, pictures, closed, shadowRoots, withoutRole, hasListeners }
}

// The main world tells Playwright's world which elements handle pointer events: it answers an event with an event of each of them.
// Both types are unknown to the page.

// A function of the console of Chromium's developer tools; scripts of the page do not have it.
declare const getEventListeners: ListListeners | undefined

/** Answers requests from now on. Runs in the main world. */
export function answerListenerRequests({ request, report }: ListenerEvents): void {
  const listListeners = typeof getEventListeners === 'function' ? getEventListeners : undefined
  addEventListener(request, () => {
    for (const element of findListeners(listListeners))
      element.dispatchEvent(new Event(report, { composed: true }))
    dispatchEvent(new Event(report))
  })
}

// The elements that the main world reports; in Firefox they are found without it. Undefined if it does not answer, as after
// `document.open()`, which removes all listeners. Runs in Playwright's world.
function requestListeners({ request, report }: ListenerEvents): ReadonlySet<Element> | undefined {
  if ('wrappedJSObject' in document) return new Set(findListeners(undefined))
  const elements = new Set<Element>()
  let hasAnswered = false
  const add = (event: Event) => {
    const [target] = event.composedPath()
    if (target instanceof Element) elements.add(target)
    else hasAnswered = true
  }
  addEventListener(report, add, true)
  dispatchEvent(new Event(request))
  removeEventListener(report, add, true)
  return hasAnswered ? elements : undefined
}
