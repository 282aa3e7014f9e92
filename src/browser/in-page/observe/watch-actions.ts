// Runs in the main world of every frame: reports what a person does there.

import type { ElementReport } from './describe-element.ts'
import type { ElementMatches } from '../actions/element-arguments.ts'
import type { DescriptionPurpose } from '../../../runtime/ports/page.ts'
import type { ActionOn, ClickOptions } from '../../../core/recording/action.ts'

interface Dependencies {
  describeElement(matches: ElementMatches, purpose: DescriptionPurpose): ElementReport
  watchClicks(watch: ActionWatch): void
  watchDialogs(watch: ActionWatch): void
  watchDrags(watch: ActionWatch): void
  watchFields(watch: ActionWatch): void
  watchKeys(watch: ActionWatch): void
}

/** Reports to the function of the page with this name, from the last call for this document on. */
export function watchActions(
  { describeElement, watchClicks, watchDialogs, watchDrags, watchFields, watchKeys }: Dependencies,
  injected: WatchingInjected,
  reportName: string,
): void {
  const mark = Symbol.for('footlight recording')
  const marked = injected as unknown as Record<symbol, { reportName: string } | undefined>
  const isWatched = marked[mark] !== undefined
  const watching = (marked[mark] ??= { reportName })
  watching.reportName = reportName
  if (isWatched) return
  const functions = globalThis as unknown as Record<
    string,
    ((action: ActionReport, at: number) => Promise<unknown>) | undefined
  >
  const listeners: [string, (event: Event) => void][] = []
  const TOOLBAR = 'x-pw-glass'
  const CONTROLS =
    'button, a, input, select, textarea, summary, label, [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], [role=option], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio]'
  const isElement = (node: EventTarget | undefined): node is Element => node instanceof Element
  const watch: ActionWatch = {
    on: (type, listener) =>
      void listeners.push([
        type,
        (event) => {
          const path = event.composedPath()
          const target = path[0] === document ? document.documentElement : path[0]
          const isToolbar = path.some((node) => isElement(node) && node.localName === TOOLBAR)
          if (event.isTrusted && !isToolbar && isElement(target))
            listener(event as Parameters<typeof listener>[0], target)
        },
      ]),
    describe(element) {
      const matches = { elements: [element], injected } as unknown as ElementMatches
      const { element: described } = describeElement(matches, 'replay')
      return described && described.selectors.length > 0
        ? described
        : describeElement(matches, 'action').element
    },
    report: (action) =>
      void functions[watching.reportName]?.(action, injected.utils.builtins.Date.now()).catch(() => {}),
    afterEvent: (work) => void injected.utils.builtins.setTimeout(work, 0),
    controlOf: (event) =>
      event.composedPath().find((node): node is Element => isElement(node) && node.matches(CONTROLS)),
    isTextField: (element) =>
      element.localName === 'textarea' ||
      (element.localName === 'input' &&
        !/^(checkbox|radio|button|submit|reset|image|file|range|color)$/.test(
          (element as HTMLInputElement).type,
        )) ||
      (element as HTMLElement).isContentEditable,
  }
  for (const start of [watchClicks, watchDialogs, watchDrags, watchFields, watchKeys]) start(watch)
  const listen = () => {
    for (const [type, listener] of listeners) document.addEventListener(type, listener, true)
  }
  listen()
  // `document.open()` removes them.
  injected.onGlobalListenersRemoved.add(listen)
}

// --- internal ---

// What the listeners for the actions of a person share.
export type ReportedElement = NonNullable<ElementReport['element']>

export interface ReportedFile {
  readonly name: string
  /** In base64. */
  readonly content: string
}

/** An action of a person; `settle` says that a field has its final value. */
export type ActionReport =
  | ActionOn<ReportedElement, 'click' | 'fill' | 'select' | 'press' | 'drag' | 'dialog'>
  | { readonly kind: 'upload'; readonly element: ReportedElement; readonly files: readonly ReportedFile[] }
  | { readonly kind: 'settle' }

