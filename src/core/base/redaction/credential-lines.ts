// Credentials with their own syntax: header lines, cookies, multipart forms, command lines, tags, SQL statements.

import {
  isOauthName,
  isOauthSecret,
  isSecretLabel,
  isSecretName,
  isSessionTokenName,
  levelOfName,
} from './secret-names.ts'
import { isProse, looksLikeSecret } from './secret-values.ts'
import type { Span } from './spans.ts'

/** The spans of such values. Each pattern starts with a fixed word, which keeps the search fast. */
export function findCredentialLines(text: string): Span[] {
  return [
    ...(/cookie/i.test(text) ? [...text.matchAll(cookieLine)].flatMap(cookieSpansOf) : []),
    ...(/authorization/i.test(text) ? [...text.matchAll(authorization)].flatMap(capturedSpansOf) : []),
    ...(text.includes('name=') ? findMultipartValues(text) : []),
    ...(text.includes('-') ? [...text.matchAll(option)].flatMap(optionSpansOf) : []),
    ...(/-u|--user|--proxy-user/.test(text) ? [...text.matchAll(userOption)].flatMap(capturedSpansOf) : []),
    ...(text.includes('</') ? [...text.matchAll(element)].flatMap(elementSpansOf) : []),
    ...(text.includes('CDATA[') ? [...text.matchAll(characterData)].flatMap(elementSpansOf) : []),
    ...(/box |button /.test(text) ? findSnapshotValues(text) : []),
    ...(/password|secret|passphrase|identified/i.test(text)
      ? [...text.matchAll(statement)].flatMap(capturedSpansOf)
      : []),
  ]
}

// --- internal ---

const cookieLine = /\b(?:set-)?cookie2?["'\\]{0,4}\s{0,4}[:=,]\s{0,4}["'\\`]{0,4}([^\r\n"'`\\]{1,8192})/gi
const authorization =
  /authorization(?:["'\\]{0,4}\s{0,4}[:=]|["'\\]{1,4}\s{0,4},(?!\s{0,9}\\{0,3}"\w{1,40}\\{0,3}"\s{0,4}:))\s{0,4}["'\\`]{0,4}(?:(?:digest|oauth|hawk|signature|aws4-hmac-sha256)[ \t]+([^\r\n"'`\\<>][^\r\n<>]{0,8192})|(?:[A-Za-z][A-Za-z0-9-]{2,20}[ \t]+)?([^\s"'`\\<>,]{1,8192}))/gi
const option = /(?<=^|\s)--?([a-z][\w-]{1,60})[ \t]+["']?([^\s"'-][^\s"']{0,4096})/gi
const userOption = /(?<=^|\s)(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']{1,200}:([^\s"']{1,400})/g
const element = /<([\w:.-]{1,80})(?:\s[^<>]{0,400})?>([^<>\r\n]{1,4096})<\/\1>/g
const characterData = /<([\w:.-]{1,80})>\s{0,9}<!\[CDATA\[((?:(?!\]\]>)[^]){1,4096})\]\]>/g
const snapshotField =
  /\b(?:textbox|searchbox|combobox|spinbutton) "([^"\r\n]{1,200})"(?: \[[^\]\r\n]{1,60}\]| [a-z]{3,20}){0,8}'?: ([^\r\n]{1,8192})/g
