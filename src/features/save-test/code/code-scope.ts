// What the parts of one test share: the names of its pages, its secrets, and what it needs to import.

import type { RecordedElement } from '../../../core/sessions/types/recorded-step.ts'
import { REGEXP, regExpLiteral, STRING, unquote } from '../../lib/replay/literals.ts'
import { createSecretText, type SecretText } from './secret-text.ts'
import type { TestPlan } from './test-plan.ts'

/** What a test may need besides `page`. */
type Fixture = 'context' | 'testInfo'

export interface CodeScope {
  readonly text: SecretText
  readonly origin: string | undefined
  /** `page`, or `context` if the test has several pages. */
  readonly routed: 'page' | 'context'
  /** The variable of a tab; undefined if it was not opened by a step of the test. */
  pageOf(tab: string): string | undefined
  addPage(tab: string, base: 'page' | 'popup'): string
  /** A name that no variable of the test has. */
  variable(base: string): string
  /** Notes that the test needs it, and returns its name. */
  use(fixture: Fixture): string
  /** The locator of an element on a page, which is a variable. */
  locator(element: RecordedElement, page: string): string
  /** The path of a file beside the test, as an expression. */
  fileCode(path: string): string
  readonly fixtures: ReadonlySet<Fixture>
  /** The frames of the locators until now. */
  readonly frames: ReadonlySet<string>
}

export function createCodeScope(
  { steps, origin, files, redact }: TestPlan,
  secrets: ReadonlyMap<string, string>,
): CodeScope {
  const text = createSecretText(secrets, redact)
  const [firstStep] = steps
  const pages = new Map<string, string>(firstStep ? [[firstStep.tab, 'page']] : [])
  const names = new Set(KNOWN_NAMES)
  const fixtures = new Set<Fixture>()
  const frames = new Set<string>()
  const tabs = new Set(steps.flatMap(({ tab, openedTab }) => [tab, openedTab ?? tab]))

  function variable(base: string): string {
    let name = base
    for (let number = 2; names.has(name); number += 1) name = `${base}${number}`
    names.add(name)
    return name
  }

  function use(fixture: Fixture): string {
    fixtures.add(fixture)
    return fixture
  }

  return {
    text,
    origin,
    routed: tabs.size > 1 ? 'context' : 'page',
    pageOf: (tab) => pages.get(tab),
    addPage(tab, base) {
      const name = variable(base)
      pages.set(tab, name)
      return name
    },
    variable,
    use,
    locator(element, page) {
      const code = locatorCode(element, page, text)
      const frame = frameOf(code)
      if (frame !== undefined) frames.add(frame)
      return code
    },
    fileCode(path) {
      use('testInfo')
      return `join(folder, ${text.label(files.get(path) ?? path)})`
    },
    fixtures,
    frames,
  }
}

const KNOWN_NAMES = [
  'page',
  'context',
  'testInfo',
  'expect',
  'test',
  'devices',
  'folder',
  'join',
  'dirname',
  'state',
  'counter',
  'readFileSync',
]

const TOKEN = new RegExp(
  `${STRING}|${REGEXP}|(?<![.\\w$])(?:page\\.)?(?=(?:getBy[A-Z]\\w*|locator|frameLocator)\\()`,
  'g',
)
/** The code of a locator whose literals are empty. */
const LOCATOR = /^(?:page\.)?(?:getBy[A-Z]\w*|locator|frameLocator)\([\w$.,:(){}[\] -]*$/

/** Playwright's code of the locator, on this page and without secrets. The selector stands for code that cannot be read. */
function locatorCode({ locators: [locator] }: RecordedElement, page: string, text: SecretText): string {
  const { code = '', selector = '' } = locator ?? {}
  const shape = code.replace(TOKEN, (token) => (token === '' || token === 'page.' ? token : ''))
  if (!LOCATOR.test(shape) || !isOutside(shape, shape.length))
    return `${page}.locator(${text.label(selector)})`
  return code.replace(TOKEN, (token) => {
    // Playwright leaves out the page of a locator, also of one that is an option of another one.
    if (token === '' || token === 'page.') return `${page}.`
    return token.startsWith('/') ? withoutSecrets(token, text) : text.label(unquote(token))
  })
}

function withoutSecrets(literal: string, text: SecretText): string {
  const end = literal.lastIndexOf('/')
  const source = literal.slice(1, end)
  const pattern = text.pattern(source)
  return pattern === source ? literal : regExpLiteral(pattern, literal.slice(end + 1))
}

/** The code of a locator up to the frame that it is in; undefined if it is in the page. */
export function frameOf(code: string): string | undefined {
  const shape = code.replace(new RegExp(`${STRING}|${REGEXP}`, 'g'), (literal) => '_'.repeat(literal.length))
  const ends = [...shape.matchAll(/\.(?:contentFrame|frameLocator)\([^()]*\)/g)]
  const end = ends.map((match) => match.index + match[0].length).findLast((at) => isOutside(shape, at))
  return end === undefined ? undefined : code.slice(0, end)
}

/** Whether this position is in no brackets. */
const isOutside = (shape: string, at: number): boolean => {
  const before = shape.slice(0, at)
  return before.split('(').length === before.split(')').length
}

/** What the code of one action needs: the scope of the test, and the page that it acts on. */
export interface ActionScope extends CodeScope {
  readonly page: string
}

/** A statement that calls a method of the locator of an element. */
export const callOn = (
  scope: ActionScope,
  element: RecordedElement,
  method: string,
  items: readonly string[] = [],
): string => `await ${scope.locator(element, scope.page)}.${method}(${items.join(', ')});`
