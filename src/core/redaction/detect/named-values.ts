// Values after the names of secrets: in URLs, forms, JSON, source code, settings and sentences. One pass over the separators that skips
// the values of secrets, so that the time is linear.

import { findBracketEnd, findQuotedStrings } from './brackets.ts'
import { findBareValue, isRedacted, NO_MATCH, type ValueMatch } from './bare-values.ts'
import { createOauthDetector } from './oauth-groups.ts'
import {
  NAME_LIMIT_CHARS,
  parsePair,
  findSeparatorAfter,
  findToken,
  findQuotedString,
  type NamedValue,
} from './pair-syntax.ts'
import {
  isCredentialHeader,
  createNamePattern,
  isDescriptiveKey,
  isOauthSecret,
  isSessionTokenName,
  levelOfName,
  type NameLevel,
} from '../secret-names.ts'
import { isProse, looksLikeSecret } from '../secret-values.ts'
import type { Span } from '../spans.ts'

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
      const value = findQuotedString(text, valueStart, NAME_LIMIT_CHARS)
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
