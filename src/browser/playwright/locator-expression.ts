// Locators as code, such as `page.getByRole('button', { name: 'Go' }).first()`: answers contain them, and models write them.

import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

const EXPRESSION_START = /^\s*(?:await\s+)?(?:page\s*\.\s*)?(?:getBy(?=[A-Z])\w+|locator|frameLocator)\s*\(/

/** Whether a selector is a locator as code. */
export const isLocatorExpression = (selector: string): boolean => EXPRESSION_START.test(selector)

/** Strings and regular expressions, which stay as they are, or the page. */
const LITERAL_OR_PAGE =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\n]|\\.)+\/|\\.|\b(page\s*\.\s*)/gs

/** The locator without the page, its own and that of locators in it: Playwright's parser knows only what follows. */
export const omitPage = (expression: string): string =>
  expression
    .replace(/^\s*await\s/, '')
    .trimEnd()
    .replace(/;$/, '')
    .replace(LITERAL_OR_PAGE, (match, page?: string) => (page === undefined ? match : ''))

/** The selector of a locator that is written as code; INVALID_PARAMETERS if it cannot be read. */
export async function parseLocatorExpression(expression: string): Promise<Outcome<string>> {
  const [{ iso }, { selectors }] = await Promise.all([
    import('playwright-core/lib/coreBundle'),
    import('playwright'),
  ])
  const { _testIdAttributeName: testIdAttribute } = selectors as { _testIdAttributeName?: string }
  try {
    const code = omitPage(expression)
    return ok(iso.unsafeLocatorOrSelectorAsSelector('javascript', code, testIdAttribute))
  } catch (error) {
    return err(expressionFailure(expression, error instanceof Error ? error.message : ''))
  }
}

// --- internal ---

function expressionFailure(expression: string, reason: string): Failure {
  const [, method] = /^Unsupported locator method ([\w$]+)/.exec(reason) ?? []
  const [, option, owner] = /^Unsupported option ([\w$]+) for ([\w$]+)/.exec(reason) ?? []
  const hint =
    method !== undefined
      ? `A locator has no ${method}; it only finds the element.`
      : option !== undefined
        ? `${owner} has no option ${option}.`
        : 'Check its quotes, brackets and arguments.'
  return invalidParameter(
    'selector',
    "a locator such as getByRole('button', { name: 'Save' })",
    JSON.stringify(expression),
    hint,
  )
}
