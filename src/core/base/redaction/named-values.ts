// Values after the names of secrets: in URLs, forms, JSON, source code, settings and sentences. One pass over the separators that skips
// the values of secrets, so that the time is linear.

import {
  findQuotedString,
  findSeparatorAfter,
  findToken,
  KEY_LIMIT_CHARS,
  type NamedValue,
  parsePair,
} from './pair-syntax.ts'
import {
  createNamePattern,
  isCredentialHeader,
  isDescriptiveKey,
  isOauthName,
  isOauthSecret,
  isSessionTokenName,
  levelOfName,
  type NameLevel,
} from './secret-names.ts'
import { isProse, looksLikeSecret } from './secret-values.ts'
import type { Span } from './spans.ts'

/** The spans of values that are secret by their name, or by name and form. `secretNames` are additional secret names. */
export function findNamedValues(text: string, secretNames?: ReadonlySet<string>): Span[] {
  const spans: Span[] = []
  const separators = secretNames ? /[=:,]/g : createNamePattern()
  const isOauth = createOauthDetector(text)
  let label: Label | undefined
  let lastSeparator = -1
  for (let match = separators.exec(text); match; match = separators.exec(text)) {
    const index = secretNames ? match.index : findSeparatorAfter(text, match.index)
    const pair = index > lastSeparator ? parsePair(text, index) : undefined
    if (!pair) continue
    lastSeparator = index
    const { name, valueStart } = pair
    // {"name": "password", "value": "…"}
    if (pair.isQuoted && /^(name|key|field)$/i.test(name)) {
      const value = findQuotedString(text, valueStart, KEY_LIMIT_CHARS)
      if (value) label = { value: text.slice(value.start, value.end), end: value.end }
    }
    const subject = name === 'value' ? (findLabel(text, valueStart, label) ?? name) : name
    const isSecret = secretNames?.has(subject) || (subject !== name && isCredentialHeader(subject))
    const level: NameLevel = isSecret ? 'secret' : levelOfName(subject)
    if (level === 'plain') continue
    const result =
      level === 'secret' ? findSecretValue(text, pair) : findWeakValue(text, pair, subject, isOauth)
    spans.push(...result.spans)
    separators.lastIndex = Math.max(separators.lastIndex, result.next)
  }
  return spans
}

// --- internal ---

interface Label {
  readonly value: string
  readonly end: number
}

