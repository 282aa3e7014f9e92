// Unquoted values after secret names. Where a value ends, and whether it is one, depends on the context: a URL, a form, a line of
// settings, a command, source code or a sentence.

import type { NamedValue } from './pair-syntax.ts'
import { isProse } from '../secret-values.ts'
import type { Span } from '../spans.ts'

const VALUE_LIMIT_CHARS = 8192

/** The result for one name. */
export interface ValueMatch {
  readonly spans: readonly Span[]
  /** Where the search continues. */
  readonly next: number
}

export const NO_MATCH: ValueMatch = { spans: [], next: 0 }

/** Whether a value was redacted before. */
export const isRedacted = (value: string): boolean => value.startsWith('[redacted')

/** The span of the value after a name, if it is a secret. */
export function findBareValue(
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

// --- internal ---

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
