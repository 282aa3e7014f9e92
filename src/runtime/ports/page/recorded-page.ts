import type { Target } from './target.ts'
import type { Deadline } from '../deadline.ts'
import type { RecordedElement } from '../../../core/recording/recorded-step.ts'

/** For what an element is described. `action`: quickly, beside an action. `text-check`: by what does not depend on its text. `replay`: with
 * every locator that matches only it. */
export type DescriptionPurpose = 'action' | 'text-check' | 'replay'

/** What a recording of the actions on a page needs to know. */
export interface RecordedPage {
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
  /** The ids of the tabs, in order of their opening. */
  tabIds(): { readonly active: string; readonly all: readonly string[] }
}
