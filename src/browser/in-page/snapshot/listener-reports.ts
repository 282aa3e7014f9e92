// The main world tells Playwright's world which elements handle pointer events: it answers an event with an event of each of them.
// Both types are unknown to the page.

import type { ListenerEvents } from './clickable-elements.ts'
import type { ListListeners } from './find-listeners.ts'

interface Dependencies {
  findListeners(listListeners: ListListeners | undefined): ReadonlySet<Element>
}

// Of the console of Chromium's developer tools, which scripts of the page do not have.
declare const getEventListeners: ListListeners | undefined

/** Answers requests from now on. Runs in the main world. */
export function answerListenerRequests(
  { findListeners }: Dependencies,
  { request, report }: ListenerEvents,
): void {
  const listListeners = typeof getEventListeners === 'function' ? getEventListeners : undefined
  addEventListener(request, () => {
    for (const element of findListeners(listListeners))
      element.dispatchEvent(new Event(report, { composed: true }))
    dispatchEvent(new Event(report))
  })
}

/** The elements that the main world reports; in Firefox they are found without it. Undefined if it does not answer, as after
 * `document.open()`, which removes all listeners. Runs in Playwright's world. */
export function requestListeners(
  { findListeners }: Dependencies,
  { request, report }: ListenerEvents,
): ReadonlySet<Element> | undefined {
  if ('wrappedJSObject' in document) return findListeners(undefined)
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
