// All text that leaves Footlight is redacted here. It prevents accidental leaks, not those of a page that evades it. See SECURITY.md.

import type { FindTokenShapes } from './detect/token-shapes.ts'
import { createKnownValues, type KnownValues, type SecretSource } from './known-values.ts'
import { redactRecord } from './records.ts'
import { redactBytes } from './redact-bytes.ts'
import { findEmbeddedSecrets, findSecrets } from './secret-finder.ts'
import { findPositionOutside, replaceSpans } from './spans.ts'

export interface Redactor {
  redactText(value: string): string
  /** The redacted part of a text from `from`, of at most `length` characters, that cuts no secret. `end` is the start of the next part. */
  redactPart(value: string, from: number, length: number): { readonly text: string; readonly end: number }
  /** Redacts every string in a record; headers, cookies, storage and form fields also by their names. */
  redactData<T>(value: T): T
  /** The secrets of a text, each once. */
  findValues(value: string): readonly string[]
  /** Redacts what stands in bytes that are encoded as base64: as text if they are text, else without changing their number. */
  redactBase64(value: string): string
  /** Hides these values from now on. */
  learn(source: SecretSource, values: readonly string[]): void
  /** Hides the values of fields with these names in request bodies from now on. */
  learnNames(names: readonly string[]): void
  /** Whether the value contains one that the user declared as a secret. */
  containsDeclared(value: string): boolean
  readonly known: KnownValues
}

export interface RedactorOptions {
  /** The redactor of the process, whose values are hidden in all sessions. */
  readonly parent?: Redactor
  /** Finds further token shapes. */
  readonly findShapes?: FindTokenShapes
  /** Values of Footlight itself, such as the id and name of the session, that are never secrets. */
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
    findValues: (value) => [
      ...new Set(findSecrets(value, false, sources).map(({ start, end }) => value.slice(start, end))),
    ],
    redactBase64: (value) =>
      redactBytes(
        value,
        (text) => redactText(text, true),
        (text) => findEmbeddedSecrets(text, sources),
      ),
    learn: known.learn,
    learnNames(names) {
      for (const name of names)
        if (name.length > 1 && fieldNames.size < FIELD_NAME_LIMIT) fieldNames.add(name)
    },
    containsDeclared: (value) => (parent?.known ?? known).find(value).length > 0,
    known,
  }
}

/** Redacts nothing, for users who disabled the redaction. */
export const revealingRedactor: Redactor = {
  redactText: (value) => value,
  redactPart: (value, from, length) => ({
    text: value.slice(from, from + length),
    end: Math.min(value.length, from + length),
  }),
  redactData: (value) => value,
  findValues: () => [],
  redactBase64: (value) => value,
  learn: () => {},
  learnNames: () => {},
  containsDeclared: () => false,
  known: createKnownValues(() => true),
}