// {"name": "password", "value": "…"}, in either order
function findLabel(text: string, at: number, label: Label | undefined): string | undefined {
  if (label && at - label.end < 300 && !text.slice(label.end, at).includes('}')) return label.value
  const value = findQuotedString(text, at, 400)
  if (!value) return undefined
  return /^\\{0,3}"\s{0,9},\s{0,20}\\{0,3}"(?:name|key|field)\\{0,3}"\s{0,9}:\s{0,9}\\{0,3}"([^"\\]{1,80})/.exec(
    text.slice(value.end, value.end + 200),
  )?.[1]
}

// `textbox "Password:" [e9]`: the quote after the separator ends the string in which the name is.
function isClosingQuote(text: string, { isQuoted, nameStart, valueStart }: NamedValue): boolean {
  const quote = text[valueStart] ?? ''
  if (isQuoted || !/["'`]/.test(quote) || !/^[\s,;:.)\]}>]?$/.test(text[valueStart + 1] ?? '')) return false
  const lineStart = Math.max(text.lastIndexOf('\n', nameStart - 1) + 1, nameStart - LINE_LIMIT_CHARS)
  return text.slice(lineStart, nameStart).split(quote).length % 2 === 0
}

const LINE_LIMIT_CHARS = 400

/** The value after a secret name. */
function findSecretValue(text: string, pair: NamedValue): ValueMatch {
  const { valueStart } = pair
  const value = findQuotedString(text, valueStart)
  if (value && isClosingQuote(text, pair)) return NO_MATCH
  if (value) {
    const inner = text.slice(value.start, value.end)
    const isPlain = inner === '' || isRedacted(inner) || isProse(inner)
    return isPlain ? NO_MATCH : { spans: [value], next: value.end + 1 }
  }
  if (pair.separator === ',') return NO_MATCH
  if ((text[valueStart] === '[' || text[valueStart] === '{') && (pair.isQuoted || pair.separator === ':')) {
    const end = findBracketEnd(text, valueStart, pair.isQuoted)
    const spans = findQuotedStrings(text, valueStart, end).filter((string) => {
      const inner = text.slice(string.start, string.end)
      return (
        !string.isKey &&
        !isDescriptiveKey(string.key) &&
        inner !== '' &&
        !isRedacted(inner) &&
        !isProse(inner)
      )
    })
    return { spans, next: end }
  }
  return findBareValue(text, pair)
}

/** The value after a weak name: one token that looks like a secret, or any in an OAuth exchange. */
function findWeakValue(
  text: string,
  { valueStart, separator, name, isQuoted }: NamedValue,
  subject: string,
  isOauth: (at: number, quoted: boolean) => boolean,
): ValueMatch {
  const value = findToken(text, valueStart)
  if (!value) return NO_MATCH
  const inner = text.slice(value.start, value.end)
  if (isRedacted(inner) || isProse(inner)) return NO_MATCH
  const isOauthValue = separator !== ',' && isOauthSecret(name) && isOauth(valueStart, isQuoted)
  const isSecret = isOauthValue || looksLikeSecret(inner, isSessionTokenName(subject))
  return isSecret ? { spans: [value], next: value.end } : NO_MATCH
}

// Unquoted values after secret names. Where a value ends, and whether it is one, depends on the context: a URL, a form, a line of
// settings, a command, source code or a sentence.
const VALUE_LIMIT_CHARS = 8192

/** The result for one name. */
interface ValueMatch {
  readonly spans: readonly Span[]
  /** Where the search continues. */
  readonly next: number
}

const NO_MATCH: ValueMatch = { spans: [], next: 0 }

const isRedacted = (value: string): boolean => value.startsWith('[redacted')

/** The span of the value after a name, if it is a secret. */
function findBareValue(
  text: string,
  { name, valueStart, separator, isSpaced, nameStart, isQuoted }: NamedValue,
): ValueMatch {
  const previousCharacter = text[nameStart - 1] ?? ''
  // Credentials in URLs are found by their shape.
  if (separator === ':' && previousCharacter === '/') return NO_MATCH
  const isQuery =
    separator === '=' && !isSpaced && (nameStart === 0 || /[?&#;\s"'`({|]/.test(previousCharacter))
  const isSetting = isQuery && /^[A-Z][A-Z\d_]+$/.test(name) && !/[?&#;]/.test(previousCharacter)
  const isArgument =
    isQuery && /["']/.test(previousCharacter) && text.indexOf(previousCharacter, valueStart) >= 0
  const argumentEnd = isArgument ? (previousCharacter === '"' ? /["&]/g : /['&]/g) : /[&#;\s"'<>`]/g
  const valueEnd = isSetting ? /[\s"'`]/g : isQuery ? argumentEnd : /[\s,;"'<>)}\]`&]/g
  valueEnd.lastIndex = valueStart
  const end = Math.min(valueEnd.exec(text)?.index ?? text.length, valueStart + VALUE_LIMIT_CHARS)
  const value = text.slice(valueStart, end)
  if (value === '' || isRedacted(value) || isProse(value) || /^[{[(<$]/.test(value)) return NO_MATCH
  const match = { spans: [{ start: valueStart, end }], next: end }
  if (isQuoted) return /^-?\d{3,}$/.test(value) ? match : NO_MATCH
  if (!isSetting && !/[?&;]/.test(previousCharacter) && isCode(value, text[end])) return NO_MATCH
  if (separator === '=') return value.length > 1 || isQuery ? match : NO_MATCH
  // password: hunter2, but not password: must be …
  const textAfter = text.slice(end, end + 60)
  const isLast = /^([;})\]]|,?[ \t]*($|[\r\n#&}]|[\w.-]{1,40}[:=]))/.test(textAfter)
  const isWord = /^[\p{L}.,!?'-]+$/u.test(value)
  return value.length > 2 &&
    (!isWord || (isLast && !/^\p{Lu}\p{Ll}+[.!?]?$/u.test(value) && value.length > 3))
    ? match
    : NO_MATCH
}

// password = input.value; password = hash(x)
const isCode = (value: string, nextCharacter: string | undefined): boolean =>
  /^(new|a[w]ait|yield)$/.test(value) ||
  /^[\w$.?]+\(|^[A-Z]\w*[[<]/.test(value) ||
  /^(this|self|req|request|body|params|props|state|e|event|form|user|config|env|data|values|input|document|window|\w{1,20}Ref)\b[.?[(]/.test(
    value,
  ) ||
  (/^[A-Za-z_$][A-Za-z_$]*$/.test(value) &&
    (nextCharacter === ';' || nextCharacter === ')' || value.length < 3)) ||
  /^[A-Za-z_$]{1,30}(\.[A-Za-z_$]{1,30})+$/.test(value)

// Objects and arrays in texts that look like JSON, complete or truncated.
// A longer object in source code is not treated as one.
const OBJECT_LIMIT_CHARS = 1000

/** The end, exclusive, of the bracket that opens at `at`. If it is not closed: the end of the text for JSON, else the end of the line. */
function findBracketEnd(text: string, at: number, isJson: boolean): number {
  const token = /["'`[\]{}]/g
  token.lastIndex = at
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (!isJson && match.index - at > OBJECT_LIMIT_CHARS) break
    const character = match[0]
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    else token.lastIndex = findStringEnd(text, match.index) + 1
    if (depth === 0) return match.index + 1
  }
  const lineEnd = isJson ? -1 : text.indexOf('\n', at)
  return lineEnd < 0 ? text.length : lineEnd
}

interface StringSpan extends Span {
  readonly isKey: boolean
  /** The key of the value, or ''. */
  readonly key: string
}

/** The strings and long numbers between two positions, each with its key. */
function findQuotedStrings(text: string, from: number, to: number): StringSpan[] {
  const strings: StringSpan[] = []
  const token = /["'`]|(?<=[[:,\s])-?\d{3,}/g
  let key = ''
  // A slice, because a search without a match would continue to the end of the text.
  const part = text.slice(from, to)
  for (let match = token.exec(part); match; match = token.exec(part)) {
    const isNumber = /[-\d]/.test(match[0])
    const start = isNumber ? match.index : match.index + 1
    const end = isNumber ? match.index + match[0].length : findStringEnd(part, match.index)
    token.lastIndex = end + 1
    // The quotes of a string inside a string are escaped.
    const innerEnd = part[end - 1] === '\\' ? end - 1 : end
    const isKey = !isNumber && /^\s{0,4}:/.test(part.slice(end + 1, end + 7))
    if (isKey) key = part.slice(start, innerEnd)
    strings.push({ start: from + start, end: from + innerEnd, isKey, key: isKey ? '' : key })
  }
  return strings
}

function findStringEnd(text: string, at: number): number {
  const quote = text[at] ?? ''
  const isEscaped = text[at - 1] === '\\'
  for (let end = text.indexOf(quote, at + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    let slashes = 0
    while (slashes < 16 && text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === (isEscaped ? 1 : 0)) return end
  }
  return text.length
}

// In an OAuth exchange all values with weak names are secrets, because codes and states are often short.
/** Returns a function that tells whether a position belongs to an OAuth exchange: the same URL, form or object has an OAuth name. */
function createOauthDetector(text: string): (at: number, isInObject: boolean) => boolean {
  if (!/client_id|redirect_uri|code_verifier|grant_type/.test(text)) return () => false
  let group = { start: 0, end: 0, isOauth: false }
  return (at, isInObject) => {
    if (at >= group.start && at < group.end) return group.isOauth
    const textBefore = text.slice(Math.max(0, at - GROUP_LIMIT_CHARS), at)
    const boundaries = isInObject ? ['{', '}'] : ['\n', ' http', '{', '}', '"http', "'http"]
    const boundaryPositions = boundaries.map((boundary) => textBefore.lastIndexOf(boundary))
    const start = at - textBefore.length + Math.max(...boundaryPositions) + 1
    const length =
      (isInObject ? /[{}]/ : /[\n{}]|\shttp/).exec(text.slice(at, at + GROUP_LIMIT_CHARS))?.index ??
      GROUP_LIMIT_CHARS
    const names = text.slice(start, at + length).matchAll(/([a-z_]{9,13})["'\\]{0,4}\s?[=:]/g)
    group = { start, end: at + length, isOauth: [...names].some(([, name = '']) => isOauthName(name)) }
    return group.isOauth
  }
}

const GROUP_LIMIT_CHARS = 2000
