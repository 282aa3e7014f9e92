// A value without quotes behind a name that says secret. Where it ends, and whether it is a value at all, depends on what surrounds it:
// an address, a form, a line of settings, a command, source code or a sentence.

import type { NamedValue } from './pair-syntax.ts'
import { isProse } from '../secret-values.ts'
import type { Span } from '../spans.ts'

const VALUE_LIMIT_CHARS = 8192

/** What a value's name made of it. */
export interface ValueMatch {
  readonly spans: readonly Span[]
  /** Where the search goes on. */
  readonly next: number
}

export const NO_MATCH: ValueMatch = { spans: [], next: 0 }

/** Whether it was redacted before. */
export const isRedacted = (value: string): boolean => value.startsWith('[redacted')

/** The value that begins at `at`, where it is a secret. */
export function findBareValue(
  text: string,
  { name, valueStart, separator, isSpaced, nameStart, isQuoted }: NamedValue,
): ValueMatch {
  const before = text[nameStart - 1] ?? ''
  // User names and passwords of addresses are found by their shape.
  if (separator === ':' && before === '/') return NO_MATCH
  const inQuery = separator === '=' && !isSpaced && (nameStart === 0 || /[?&#;\s"'`({|]/.test(before))
  const isSetting = inQuery && /^[A-Z][A-Z\d_]+$/.test(name) && !/[?&#;]/.test(before)
  const isArgument = inQuery && /["']/.test(before) && text.indexOf(before, valueStart) >= 0
  const inForm = isArgument ? (before === '"' ? /["&]/g : /['&]/g) : /[&#;\s"'<>`]/g
  const stop = isSetting ? /[\s"'`]/g : inQuery ? inForm : /[\s,;"'<>)}\]`&]/g
  stop.lastIndex = valueStart
  const end = Math.min(stop.exec(text)?.index ?? text.length, valueStart + VALUE_LIMIT_CHARS)
  const value = text.slice(valueStart, end)
  if (value === '' || isRedacted(value) || isProse(value) || /^[{[(<$]/.test(value)) return NO_MATCH
  const span = { spans: [{ start: valueStart, end }], next: end }
  if (isQuoted) return /^-?\d{3,}$/.test(value) ? span : NO_MATCH
  if (!isSetting && !/[?&;]/.test(before) && isCode(value, text[end])) return NO_MATCH
  if (separator === '=') return value.length > 1 || inQuery ? span : NO_MATCH
  // password: hunter2, but not password: must be …
  const rest = text.slice(end, end + 60)
  const last = /^([;})\]]|,?[ \t]*($|[\r\n#&}]|[\w.-]{1,40}[:=]))/.test(rest)
  const word = /^[\p{L}.,!?'-]+$/u.test(value)
  return value.length > 2 && (!word || (last && !/^\p{Lu}\p{Ll}+[.!?]?$/u.test(value) && value.length > 3))
    ? span
    : NO_MATCH
}

// --- internal ---

// password = input.value; password = hash(x)
const isCode = (value: string, after: string | undefined): boolean =>
  /^(new|a[w]ait|yield)$/.test(value) ||
  /^[\w$.?]+\(|^[A-Z]\w*[[<]/.test(value) ||
  /^(this|self|req|request|body|params|props|state|e|event|form|user|config|env|data|values|input|document|window|\w{1,20}Ref)\b[.?[(]/.test(
    value,
  ) ||
  (/^[A-Za-z_$][A-Za-z_$]*$/.test(value) && (after === ';' || after === ')' || value.length < 3)) ||
  /^[A-Za-z_$]{1,30}(\.[A-Za-z_$]{1,30})+$/.test(value)
