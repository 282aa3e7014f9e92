// Runs in the main world of every frame: reports what a person does there.

import type { ActionReport, ActionWatch, WatchingInjected } from './action-watch.ts'
import type { ElementReport } from './describe-element.ts'
import type { ElementMatches } from '../dom/element-arguments.ts'
import type { DescriptionPurpose } from '../../../runtime/ports/page/recorded-page.ts'

interface Dependencies {
  describeElement(matches: ElementMatches, purpose: DescriptionPurpose): ElementReport
  watchClicks(watch: ActionWatch): void
  watchDialogs(watch: ActionWatch): void
  watchDrags(watch: ActionWatch): void
  watchFields(watch: ActionWatch): void
  watchKeys(watch: ActionWatch): void
}

/** Reports to the function of the page with this name; once for each document. */
export function watchActions(
  { describeElement, watchClicks, watchDialogs, watchDrags, watchFields, watchKeys }: Dependencies,
  injected: WatchingInjected,
  reportName: string,
): void {
  const mark = Symbol.for('footlight recording')
  if (mark in injected) return
  Object.defineProperty(injected, mark, { value: true })
  const send = (
    globalThis as unknown as Record<string, (action: ActionReport, at: number) => Promise<unknown>>
  )[reportName]
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
    report: (action) => void send?.(action, injected.utils.builtins.Date.now()).catch(() => {}),
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