export interface ActionWatch {
  /** Listens to the events of the user outside of the toolbar, before the listeners of the page. */
  on<Type extends keyof DocumentEventMap>(
    type: Type,
    listener: (event: DocumentEventMap[Type], target: Element) => void,
  ): void
  /** Undefined if nothing matches only this element. */
  describe(element: Element): ReportedElement | undefined
  report(action: ActionReport): void
  /** Runs the work when the event has been handled. */
  afterEvent(work: () => void): void
  /** The innermost control or link around what was clicked. */
  controlOf(event: Event): Element | undefined
  /** Whether text can be typed into the element. */
  isTextField(element: Element): boolean
  /** The checkbox whose label was clicked because it is not visible itself: its change is that click. */
  hiddenToggle?: Element | undefined
}

/** The members of Playwright's injected script that are used here. */
export interface WatchingInjected {
  readonly onGlobalListenersRemoved: Set<() => void>
  readonly utils: { readonly builtins: Window & Pick<typeof globalThis, 'Date'> }
}

/** How a person clicked. An element that is no control gets the position if its middle belongs to another element, or if it is a picture. */
export function optionsOfClick(event: MouseEvent, element: Element, isControl: boolean): ClickOptions {
  const modifiers = [
    ...(event.altKey ? (['Alt'] as const) : []),
    ...(event.ctrlKey || event.metaKey ? (['ControlOrMeta'] as const) : []),
    ...(event.shiftKey ? (['Shift'] as const) : []),
  ]
  const box = element.getBoundingClientRect()
  const middle = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  const isPicture = /^(canvas|svg|img|video|html|body)$/.test(element.localName)
  const isElsewhere = !isControl && (isPicture || middle !== element)
  const position = { x: Math.round(event.clientX - box.x), y: Math.round(event.clientY - box.y) }
  return {
    ...(event.button === 1 && { button: 'middle' }),
    ...(event.button === 2 && { button: 'right' }),
    ...(event.detail > 1 && { clickCount: event.detail }),
    ...(modifiers.length > 0 && { modifiers }),
    ...(isElsewhere && { position }),
  }
}

/** Whether a checkbox can be clicked itself, unlike one that is replaced by the picture of one. */
export function isVisibleToggle(toggle: Element): boolean {
  const { x, y, width, height } = toggle.getBoundingClientRect()
  if (width < 4 || height < 4 || !toggle.checkVisibility({ visibilityProperty: true })) return false
  const hit = (toggle.getRootNode() as Document | ShadowRoot).elementFromPoint(x + width / 2, y + height / 2)
  return hit === toggle
}

/** Whether the document has the marks of a framework that renders it on the server. */
export const hasServerMarks = (): boolean =>
  document.querySelector(
    '#__NEXT_DATA__, script[src*="/_next/"], #__nuxt, [data-server-rendered], #___gatsby, astro-island, [data-sveltekit-hydrate], [ng-server-context]',
  ) !== null ||
  [...document.scripts].some(
    ({ src, textContent }) =>
      !src && /__sveltekit_|__reactRouterContext|__remixContext|_\$HY\b/.test(textContent),
  )

/** Reports how a person answers dialogs, in Firefox, where nothing else says so. */
export function watchDialogs(watch: ActionWatch): void {
  if (!('mozInnerScreenX' in window)) return
  const opens: Record<string, (...args: unknown[]) => unknown> = window as never
  for (const name of ['alert', 'confirm', 'prompt']) {
    const open = opens[name]
    opens[name] = (...args) => {
      const answer = open?.apply(window, args)
      const promptText = typeof answer === 'string' ? { promptText: answer } : {}
      watch.report({ kind: 'dialog', accept: answer !== false && answer !== null, ...promptText })
      return answer
    }
  }
}