// With properties below it, as Playwright writes a field that also has a placeholder.
const nestedSnapshotField =
  /\b(?:textbox|searchbox|combobox|spinbutton)((?: "[^"\r\n]{1,200}")?)(?: \[[^\]\r\n]{1,60}\]| [a-z]{3,20}){0,8}'?:[ \t]{0,4}\r?\n((?:[ \t]{0,200}- (?:\/[a-z]{1,20}|text): [^\r\n]{0,8192}(?:\r?\n)?){1,6})/g
// A statement of SQL, and no sentence about a password.
const statement =
  /\b(?:identified by|(?:create|alter) (?:user|role|login|secret)\b[^;\r\n]{0,200}?\b(?:password|passphrase|secret)|with (?:encrypted )?password(?=\s{1,4}'))\s{1,4}["'`]([^"'`\r\n]{1,400})["'`]/gi

const capturedSpansOf = (match: RegExpMatchArray): Span[] => valueSpansOf(match, match[1] ?? match[2] ?? '')

// The value is at the end of the match, or before its closing quote.
function valueSpansOf(match: RegExpMatchArray, value: string): Span[] {
  if (value.startsWith('[redacted') || isProse(value)) return []
  const start = (match.index ?? 0) + match[0].lastIndexOf(value)
  return [{ start, end: start + value.trimEnd().length }]
}

const cookieAttribute = /^(path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned)$/i

function cookieSpansOf(match: RegExpMatchArray): Span[] {
  const [matchText, pairs = ''] = match
  const start = (match.index ?? 0) + matchText.length - pairs.length
  return [...pairs.matchAll(/([^=;,\s]{1,200})=([^;\s]{1,8192})/g)].flatMap(
    ({ 1: name = '', 2: value = '', index }) =>
      cookieAttribute.test(name) || value.startsWith('[redacted')
        ? []
        : [{ start: start + index + name.length + 1, end: start + index + name.length + 1 + value.length }],
  )
}

function optionSpansOf(match: RegExpMatchArray): Span[] {
  const [, name = '', value = ''] = match
  return isSecretName(name) ? valueSpansOf(match, value) : []
}

function elementSpansOf(match: RegExpMatchArray): Span[] {
  const [matchText, name = '', value = ''] = match
  if (isProse(value) || value.startsWith('[redacted') || !isSecretPair(name, value.trim())) return []
  const start = (match.index ?? 0) + matchText.indexOf(value, matchText.indexOf('>'))
  return [{ start, end: start + value.length }]
}

const isSecretPair = (name: string, value: string): boolean =>
  isSecretName(name) || (levelOfName(name) === 'weak' && looksLikeSecret(value, isSessionTokenName(name)))

const findSnapshotValues = (text: string): Span[] => [
  ...[...text.matchAll(snapshotField)].flatMap(snapshotSpansOf),
  ...[...text.matchAll(nestedSnapshotField)].flatMap(nestedSnapshotSpansOf),
]

function nestedSnapshotSpansOf({
  0: matchText,
  1: name = '',
  2: lines = '',
  index,
}: RegExpExecArray): Span[] {
  const labels = [name.slice(2, -1), /- \/placeholder: ([^\r\n]+)/.exec(lines)?.[1] ?? '']
  if (!labels.some(isSecretLabel)) return []
  const start = index + matchText.length - lines.length
  return [...lines.matchAll(/(?<=- text: )(?!\[redacted)[^\r\n]+/g)].map(({ 0: value, index: at }) => ({
    start: start + at,
    end: start + at + value.length,
  }))
}

function snapshotSpansOf(match: RegExpMatchArray): Span[] {
  const [matchText, name = '', value = ''] = match
  if (!isSecretLabel(name) || value.startsWith('[redacted')) return []
  const end = (match.index ?? 0) + matchText.length
  return [{ start: end - value.length, end }]
}

// name="password" CR LF … CR LF CR LF value CR LF --boundary
const multipartHead = /\bname="?([^"\s;]{1,200})"?[^\r\n]{0,400}(?:\r?\n[^\r\n]{1,400}){0,5}\r?\n\r?\n/g

function findMultipartValues(text: string): Span[] {
  const parts = [...text.matchAll(multipartHead)]
  const isOauth = parts.some(({ 1: name = '' }) => isOauthName(name))
  return parts.flatMap(({ 0: head, 1: name = '', index }) => {
    const start = index + head.length
    const end = text.indexOf('\n--', start)
    const valueEnd = end < 0 ? text.length : text[end - 1] === '\r' ? end - 1 : end
    const isSecret = isSecretPair(name, text.slice(start, valueEnd)) || (isOauth && isOauthSecret(name))
    return isSecret && valueEnd > start ? [{ start, end: valueEnd }] : []
  })
}
