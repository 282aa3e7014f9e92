import type { RecordedElement } from '../../recording/recorded-step.ts'
import type { CodeScope } from '../code-scope.ts'
import { callCode, type Code } from '../print-code.ts'

/** What the code of one action needs: the scope of the test, and the page that it acts on. */
export interface ActionScope extends CodeScope {
  readonly page: string
  /** A statement that waits for a chain of calls on the page. */
  statement(links: readonly Code[]): Code
  /** The calls up to the frame that the element is in. */
  frameLinksOf(element: RecordedElement): readonly Code[]
}

export function createActionScope(scope: CodeScope, page: string): ActionScope {
  return {
    ...scope,
    page,
    statement: (links) => ['await ', { head: page, links }, ';'],
    frameLinksOf(element) {
      const links = scope.linksOf(element, page)
      return links.slice(0, 1 + links.findLastIndex(isFrame))
    },
  }
}

/** A statement that calls a method of the locator of an element. */
export const callOn = (
  scope: ActionScope,
  element: RecordedElement,
  method: string,
  items: readonly Code[],
): Code => scope.statement([...scope.linksOf(element, scope.page), callCode(`.${method}`, items)])

// --- internal ---

const isFrame = (link: Code): boolean =>
  typeof link === 'object' && 'open' in link && /^\.(?:contentFrame|frameLocator)\($/.test(link.open)
