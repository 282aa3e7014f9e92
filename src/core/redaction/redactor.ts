// The one exit for text. Secrets are found by their shape, by the names before them and because they are known; in a text as it is and
// with its escapes resolved. A guard against accidents, not against a page that means to get around it. See SECURITY.md.

import { decodeAll, decodeBase64 } from './encodings.ts'
import { findCredentialLines } from './detect/credential-lines.ts'
import { findFormMarkup } from './detect/form-markup.ts'
import { createKnownValues, type KnownValues, type Source } from './known-values.ts'
import { findNamedValues } from './detect/named-values.ts'
import { redactRecord } from './records.ts'
import { findInsertedValues, findTableCells, findYamlValues } from './detect/tables.ts'
import { hideSpans, mergeSpans, outsideSpans, type Span } from './spans.ts'
import { findTokenShapes, type FindShapes } from './detect/token-shapes.ts'

export interface Redactor {
  text(value: string): string
  /** The part of a text from `from` on, at most `length` long, that ends where no secret is cut. `end` is where the next part begins. */
  part(value: string, from: number, length: number): { readonly text: string; readonly end: number }
  /** The same for every text in a record; headers, cookies, storage and form fields by what they are. */
  data<T>(value: T): T
  /** Remembers values that must not be shown from now on. */
  learn(source: Source, values: readonly string[]): void
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
  readonly findShapes?: FindShapes
  /** Values of our own, such as the session's id and name, that are never secrets. */
  readonly ours?: readonly string[]
}

const NAMES = 200
const PIECE_LENGTH = 200_000
const OVERLAP_LENGTH = 20_000

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
    if (!mayHoldMore.test(text)) return findKnown(text)
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
    if (text.length <= PIECE_LENGTH) return mergeSpans(findEverywhere(text, inBody).filter(isSpan))
    const spans: Span[] = []
    for (let at = 0; at < text.length; at += PIECE_LENGTH) {
      const from = Math.max(0, at - OVERLAP_LENGTH)
      const piece = text.slice(from, at + PIECE_LENGTH + OVERLAP_LENGTH)
      for (const span of findEverywhere(piece, inBody).filter(isSpan))
        spans.push({ ...span, start: span.start + from, end: span.end + from })
    }
    return mergeSpans(spans)
  }

  const text = (value: string, inBody = false): string => hideSpans(value, findAll(value, inBody))
  return {
    text: (value) => text(value),
    part(value, from, length) {
      const spans = findAll(value, false)
      const start = outsideSpans(spans, from, from)
      const end = outsideSpans(spans, Math.min(value.length, start + length), start)
      const inside = spans.filter((span) => span.start >= start && span.end <= end)
      const moved = inside.map((span) => ({ ...span, start: span.start - start, end: span.end - start }))
      return { text: hideSpans(value.slice(start, end), moved), end }
    },
    data: <T>(value: T) => redactRecord(value, text) as T,
    learn: known.learn,
    learnNames(given) {
      for (const name of given) if (name.length > 1 && names.size < NAMES) names.add(name)
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

const isSpan = ({ start, end }: Span): boolean => end > start

// Without one of these there is neither a name, nor an escape, nor a token.
const mayHoldMore =
  /[=:%&\\"'`<@]|\d{13}|\d{4}[ -]\d|[A-Za-z0-9+/_-]{16}|\s-|-----|\w[,\t]\w|cookie|bearer|basic/i
