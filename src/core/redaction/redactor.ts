// The one exit for text. It guards against accidents, not against a page that means to get around it. See SECURITY.md.

import type { FindTokenShapes } from './detect/token-shapes.ts'
import { createKnownValues, type KnownValues, type SecretSource } from './known-values.ts'
import { redactRecord } from './records.ts'
import { findSecrets } from './secret-finder.ts'
import { findPositionOutside, replaceSpans } from './spans.ts'

export interface Redactor {
  redactText(value: string): string
  /** The part of a text from `from` on, at most `length` long, that ends where no secret is cut. `end` is where the next part begins. */
  redactPart(value: string, from: number, length: number): { readonly text: string; readonly end: number }
  /** The same for every text in a record; headers, cookies, storage and form fields by what they are. */
  redactData<T>(value: T): T
  /** Remembers values that must not be shown from now on. */
  learn(source: SecretSource, values: readonly string[]): void
  /** Remembers names of fields whose values in request bodies must not be shown. */
  learnNames(names: readonly string[]): void
  /** Whether the user declared this value, or a part of it, as a secret. */
  containsDeclared(value: string): boolean
  readonly known: KnownValues
}

export interface RedactorOptions {
  /** Knows what no session may show. */
  readonly parent?: Redactor
  /** More shapes than this folder knows. */
  readonly findShapes?: FindTokenShapes
  /** Values of our own, such as the session's id and name, that are never secrets. */
  readonly ownValues?: readonly string[]
}

const FIELD_NAME_LIMIT = 200

export function createRedactor({
  parent,
  findShapes = () => [],
  ownValues = [],
}: RedactorOptions = {}): Redactor {
  const ownValueSet = new Set(ownValues)
  const known = createKnownValues((value) => ownValueSet.has(value))
  const fieldNames = new Set<string>()
  const sources = { known: [known, ...(parent ? [parent.known] : [])], findShapes, fieldNames }
  const redactText = (value: string, isBody = false): string =>
    replaceSpans(value, findSecrets(value, isBody, sources))
  return {
    redactText: (value) => redactText(value),
    redactPart(value, from, length) {
      const spans = findSecrets(value, false, sources)
      const start = findPositionOutside(spans, from, from)
      const end = findPositionOutside(spans, Math.min(value.length, start + length), start)
      const spansInside = spans.filter((span) => span.start >= start && span.end <= end)
      const shiftedSpans = spansInside.map((span) => ({
        ...span,
        start: span.start - start,
        end: span.end - start,
      }))
      return { text: replaceSpans(value.slice(start, end), shiftedSpans), end }
    },
    redactData: <T>(value: T) => redactRecord(value, redactText) as T,
    learn: known.learn,
    learnNames(names) {
      for (const name of names)
        if (name.length > 1 && fieldNames.size < FIELD_NAME_LIMIT) fieldNames.add(name)
    },
    containsDeclared: (value) => (parent?.known ?? known).find(value).length > 0,
    known,
  }
}

/** Shows everything, where the user has asked for that. */
export const revealingRedactor: Redactor = {
  redactText: (value) => value,
  redactPart: (value, from, length) => ({
    text: value.slice(from, from + length),
    end: Math.min(value.length, from + length),
  }),
  redactData: (value) => value,
  learn: () => {},
  learnNames: () => {},
  containsDeclared: () => false,
  known: createKnownValues(() => true),
}
