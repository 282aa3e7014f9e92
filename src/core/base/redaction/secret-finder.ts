// Finds the secrets of a text by their shape, by the names before them and among the known values, in the text itself and in its decoded
// forms.

import { findCredentialLines } from './credential-lines.ts'
import { decodeAll, decodeBase64 } from './encodings.ts'
import type { KnownValues } from './known-values.ts'
import { findNamedValues } from './named-values.ts'
import { findQuotedString } from './pair-syntax.ts'
import {
  isDescriptiveKey,
  isSecretField,
  isSecretLabel,
  isSecretName,
  isSessionTokenName,
  levelOfName,
} from './secret-names.ts'
import { isProse, looksLikeSecret } from './secret-values.ts'
import { mergeSpans, type Span } from './spans.ts'
import { type FindTokenShapes, findTokenShapes } from './token-shapes.ts'

const CHUNK_CHARS = 200_000
const CHUNK_OVERLAP_CHARS = 20_000
const SECRET_MINIMUM_CHARS = 4

interface SecretSources {
  readonly known: readonly KnownValues[]
  readonly findShapes: FindTokenShapes
  /** Names of fields whose values in request bodies are secrets. */
  readonly fieldNames: ReadonlySet<string>
}

/** The merged spans of all secrets in `text`. A long text is searched in chunks that overlap by more than the length of a secret. */
export function findSecrets(text: string, isBody: boolean, sources: SecretSources): readonly Span[] {
  if (text.length <= CHUNK_CHARS) return mergeSpans(findInChunk(text, isBody, sources))
  const spans: Span[] = []
  for (let at = 0; at < text.length; at += CHUNK_CHARS) {
    const from = Math.max(0, at - CHUNK_OVERLAP_CHARS)
    const chunk = text.slice(from, at + CHUNK_CHARS + CHUNK_OVERLAP_CHARS)
    for (const span of findInChunk(chunk, isBody, sources))
      spans.push({ ...span, start: span.start + from, end: span.end + from })
  }
  return mergeSpans(spans)
}

/** The merged spans of all secrets in a text that stands between other bytes: letters before and after a known value may be no part of
 * it. */
export const findEmbeddedSecrets = (text: string, sources: SecretSources): readonly Span[] =>
  mergeSpans([
    ...findSecrets(text, true, sources),
    ...sources.known.flatMap((values) => values.find(text, true)),
  ])

// --- internal ---

function findInChunk(text: string, isBody: boolean, sources: SecretSources): Span[] {
  if (text.length < SECRET_MINIMUM_CHARS) return []
  if (!mayContainSecret.test(text)) return findKnown(text, sources).filter(isNotEmpty)
  const spans = [...findUnescaped(text, isBody, sources), ...findInBase64(text, isBody, sources)]
  const hasQuotes = sources.known.some((values) => values.hasQuotes)
  for (const { text: decoded, from } of decodeAll(text, hasQuotes))
    for (const span of [
      ...findUnescaped(decoded, isBody, sources),
      ...findInBase64(decoded, isBody, sources),
    ])
      spans.push({ ...span, start: from[span.start] ?? 0, end: from[span.end] ?? text.length })
  return spans.filter(isNotEmpty)
}

const findKnown = (text: string, { known }: SecretSources): Span[] =>
  known.flatMap((values) => values.find(text))

