// Runs in the main world of every frame: reports what a person does there.

import type { ElementMatches } from '../../../core/browser/in-page/page/element-arguments.ts'
import { describeElement } from '../../../core/browser/in-page/snapshot/describe-element.ts'
import type { ActionReport, ActionWatch } from './action-watch.ts'
import { watchClicks, watchDrags, watchFields, watchKeys } from './watch-inputs.ts'

/** Reports to the function of the page with this name, from the last call for this document on. */
export function watchActions(injected: WatchingInjected, reportName: string): void {
  const mark = Symbol.for('footlight recording')
  const marked = injected as unknown as Record<symbol, { reportName: string } | undefined>
  const isWatched = marked[mark] !== undefined
  const watching = (marked[mark] ??= { reportName })
  watching.reportName = reportName
  if (isWatched) return
  const functions = globalThis as unknown as Record<
    string,
    ((action: ActionReport) => Promise<unknown>) | undefined
  >
  const listeners: [string, (event: Event) => void][] = []
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
          if (event.isTrusted && isElement(target)) listener(event as Parameters<typeof listener>[0], target)
        },
      ]),
    describe(element) {
      const matches = { elements: [element], injected } as unknown as ElementMatches
      const { element: described } = describeElement(matches, 'replay')
      return described && described.selectors.length > 0
        ? described
        : describeElement(matches, 'action').element
    },
    report: (action) => void functions[watching.reportName]?.(action).catch(() => {}),
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
  for (const start of [watchClicks, watchDrags, watchFields, watchKeys]) start(watch)
  const listen = () => {
    for (const [type, listener] of listeners) document.addEventListener(type, listener, true)
  }
  listen()
  // `document.open()` removes them.
  injected.onGlobalListenersRemoved.add(listen)
}

// --- internal ---

/** The members of Playwright's injected script that are used here. */
export interface WatchingInjected {
  readonly onGlobalListenersRemoved: Set<() => void>
  readonly utils: { readonly builtins: Window }
}
