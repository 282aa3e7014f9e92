// The one exit for text. Secrets are found by their shape, by the names before them and because they are known; in a text as it is and
// with its escapes resolved. A guard against accidents, not against a page that means to get around it. See SECURITY.md.

import { decodeAll, decodeBase64 } from './encodings.ts'
import { findCredentialLines } from './detect/credential-lines.ts'
import { findFormMarkup } from './detect/form-markup.ts'
import { createKnownValues, type KnownValues, type SecretSource } from './known-values.ts'
import { findNamedValues } from './detect/named-values.ts'
import { redactRecord } from './records.ts'
import { findInsertedValues, findTableCells, findYamlValues } from './detect/tables.ts'
import { replaceSpans, mergeSpans, findPositionOutside, type Span } from './spans.ts'
import { findTokenShapes, type FindTokenShapes } from './detect/token-shapes.ts'

export interface Redactor {
  text(value: string): string
  /** The part of a text from `from` on, at most `length` long, that ends where no secret is cut. `end` is where the next part begins. */
  part(value: string, from: number, length: number): { readonly text: string; readonly end: number }
  /** The same for every text in a record; headers, cookies, storage and form fields by what they are. */
  data<T>(value: T): T
  /** Remembers values that must not be shown from now on. */
  learn(source: SecretSource, values: readonly string[]): void
  /** Remembers names of fields whose values in request bodies must not be shown. */
  learnNames(names: readonly string[]): void
  /** Whether the user declared this value, or a part of it, as a secret. */
  holdsDeclared(value: string): boolean
  readonly known: KnownValues
}

export interface RedactorOptions {
  /** Knows what no session may show. */
  readonly outer?: Redactor
  /** More shapes than this folder knows. */
  readonly findShapes?: FindTokenShapes
  /** Values of our own, such as the session's id and name, that are never secrets. */
  readonly ours?: readonly string[]
}

const FIELD_NAME_LIMIT = 200
const CHUNK_CHARS = 200_000
const CHUNK_OVERLAP_CHARS = 20_000

export function createRedactor({ outer, findShapes = () => [], ours = [] }: RedactorOptions = {}): Redactor {
  const own = new Set(ours)
  const known = createKnownValues((value) => own.has(value))
  const names = new Set<string>()
  const findKnown = (text: string): Span[] => [...known.find(text), ...(outer?.known.find(text) ?? [])]

  const findPlain = (text: string, inBody: boolean): Span[] => [
    ...findKnown(text),
    ...findTokenShapes(text),
    ...findShapes(text),
    ...findNamedValues(text, inBody && names.size > 0 ? names : undefined),
    ...findCredentialLines(text),
    ...(/<(input|textarea|meta|add|param|entry|property|setting)\b/i.test(text) ? findFormMarkup(text) : []),
    ...(/:[ \t]/.test(text) || text.includes(':\n') ? findYamlValues(text) : []),
    ...(/[,;\t]/.test(text) ? findTableCells(text) : []),
    ...(/insert into/i.test(text) ? findInsertedValues(text) : []),
  ]

  const findEverywhere = (text: string, inBody: boolean): Span[] => {
    if (text.length < 4) return []
    if (!mayContainSecret.test(text)) return findKnown(text)
    const spans = [...findPlain(text, inBody), ...findInBase64(text, inBody)]
    for (const { text: reading, from } of decodeAll(
      text,
      known.hasQuotes || (outer?.known.hasQuotes ?? false),
    ))
      for (const span of [...findPlain(reading, inBody), ...findInBase64(reading, inBody)])
        spans.push({ ...span, start: from[span.start] ?? 0, end: from[span.end] ?? text.length })
    return spans
  }

  const findInBase64 = (text: string, inBody: boolean): Span[] =>
    [...text.matchAll(base64Run)].flatMap(({ 0: run, index }) => {
      const inside = decodeBase64(run)
      const found = inside !== undefined && findPlain(inside, inBody).length > 0
      return found ? [{ start: index, end: index + run.length }] : []
    })

  // A long text is looked through in pieces that overlap by more than a secret is long.
  function findAll(text: string, inBody: boolean): readonly Span[] {
    if (text.length <= CHUNK_CHARS) return mergeSpans(findEverywhere(text, inBody).filter(isNotEmpty))
    const spans: Span[] = []
    for (let at = 0; at < text.length; at += CHUNK_CHARS) {
      const from = Math.max(0, at - CHUNK_OVERLAP_CHARS)
      const piece = text.slice(from, at + CHUNK_CHARS + CHUNK_OVERLAP_CHARS)
      for (const span of findEverywhere(piece, inBody).filter(isNotEmpty))
        spans.push({ ...span, start: span.start + from, end: span.end + from })
    }
    return mergeSpans(spans)
  }

  const text = (value: string, inBody = false): string => replaceSpans(value, findAll(value, inBody))
  return {
    text: (value) => text(value),
    part(value, from, length) {
      const spans = findAll(value, false)
      const start = findPositionOutside(spans, from, from)
      const end = findPositionOutside(spans, Math.min(value.length, start + length), start)
      const inside = spans.filter((span) => span.start >= start && span.end <= end)
      const moved = inside.map((span) => ({ ...span, start: span.start - start, end: span.end - start }))
      return { text: replaceSpans(value.slice(start, end), moved), end }
    },
    data: <T>(value: T) => redactRecord(value, text) as T,
    learn: known.learn,
    learnNames(given) {
      for (const name of given) if (name.length > 1 && names.size < FIELD_NAME_LIMIT) names.add(name)
    },
    holdsDeclared: (value) => (outer?.known ?? known).find(value).length > 0,
    known,
  }
}

/** Shows everything, where the user has asked for that. */
export const revealingRedactor: Redactor = {
  text: (value) => value,
  part: (value, from, length) => ({
    text: value.slice(from, from + length),
    end: Math.min(value.length, from + length),
  }),
  data: (value) => value,
  learn: () => {},
  learnNames: () => {},
  holdsDeclared: () => false,
  known: createKnownValues(() => true),
}

// --- internal ---

const base64Run = /[A-Za-z0-9+/_-]{24,8192}={0,2}/g

const isNotEmpty = ({ start, end }: Span): boolean => end > start

// Without one of these there is neither a name, nor an escape, nor a token.
const mayContainSecret =
  /[=:%&\\"'`<@]|\d{13}|\d{4}[ -]\d|[A-Za-z0-9+/_-]{16}|\s-|-----|\w[,\t]\w|cookie|bearer|basic/i
