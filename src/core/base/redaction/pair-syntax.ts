// Parses pairs of a name and a value in URLs, forms, JSON, source code, settings and sentences.

import type { Span } from './spans.ts'

export interface NamedValue {
  readonly name: string
  readonly isQuoted: boolean
  /** The start of the name, including its quote. */
  readonly nameStart: number
  readonly separator: '=' | ':' | ','
  /** The start of the value, including its quote. */
  readonly valueStart: number
  readonly isSpaced: boolean
}

export const KEY_LIMIT_CHARS = 80

/** The pair with the separator at `index`, or undefined if there is no name before it. */
export function parsePair(text: string, index: number): NamedValue | undefined {
  const separator = text[index] as NamedValue['separator']
  const nextCharacter = text[index + 1]
  if (separator === '=' && (nextCharacter === '=' || /[=!<>]/.test(text[index - 1] ?? ''))) return undefined
  if (separator === ':' && (nextCharacter === ':' || nextCharacter === '/' || text[index - 1] === ':'))
    return undefined
  let end = index
  while (end > 0 && index - end < 4 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1
  const name = findNameBefore(text, end)
  if (!name) return undefined
  // f('token', 'x'), but not a list of words
  const isArgument = name.isQuoted && text[name.start - 1] === '('
  if (separator === ',' && !isArgument && !isEntry(text, name, index)) return undefined
  // { "token" => "x" } of Ruby and PHP, but not an arrow of JavaScript
  const isArrow = separator === '=' && nextCharacter === '>'
  if (isArrow && !name.isQuoted && !/^\[.+\]$/.test(name.name)) return undefined
  let valueStart = index + (isArrow ? 2 : 1)
  while (
    valueStart - index < 40 &&
    /\s/.test(text[valueStart] ?? '') &&
    (name.isQuoted || !/[\r\n]/.test(text[valueStart] ?? ''))
  )
    valueStart += 1
  // **Password:** x
  while (
    separator === ':' &&
    valueStart - index < 8 &&
    /[*_ ]/.test(text[valueStart] ?? '') &&
    /[*_]/.test(text.slice(index + 1, valueStart + 1))
  )
    valueStart += 1
  const isSpaced = valueStart > index + 1 || end < index
  return { name: name.name, isQuoted: name.isQuoted, nameStart: name.start, separator, valueStart, isSpaced }
}

/** The position of the separator after the name around `at`, or -1. */
export function findSeparatorAfter(text: string, at: number): number {
  nameAndSeparator.lastIndex = at
  return nameAndSeparator.test(text) ? nameAndSeparator.lastIndex - 1 : -1
}

/** The content of the quoted string at `at`, its quotes escaped or not; to the end of the line if it is truncated. */
export function findQuotedString(text: string, at: number, limit = text.length): Span | undefined {
  let slashes = 0
  while (text[at + slashes] === '\\' && slashes < 8) slashes += 1
  const quote = text[at + slashes] ?? ''
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined
  const start = at + slashes + 1
  for (let end = text.indexOf(quote, start); end >= 0; end = text.indexOf(quote, end + 1)) {
    if (end - start > limit) return undefined
    // It''s SQL.
    if (quote === "'" && end > start && text[end + 1] === quote && slashes === 0) {
      end += 1
      continue
    }
    let escapes = 0
    while (escapes <= slashes && text[end - 1 - escapes] === '\\') escapes += 1
    if (escapes <= slashes) return { start, end: end - Math.min(escapes, slashes) }
  }
  const line = text.indexOf('\n', start)
  return { start, end: line < 0 ? text.length : line }
}

/** A run of token characters at `at`, quoted or not. */
export function findToken(text: string, at: number): Span | undefined {
  let start = at
  while (text[start] === '\\' || text[start] === '"' || text[start] === "'" || text[start] === '`') start += 1
  tokenRun.lastIndex = start
  const match = tokenRun.exec(text)
  const end = match ? start + match[0].length : start
  return end > start && !/[\w%]/.test(text[end] ?? '') ? { start, end } : undefined
}

// --- internal ---

interface FoundName {
  readonly name: string
  readonly isQuoted: boolean
  readonly start: number
}

// [["token", "x"], …], as of Object.entries, but not a list of two words
function isEntry(text: string, { isQuoted, start }: FoundName, separator: number): boolean {
  if (!isQuoted || !/[[,]\s{0,20}\[\s{0,20}$/.test(text.slice(Math.max(0, start - 43), start))) return false
  const valueStart =
    separator + 1 + (/^\s{0,20}/.exec(text.slice(separator + 1, separator + 21))?.[0].length ?? 0)
  const value = findQuotedString(text, valueStart)
  return value !== undefined && /^["'`]?(\s{0,20}\]|$)/.test(text.slice(value.end, value.end + 23))
}

function findNameBefore(text: string, end: number): FoundName | undefined {
  let nameEnd = end
  const quote = text[nameEnd - 1] ?? ''
  const isQuoted = quote === '"' || quote === "'" || quote === '`'
  if (isQuoted) nameEnd -= 1
  while (isQuoted && text[nameEnd - 1] === '\\') nameEnd -= 1
  let start = nameEnd
  while (start > 0 && nameEnd - start < KEY_LIMIT_CHARS && nameCharacter.test(text[start - 1] ?? ''))
    start -= 1
  if (start === nameEnd) return undefined
  return {
    name: text.slice(start, nameEnd),
    isQuoted: isQuoted && text[start - 1] === quote,
    start: isQuoted ? start - 1 : start,
  }
}

const nameAndSeparator = /["'`]?[\w.$%[\]-]{1,100}\\{0,8}["'`]?[ \t]{0,4}[=:,]/y
const nameCharacter = /[\w.$%[\]-]/

const tokenRun = /[A-Za-z0-9+/_.~%|:$-]{1,8192}={0,3}/y