function findUnescaped(text: string, isBody: boolean, sources: SecretSources): Span[] {
  const { fieldNames, findShapes } = sources
  return [
    ...findKnown(text, sources),
    ...findTokenShapes(text),
    ...findShapes(text),
    ...findNamedValues(text, isBody && fieldNames.size > 0 ? fieldNames : undefined),
    ...findCredentialLines(text),
    ...(/\b(?:fill|type|typeText|pressSequentially|setValue|sendKeys)\(/.test(text)
      ? findFilledValues(text)
      : []),
    ...(/<(input|textarea|meta|add|param|entry|property|setting)\b/i.test(text) ? findFormMarkup(text) : []),
    ...(/:[ \t]/.test(text) || text.includes(':\n') ? findYamlValues(text) : []),
    ...(/[,;\t]/.test(text) ? findTableCells(text) : []),
    ...(/insert into/i.test(text) ? findInsertedValues(text) : []),
  ]
}

function findInBase64(text: string, isBody: boolean, sources: SecretSources): Span[] {
  return [...text.matchAll(base64Run)].flatMap(({ 0: run, index }) => {
    const decoded = decodeBase64(run)
    const isSecret = decoded !== undefined && findUnescaped(decoded, isBody, sources).length > 0
    return isSecret ? [{ start: index, end: index + run.length }] : []
  })
}

const base64Run = /[A-Za-z0-9+/_-]{24,8192}={0,2}/g

const isNotEmpty = ({ start, end }: Span): boolean => end > start

// Without one of these a text has neither a name, nor an escape, nor a token.
const mayContainSecret =
  /[=:%&\\"'`<@]|\d{13}|\d{4}[ -]\d|[A-Za-z0-9+/_-]{16}|\s-|-----|\w[,\t]\w|cookie|bearer|basic/i

/** The spans of what code and logs of browser tests enter into password fields: page.getByLabel('Password').fill('…'), page.fill('#password', '…').
 * The field is an argument, or stands before the call: in its statement, or in the lines of a log. */
const findFilledValues = (text: string): Span[] =>
  [...text.matchAll(entryCall)].flatMap(({ 0: call, index }) => {
    const start = index + call.length
    const entry = findEntry(text, start)
    if (!entry) return []
    const { value, isOnlyArgument } = entry
    const inner = text.slice(value.start, value.end)
    if (inner === '' || inner.startsWith('[redacted') || isProse(inner)) return []
    const subject = isOnlyArgument ? statementBefore(text, index) : `${text.slice(start, value.start)}.`
    return namesSecret(subject) ? [value] : []
  })

const VALUE_LIMIT_CHARS = 1000
const STATEMENT_LIMIT_CHARS = 400
const ARGUMENT_LIMIT_CHARS = 300

const entryCall = /\b(?:fill|type|pressSequentially|typeText|setValue|sendKeys)\(\s{0,40}/g
const firstArgument =
  /^(?:[\w$.]{1,80}(?:\([^()\n]{0,200}\))?|'[^'\n]{0,200}'|"[^"\n]{0,200}")\s{0,9},\s{0,9}(?=["'`])/

function findEntry(
  text: string,
  start: number,
): { readonly value: Span; readonly isOnlyArgument: boolean } | undefined {
  const target = firstArgument.exec(text.slice(start, start + ARGUMENT_LIMIT_CHARS))?.[0] ?? ''
  const value = findQuotedString(text, start + target.length, VALUE_LIMIT_CHARS)
  return value && value.end < text.length ? { value, isOnlyArgument: target === '' } : undefined
}

function statementBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - STATEMENT_LIMIT_CHARS), end)
  const start = Math.max(...[...before.matchAll(statementStart)].map(({ index }) => index), 0)
  return before.slice(start)
}

// A line that begins with a dot continues a call, one that begins with a dash a log; both may have a number before.
const statementStart = /;|\bawait\b|\breturn\b|=>|\n(?![>|\d\s]*(?:\.|- ))/g

// A quoted text or pattern of a locator, the name of a variable, or a field that was found.
function namesSecret(code: string): boolean {
  if (/\btype=\\{0,2}["']?password\b/i.test(code)) return true
  const variable = /([\w$]{1,80})[\s,]{0,40}\??\.$/.exec(code)?.[1] ?? ''
  const texts = [...code.matchAll(quotedText)].map((match) => match.slice(1).find(Boolean) ?? '')
  return levelOfName(variable) === 'secret' || texts.some((text) => locatesSecret(text.replaceAll('\\', '')))
}

const quotedText =
  /'([^'\n]{1,200})'|"([^"\n]{1,200})"|`([^`\n]{1,200})`|(?<=[(:]\s{0,4})\/([^/\n]{1,200})\/[a-z]{0,4}(?=[,)\s}])/g

const locatesSecret = (text: string): boolean =>
  isSecretLabel(text) ||
  (/[#.[\]=>:/]/.test(text) && text.split(/[^\w-]+/).some((word) => levelOfName(word) === 'secret'))

// The values of secret form fields in HTML and XML source.
const TAG_LIMIT_CHARS = 4096
const CONTENT_LIMIT_CHARS = 20_000

/** The spans of the values of secret fields in HTML, escaped or not. */
function findFormMarkup(text: string): Span[] {
  const spans: Span[] = []
  for (const { index } of text.matchAll(/<(?:input|textarea|meta|add|param|entry|property|setting)\b/gi)) {
    const textAfter = text.slice(index, index + TAG_LIMIT_CHARS)
    const length = /[^]>|[^]<|$/.exec(textAfter.slice(1))?.index ?? 0
    const end = textAfter[length + 2] === '>' ? index + length + 2 : -1
    const tag = textAfter.slice(0, length + 2)
    const attributes = parseAttributes(tag)
    const readAttribute = (name: string) => attributes.get(name)?.value ?? ''
    const field = {
      type: readAttribute('type').toLowerCase(),
      name: readAttribute('name'),
      id: readAttribute('id'),
      autocomplete: readAttribute('autocomplete').toLowerCase(),
    }
    const value = attributes.get('value') ?? attributes.get('content')
    const subject = field.name || readAttribute('key') || field.id || readAttribute('property')
    const isField = /^<(?:input|textarea)/i.test(tag)
    const looksSecret =
      levelOfName(subject) === 'weak' && looksLikeSecret(value?.value ?? '', isSessionTokenName(subject))
    const isSecret = isField ? isSecretField(field) : isSecretName(subject)
    if (!isSecret && !looksSecret) continue
    if (value && value.value !== '')
      spans.push({ start: index + value.start, end: index + value.start + value.value.length })
    if (isSecret && /^<textarea/i.test(tag) && end > 0) {
      const contentLength = text.slice(end + 1, end + 1 + CONTENT_LIMIT_CHARS).search(/<|$/)
      if (contentLength > 0) spans.push({ start: end + 1, end: end + 1 + contentLength })
    }
  }
  return spans
}

const attribute =
  /([a-z-]{1,40})\s{0,4}=\s{0,4}(?:\\{0,4}"([^"]{0,4096})"|\\{0,4}'([^']{0,4096})'|([^\s"'>\\]{1,4096}))/gi

function parseAttributes(tag: string): Map<string, { value: string; start: number }> {
  const attributes = new Map<string, { value: string; start: number }>()
  for (const {
    0: matchText,
    1: name = '',
    2: doubleQuoted,
    3: singleQuoted,
    4: unquoted,
    index,
  } of tag.matchAll(attribute)) {
    const value = (doubleQuoted ?? singleQuoted ?? unquoted ?? '').replace(/\\+$/, '')
    attributes.set(name.toLowerCase(), { value, start: index + matchText.lastIndexOf(value) })
  }
  return attributes
}

/** The spans of YAML values under secret names: lists, blocks, nested settings, and values of several words. */
function findYamlValues(text: string): Span[] {
  const spans: Span[] = []
  for (const { 0: line, 1: indent = '', 2: name = '', 3: value = '', index } of text.matchAll(yamlLine)) {
    if (!isSecretName(name)) continue
    const end = index + line.length
    if (value === '' || /^[|>][+-]?\d?$/.test(value))
      spans.push(...findNestedValues(text, end, indent.length))
    else spans.push(...findLineValues(value, end - value.length))
  }
  return spans
}

/** The spans of table cells in columns with secret names. */
function findTableCells(text: string): Span[] {
  const header = /^[\w .-]{1,60}(?:([,;\t])[\w .-]{1,60}){1,60}\r?$/m.exec(text)
  const separator = header?.[1]
  if (!header || separator === undefined) return []
  const names = header[0].trimEnd().split(separator)
  if (!names.some(isSecretName)) return []
  const spans: Span[] = []
  let at = header.index + header[0].length + 1
  while (at < text.length) {
    const end = findLineEnd(text, at)
    const cells = splitCells(text.slice(at, end), separator)
    if (cells.length !== names.length) break
    for (const [index, cell] of cells.entries())
      if (isSecretName(names[index] ?? '')) spans.push({ start: at + cell.start, end: at + cell.end })
    at = end + 1
  }
  return spans
}

/** The spans of values that an SQL INSERT writes to columns with secret names. */
function findInsertedValues(text: string): Span[] {
  return [...text.matchAll(insertHead)].flatMap(({ 0: head, 1: list = '', index }) => {
    const names = list.split(',')
    const start = index + head.length
    const rows = text.slice(start, start + ROWS_LIMIT_CHARS)
    return [...rows.matchAll(/\(([^()]{1,4000})\)/g)].flatMap(({ 1: row = '', index: at }) =>
      splitCells(row, ',', "'")
        .filter((_, column) => isSecretName(names[column] ?? ''))
        .map((cell) => ({ start: start + at + 1 + cell.start, end: start + at + 1 + cell.end })),
    )
  })
}

const ROWS_LIMIT_CHARS = 20_000
const insertHead = /\binsert into [^\s(]{1,120}\s{0,9}\(([^()]{1,2000})\)\s{0,9}values\s{0,9}(?=\()/gi

const yamlLine = /^([ \t]{0,60})(?:- )?["']?([\w.-]{1,80})["']?:(?:[ \t]{1,20}(\S[^\r\n]{0,2000}))?$/gm

const flowItem =
  /(?<=[[{,]\s{0,9})(?:([\w.-]{1,80}):\s{1,9})?([^\s[\]{},:][^[\]{},:]{0,400}?)(?=\s{0,9}[\]},])/g

const controlName = /^\p{Lu}\p{Ll}+(?: \p{L}+){0,4}[?!…]?$/u

// Phrases, tagged values and flow collections on the line of a name. Single tokens are found with the other named values.
function findLineValues(value: string, start: number): Span[] {
  if (value.includes('[redacted')) return []
  if (/^[[{]/.test(value) && !/["']/.test(value)) {
    // `Password: [] [Log in]`: a field and a button of a page.
    if (/^\[[^\]]{0,400}\]\s{0,9}[[(]/.test(value)) return []
    return [...value.matchAll(flowItem)].flatMap(({ 0: all, 1: key = '', 2: item = '', index }) => {
      const at = start + index + all.length - item.length
      const isPlain = isDescriptiveKey(key) || isProse(item) || controlName.test(item)
      return isPlain ? [] : [{ start: at, end: at + item.length }]
    })
  }
  const tag = /^!\S{1,40}\s{1,9}/.exec(value)?.[0] ?? ''
  const isPhrase = /^\p{L}+\s/u.test(value) && !/^\S+\s+#/.test(value)
  if ((tag === '' && !isPhrase) || isProse(value.slice(tag.length))) return []
  return [{ start: start + tag.length, end: start + value.length }]
}

const nestedHead = /^[ \t]*(?:- )?(?:["']?([\w.-]{1,80})["']?:[ \t]+)?/

function findNestedValues(text: string, from: number, indent: number): Span[] {
  const spans: Span[] = []
  let at = from + 1
  while (at < text.length) {
    const end = findLineEnd(text, at)
    const line = text.slice(at, end)
    const [head = '', key = ''] = nestedHead.exec(line) ?? []
    const depth = /^[ \t]*/.exec(line)?.[0].length ?? 0
    const isItem = depth === indent && line.trimStart().startsWith('- ')
    if (depth <= indent && !isItem) break
    const value = line.slice(head.length).trimEnd()
    const isPlain =
      value === '' || value.startsWith('[redacted') || isDescriptiveKey(key) || (key !== '' && isProse(value))
    if (!isPlain) spans.push({ start: at + head.length, end: at + head.length + value.length })
    at = end + 1
  }
  return spans
}

const findLineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function splitCells(line: string, separator: string, quote = '"'): Span[] {
  const cells: Span[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === quote) isQuoted = !isQuoted
    if (at < line.length && (isQuoted || line[at] !== separator)) continue
    cells.push({ start, end: at })
    start = at + 1
  }
  return cells
}
