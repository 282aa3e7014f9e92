// What a recording reads of a page. It does not wait for the turn of an action, because it runs beside it.

import type { Target } from '../../core/base/action.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { findFocusedElement } from '../../core/browser/actions/editable-fields.ts'
import { hasServerMarks, isSecretElement } from '../../core/browser/in-page/generated.ts'
import type { DescriptionPurpose } from '../../core/browser/in-page/snapshot/describe-element.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature } from '../../core/browser/page/performers.ts'
import type { RecordedElement } from '../../core/sessions/types/recorded-step.ts'
import { describeElement, describeSelector } from '../lib/recording/recorded-element.ts'

declare module '../../core/sessions/types/page.ts' {
  interface FeaturePage {
    /** How the element of a target can be found again; it may appear until the deadline. A selector that matches several elements, or none,
     * stands for itself; undefined for a ref without an element. */
    describeElement(
      target: Target,
      deadline: Deadline,
      purpose?: DescriptionPurpose,
    ): Promise<RecordedElement | undefined>
    /** What a selector matches, which may be several elements or none. */
    describeSelector(selector: string): Promise<RecordedElement>
    /** Whether keys go to a secret field. */
    isSecretFocused(): Promise<boolean>
    /** Whether the page came from a framework that renders it on the server and attaches its handlers later. */
    isServerRendered(): Promise<boolean>
  }
}

const READ_TIMEOUT_MS = 500

export const createRecordedPage = ({ page, tabs }: PageParts): PageFeature => ({
  members: {
    describeElement: (...element) => describeElement(page(), ...element),
    describeSelector: (selector) => describeSelector(page(), selector),
    async isSecretFocused() {
      const reading = findFocusedElement(page()).then((element) => element?.evaluate(isSecretElement))
      return (await settleWithin(READ_TIMEOUT_MS, reading)) === true
    },
    async isServerRendered() {
      const cdp = await tabs.active().recovery.cdp
      const expression = `(${hasServerMarks})()`
      // Playwright would first load its script into the new document, which takes 20 ms.
      const reading = cdp
        ? cdp.send('Runtime.evaluate', { expression, returnByValue: true }).then(({ result }) => result.value)
        : page().evaluate(expression)
      return (await settleWithin(READ_TIMEOUT_MS, reading)) === true
    },
  },
})
