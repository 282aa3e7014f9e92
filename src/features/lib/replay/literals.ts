// Texts and names as they stand in TypeScript.

/** A string literal that evaluates to the text, in the quotes that need fewer escapes; single ones if it does not matter. */
export function quoteText(text: string): string {
  const count = (character: string) => text.split(character).length
  const quote = count("'") > count('"') ? '"' : "'"
  return `${quote}${escapeText(text).replaceAll(quote, `\\${quote}`)}${quote}`
}

export const escapeTemplate = (text: string): string => escapeText(text).replace(/`|\$(?=\{)/g, '\\$&')

/** The name of a property in an object literal. */
export function propertyName(name: string): string {
  // Without brackets it would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return isIdentifier(name) ? name : quoteText(name)
}

export const isIdentifier = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)

/** A number with groups of three digits from 10,000 on: `15_000`. */
export const groupDigits = (value: number): string =>
  value < 10_000 ? String(value) : String(value).replace(/\B(?=(\d{3})+$)/g, '_')

/** A regular expression. Slashes need no escape. A source that is none of JavaScript is an expression that throws when it is evaluated. */
export function regExpLiteral(source: string, flags = ''): string {
  if (!isRegExp(source)) return `new RegExp(${quoteText(source)})`
  let isInClass = false
  const escaped = source.replace(/\\[^]|[^]/gu, (part) => {
    if (part === '[') isInClass = true
    if (part === ']') isInClass = false
    if (part === '/' && !isInClass) return '\\/'
    return /^\\?[\n\r\u2028\u2029]$/.test(part) ? escapeText(part.slice(-1)) : part
  })
  return `/${escaped || '(?:)'}/${flags}`
}

/** Sources of regular expressions that match a string literal, and a regular expression. */
export const STRING = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"|`(?:[^`\\]|\\[^])*`/.source
export const REGEXP = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/.source

export const unquote = (literal: string): string => unescapeText(literal.slice(1, -1))

/** What stands between the quotes of a string literal, as the text that it evaluates to. */
export const unescapeText = (text: string): string =>
  text.replace(
    /\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[^]))/g,
    (_, ...codes: string[]) => {
      const [braced, unicode, hex, character = ''] = codes
      const code = braced ?? unicode ?? hex
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
      return /^[\r\n\u2028\u2029]/.test(character) ? '' : (LETTERS[character] ?? character)
    },
  )

// --- internal ---

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
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

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

// Control characters, line separators and halves of surrogate pairs would be invisible, or not survive a file.
function escapeText(text: string): string {
  const unsafe =
    /[\\\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
  return text.replace(unsafe, (character) => ESCAPES[character] ?? unicodeEscape(character))
}

const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
