// Objects and arrays in texts that look like JSON, complete or truncated.

import type { Span } from '../spans.ts'

// A longer object in source code is not treated as one.
const OBJECT_LIMIT_CHARS = 1000

/** The end, exclusive, of the bracket that opens at `at`. If it is not closed: the end of the text for JSON, else the end of the line. */
export function findBracketEnd(text: string, at: number, isJson: boolean): number {
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
export function findQuotedStrings(text: string, from: number, to: number): StringSpan[] {
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

// --- internal ---

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
