// The page of a session as people see it, and as they do something in it.

import type { Page as BrowserPage } from 'playwright'
import type { Outcome } from '../../core/base/failure.ts'
import type { Point } from '../../core/base/geometry.ts'
import { err, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature } from '../../core/browser/page/performers.ts'
import type { Frame, PersonEvent, PersonInput } from '../../core/sessions/types/person.ts'
import type { ElementLocator } from '../../core/sessions/types/recorded-step.ts'
import { describeElement } from '../lib/recording/recorded-element.ts'
import { createElementFinder, type ElementAtPoint } from './element-at-point.ts'
import { createFrames } from './frames.ts'
import type { ShownElement } from './in-page/viewed-session.ts'
import { noticePerson, type PersonWatch } from './notice-person.ts'
import { createPersonInputs } from './person-input.ts'
import { findPlaces, listShownElements, type PinnedElement, type PinPlace } from './pin-places.ts'

declare module '../../core/sessions/types/page.ts' {
  interface FeaturePage {
    /** The first picture of the active tab that is newer than `after`; undefined if nothing changes within 10 s. Pictures are made only while
     * somebody waits for one, at most 5 a second. */
    nextFrame(after: number, signal: AbortSignal): Promise<Frame | undefined>
    performInput(inputs: readonly PersonInput[]): Promise<Outcome<void>>
    /** Releases the keys and buttons that a person has left pressed. */
    releaseInput(): Promise<void>
    /** Calls back for what a person does in the tabs, in order, until it is stopped. */
    noticePerson(onEvent: (event: PersonEvent) => void): Promise<PersonWatch>
    /** The element at a point of the viewport, with what is noted about its source; undefined if there is none. Its ref is valid. */
    elementAt(point: Point, deadline: Deadline): Promise<Outcome<ElementAtPoint | undefined>>
    /** The elements that the viewport shows. */
    shownElements(deadline: Deadline): Promise<Outcome<readonly ShownElement[]>>
    /** Where the elements of pins are now. */
    placesOf(pins: readonly PinnedElement[], deadline: Deadline): Promise<readonly PinPlace[]>
    /** The locator of an element by which a test would find it. */
    locatorOfRef(ref: string, deadline: Deadline): Promise<Outcome<ElementLocator | undefined>>
  }
}

export function createViewedPage({ context, tabs, dialogs, runOnTab, during }: PageParts): PageFeature {
  const frames = createFrames(tabs, dialogs)
  const inputs = createPersonInputs()
  const findElement = createElementFinder()
  const withPage = async <T>(work: (page: BrowserPage) => Promise<T>): Promise<Outcome<T>> => {
    const dialog = dialogs.current()
    return dialog ? err({ code: 'DIALOG_OPEN', ...dialog }) : ok(await work(tabs.active().page))
  }
  return {
    onActed: frames.noteAction,
    end: frames.end,
    members: {
      nextFrame: frames.next,
      performInput(list) {
        let isInterrupted = false
        const interrupt = () => void (isInterrupted = true)
        const performing = during(undefined, () =>
          runOnTab(({ page }) => inputs.perform(page, list, () => isInterrupted), interrupt),
        )
        return performing.finally(frames.noteInput)
      },
      releaseInput: inputs.release,
      noticePerson: (onEvent) =>
        noticePerson(
          context,
          {
            pages: tabs.all().map(([, { page }]) => page),
            idOf: (page) => tabs.idOf(tabs.forPage(page)),
          },
          onEvent,
        ),
      elementAt: (point, deadline) => withPage((page) => findElement(page, point, deadline.remaining())),
      shownElements: (deadline) => withPage((page) => listShownElements(page, deadline)),
      async placesOf(pins, deadline) {
        const places = await withPage((page) => findPlaces(page, pins, deadline))
        return places.ok ? places.value : []
      },
      locatorOfRef: (ref, deadline) =>
        withPage(async (page) => (await describeElement(page, { ref }, deadline))?.locators[0]),
    },
  }
}
