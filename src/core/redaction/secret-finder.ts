// Finds the secrets of a text by their shape, by the names before them and among the known values, in the text itself and in its decoded
// forms.

import { findCredentialLines } from './detect/credential-lines.ts'
import { findFilledValues } from './detect/filled-values.ts'
import { findFormMarkup } from './detect/form-markup.ts'
import { findNamedValues } from './detect/named-values.ts'
import { findInsertedValues, findTableCells, findYamlValues } from './detect/tables.ts'
import { findTokenShapes, type FindTokenShapes } from './detect/token-shapes.ts'
import { decodeAll, decodeBase64 } from './encodings.ts'
import type { KnownValues } from './known-values.ts'
import { mergeSpans, type Span } from './spans.ts'

const CHUNK_CHARS = 200_000
const CHUNK_OVERLAP_CHARS = 20_000
const SECRET_MINIMUM_CHARS = 4

export interface SecretSources {
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
