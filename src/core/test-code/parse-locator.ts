// Reads the code of a locator, as Playwright writes it, so that it can be broken into lines and its secrets replaced.

import type { Code, CodeList } from './print-code.ts'
import { regExpLiteral } from './literals.ts'
import type { SecretText } from './secret-text.ts'

/** The calls of a locator such as `getByRole('row', { name: 'Milk' }).getByText('2')`, each with its dot; locators in its options begin with
 * `pageName`. Undefined if it is not of this form. */
export function parseLocator(
  code: string,
  pageName: string,
  text: Pick<SecretText, 'label' | 'pattern'>,
): readonly Code[] | undefined {
  const reader: Reader = { rest: `.${code.trim().replace(/^page\./, '')}`, pageName, text }
  const links = readLinks(reader)
  return links && reader.rest.trim() === '' ? links : undefined
}

// --- internal ---

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
