// What the parts of one test share: the names of its pages, its secrets, and what it needs to import.

import type { RecordedElement } from '../recording/recorded-step.ts'
import { parseLocator } from './parse-locator.ts'
import { callCode, type Code } from './print-code.ts'
import { createSecretText, type SecretText } from './secret-text.ts'
import type { TestPlan } from './test-plan.ts'

/** What a test may need besides `page`. */
export type Fixture = 'context' | 'testInfo'

export interface CodeScope {
  readonly text: SecretText
  readonly origin: string | undefined
  /** Whether it pushes to open WebSockets. */
  readonly pushes: boolean
  /** `page`, or `context` if the test has several pages. */
  readonly routed: 'page' | 'context'
  /** The variable of a tab; undefined if it was not opened by a step of the test. */
  pageOf(tab: string): string | undefined
  /** Names the variable of a tab that is opened. */
  addPage(tab: string, base: 'page' | 'popup'): string
  /** A name that no variable of the test has. */
  variable(base: string): string
  /** Notes that the test needs it, and returns its name. */
  use(fixture: Fixture): string
  /** The calls of the locator of an element, each with its dot. */
  linksOf(element: RecordedElement, page: string): readonly Code[]
  /** The path of a file beside the test, as an expression. */
  fileCode(path: string): Code
  readonly fixtures: ReadonlySet<Fixture>
}

export function createCodeScope(
  { steps, origin, files, redact }: TestPlan,
  secrets: ReadonlyMap<string, string>,
): CodeScope {
  const text = createSecretText(secrets, redact)
  const [firstStep] = steps
  const pages = new Map<string, string>(firstStep ? [[firstStep.tab, 'page']] : [])
  const names = new Set([
    'page',
    'context',
    'testInfo',
    'expect',
    'test',
    'devices',
    'folder',
    'join',
    'dirname',
    'sockets',
  ])
  const fixtures = new Set<Fixture>()
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
    pushes: steps.some(({ action }) => action.kind === 'push'),
    routed: tabs.size > 1 ? 'context' : 'page',
    pageOf: (tab) => pages.get(tab),
    addPage(tab, base) {
      const name = variable(base)
      pages.set(tab, name)
      return name
    },
    variable,
    use,
    linksOf: (element, page) => linksOf(element, page, text),
    fileCode(path) {
      use('testInfo')
      return { open: 'join(', items: ['folder', text.label(files.get(path) ?? path)], close: ')' }
    },
    fixtures,
  }
}

// --- internal ---

// The selector stands for code that cannot be read.
function linksOf({ locators: [locator] }: RecordedElement, page: string, text: SecretText): readonly Code[] {
  const { code = '', selector = '' } = locator ?? {}
  return parseLocator(code, page, text) ?? [callCode('.locator', [text.label(selector)])]
}
