// What the parts of one test share: the names of its pages, its secrets, and what it needs to import.

import type { RecordedElement } from '../recording/recorded-step.ts'
import { callCode, type Code, type CodeList } from './print-code.ts'
import { createSecretText, type SecretText } from './secret-text.ts'
import type { TestPlan } from './test-plan.ts'
import { regExpLiteral } from './literals.ts'

/** What a test may need besides `page`. */
type Fixture = 'context' | 'testInfo'

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

// Reads the code of a locator, as Playwright writes it, so that it can be broken into lines and its secrets replaced.
/** The calls of a locator such as `getByRole('row', { name: 'Milk' }).getByText('2')`, each with its dot; locators in its options begin with
 * `pageName`. Undefined if it is not of this form. */
function parseLocator(
  code: string,
  pageName: string,
  text: Pick<SecretText, 'label' | 'pattern'>,
): readonly Code[] | undefined {
  const reader: Reader = { rest: `.${code.trim().replace(/^page\./, '')}`, pageName, text }
  const links = readLinks(reader)
  return links && reader.rest.trim() === '' ? links : undefined
}

interface Reader {
  rest: string
  readonly pageName: string
  readonly text: Pick<SecretText, 'label' | 'pattern'>
}

/** Takes what matches at the start of the rest; undefined if nothing does. */
function take(reader: Reader, pattern: RegExp): string | undefined {
  const match = pattern.exec(reader.rest)?.[0]
  if (match !== undefined) reader.rest = reader.rest.slice(match.length)
  return match?.trim()
}

const LINK = /^\s*\.\s*[A-Za-z_$][\w$]*/
const STRING = /^\s*(?:'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"|`(?:[^`\\$]|\\[^])*`)/
const REGEXP = /^\s*\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/
const CONSTANT = /^\s*(?:true|false|null|undefined|-?\d+(?:\.\d+)?)(?![\w$])/
const LOCATOR_START = /^\s*(?=(?:getBy[A-Z]\w*|locator|frameLocator)\s*\()/

function readLinks(reader: Reader): readonly Code[] | undefined {
  const links: Code[] = []
  for (let name = take(reader, LINK); name !== undefined; name = take(reader, LINK)) {
    const link = name.replaceAll(/\s/g, '')
    if (take(reader, /^\s*\(/) === undefined) {
      links.push(link)
      continue
    }
    const items = readItems(reader, /^\s*\)/, readValue)
    if (!items) return undefined
    links.push({ open: `${link}(`, items, close: ')' })
  }
  return links.length > 0 ? links : undefined
}

function readItems(
  reader: Reader,
  end: RegExp,
  read: (reader: Reader) => Code | undefined,
): readonly Code[] | undefined {
  const items: Code[] = []
  for (;;) {
    if (take(reader, end) !== undefined) return items
    const item = read(reader)
    if (item === undefined) return undefined
    items.push(item)
    if (take(reader, /^\s*,/) === undefined) return take(reader, end) === undefined ? undefined : items
  }
}

function readValue(reader: Reader): Code | undefined {
  const string = take(reader, STRING)
  if (string !== undefined) return reader.text.label(unquote(string))
  const regExp = take(reader, REGEXP)
  if (regExp !== undefined) return withoutSecrets(regExp, reader)
  const constant = take(reader, CONSTANT)
  if (constant !== undefined) return constant
  if (take(reader, /^\s*\{/) !== undefined) return listOf('{', readItems(reader, /^\s*\}/, readProperty), '}')
  if (take(reader, /^\s*\[/) !== undefined) return listOf('[', readItems(reader, /^\s*\]/, readValue), ']')
  return readInnerLocator(reader)
}

function readProperty(reader: Reader): Code | undefined {
  const name = take(reader, /^\s*[A-Za-z_$][\w$]*\s*:/)
  const value = name === undefined ? undefined : readValue(reader)
  return value === undefined ? undefined : [`${name?.replace(/\s*:$/, '')}: `, value]
}

// Playwright leaves out the page of a locator that is an option of another one.
function readInnerLocator(reader: Reader): Code | undefined {
  if (LOCATOR_START.test(reader.rest)) reader.rest = `.${reader.rest.trimStart()}`
  else if (take(reader, /^\s*page(?=\s*\.)/) === undefined) return undefined
  const links = readLinks(reader)
  return links && { head: reader.pageName, links }
}

const listOf = (open: string, items: readonly Code[] | undefined, close: string): CodeList | undefined =>
  items && { open, items, close }

function withoutSecrets(literal: string, { text }: Reader): string {
  const end = literal.lastIndexOf('/')
  const source = literal.slice(1, end)
  const pattern = text.pattern(source)
  return pattern === source ? literal : regExpLiteral(pattern, literal.slice(end + 1))
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
}

/** The value of a string literal. */
function unquote(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(
      /\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[^]))/g,
      (_, ...codes: string[]) => {
        const [braced, unicode, hex, character = ''] = codes
        const code = braced ?? unicode ?? hex
        if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
        return /^[\r\n\u2028\u2029]/.test(character) ? '' : (LETTERS[character] ?? character)
      },
    )
}

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

const isFrame = (link: Code): boolean =>
  typeof link === 'object' && 'open' in link && /^\.(?:contentFrame|frameLocator)\($/.test(link.open)
