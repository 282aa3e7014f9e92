// Finds known secret values in any text and encoding. A text is scanned once, however many values there are: a table of the first four
// characters tells where a comparison is needed.

import { type BoundedMap, createBoundedMap } from '../bounded-collections.ts'
import { encodedFormsOf } from './encodings.ts'
import { isDistinctive, isUnmistakable } from './secret-values.ts'
import type { Span } from './spans.ts'

/** Where a value is known from. Each source has its own limit, so that many values of one do not displace those of another. */
export type SecretSource = 'declared' | 'typed' | 'field' | 'stored'

export interface KnownValues {
  /** Stores values to search for, except those that are too short or too common, unless the user declared them. */
  learn(source: SecretSource, values: readonly string[]): void
  /** The spans of the values in `text`, as whole tokens unless `isAnywhere`. */
  find(text: string, isAnywhere?: boolean): Span[]
  readonly size: number
  /** Grows whenever there are other values to find. */
  readonly revision: number
  /** Whether a value has a quote, which some languages write twice. */
  readonly hasQuotes: boolean
}

const VALUE_LIMITS: Record<SecretSource, number> = { declared: 1000, typed: 300, field: 300, stored: 300 }
const VALUE_LIMIT_CHARS = 20_000
const PREFIX_CHARS = 4
const HASH_TABLE_SIZE = 65_536
const CUT_MARK = '…'

interface SearchForm {
  readonly text: string
  /** Whether it also matches inside longer words. */
  readonly isInsideWords: boolean
}

type SearchForms = readonly SearchForm[]

export function createKnownValues(isOwnValue: (value: string) => boolean): KnownValues {
  const formsBySource = new Map<SecretSource, BoundedMap<string, SearchForms>>()
  let index: FormIndex | undefined
  let size = 0
  let revision = 0
  let hasQuotes = false

  function learn(source: SecretSource, values: readonly string[]): void {
    const formsByValue =
      formsBySource.get(source) ?? createBoundedMap<string, SearchForms>(VALUE_LIMITS[source])
    formsBySource.set(source, formsByValue)
    for (const input of values) {
      const value = input.slice(0, VALUE_LIMIT_CHARS).trim()
      if (value.length < PREFIX_CHARS || isOwnValue(value)) continue
      if (source !== 'declared' && !isDistinctive(value)) continue
      const cached = formsByValue.get(value)
      formsByValue.set(value, cached ?? searchFormsOf(value))
      if (!cached) {
        index = undefined
        revision += 1
      }
      hasQuotes ||= /["']/.test(value)
    }
    size = [...formsBySource.values()].reduce((sum, values) => sum + values.size, 0)
  }

  return {
    learn,
    get size() {
      return size
    },
    get revision() {
      return revision
    },
    get hasQuotes() {
      return hasQuotes
    },
    find(text, isAnywhere = false) {
      if (size === 0) return []
      const spans: Span[] = []
      index ??= createFormIndex([...formsBySource.values()].flatMap((forms) => forms.values().flat()))
      const { table, formsByPrefix } = index
      const findCut = createCutFinder(text)
      for (let at = 0; at <= text.length - PREFIX_CHARS; at++) {
        if (table[hashAt(text, at)] === 0) continue
        const candidates = formsByPrefix.get(text.slice(at, at + PREFIX_CHARS))
        if (!candidates) continue
        const form = candidates.find((candidate) => matchesAt(text, at, candidate, isAnywhere))
        const cut = form ? -1 : findCut(at)
        const isCut = cut >= 0 && candidates.some((candidate) => isCutAt(text, at, cut, candidate))
        const end = form ? at + form.text.length : isCut ? cut : at
        if (end === at) continue
        spans.push({ start: at, end })
        at = end - 1
      }
      return spans
    },
  }
}

// --- internal ---

/** The search forms by their first characters; `table` has a 1 at the hash of each. */
interface FormIndex {
  readonly table: Uint8Array
  readonly formsByPrefix: ReadonlyMap<string, SearchForms>
}

function createFormIndex(forms: SearchForms): FormIndex {
  const table = new Uint8Array(HASH_TABLE_SIZE)
  const formsByPrefix = new Map<string, SearchForm[]>()
  for (const form of forms) {
    const prefix = form.text.slice(0, PREFIX_CHARS)
    table[hashAt(form.text, 0)] = 1
    formsByPrefix.set(prefix, [...(formsByPrefix.get(prefix) ?? []), form])
  }
  for (const group of formsByPrefix.values()) group.sort((a, b) => b.text.length - a.text.length)
  return { table, formsByPrefix }
}

const hashAt = (text: string, at: number): number =>
  (Math.imul(text.charCodeAt(at), 31_337) ^
    Math.imul(text.charCodeAt(at + 1), 4_099) ^
    Math.imul(text.charCodeAt(at + 2), 521) ^
    Math.imul(text.charCodeAt(at + 3), 67)) &
  (HASH_TABLE_SIZE - 1)

// The position of the next mark of a text that was cut, or -1; `at` grows from call to call.
function createCutFinder(text: string): (at: number) => number {
  let cut = text.indexOf(CUT_MARK)
  return (at) => {
    if (cut >= 0 && cut < at) cut = text.indexOf(CUT_MARK, at)
    return cut
  }
}

/** Whether the text was cut within this form. */
const isCutAt = (text: string, at: number, cut: number, { text: form, isInsideWords }: SearchForm): boolean =>
  cut - at < form.length &&
  form.startsWith(text.slice(at, cut)) &&
  (isInsideWords || !isSameWord(text[at - 1], form[0]))

function matchesAt(
  text: string,
  at: number,
  { text: form, isInsideWords }: SearchForm,
  isAnywhere: boolean,
): boolean {
  if (!text.startsWith(form, at)) return false
  if (isInsideWords || isAnywhere) return true
  const end = at + form.length
  return !isSameWord(text[at - 1], form[0]) && !isSameWord(form.at(-1), text[end])
}

const isSameWord = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && (asciiWord.test(a) ? asciiWord.test(b) : areWordCharacters(a, b))
const asciiWord = /[A-Za-z0-9]/
const areWordCharacters = (a: string, b: string): boolean =>
  /\p{L}|\p{N}/u.test(a) && /\p{L}|\p{N}/u.test(b) && !asciiWord.test(b)

function searchFormsOf(value: string): SearchForms {
  const isInsideWords = isUnmistakable(value)
  const plainForms = caseFormsOf(value).map((text) => ({ text, isInsideWords }))
  // The encoding of form submissions.
  const formEncoded = /\s/.test(value) ? [{ text: value.replaceAll(' ', '+'), isInsideWords: false }] : []
  return [
    ...plainForms,
    ...formEncoded,
    ...encodedFormsOf(value).map((text) => ({ text, isInsideWords: true })),
  ]
}

// A page may show a value in another case, by `text-transform`.
const caseFormsOf = (value: string): readonly string[] => [
  ...new Set([
    value,
    value.toUpperCase(),
    value.toLowerCase(),
    value.replace(/(?<![\p{L}\p{N}'])\p{L}/gu, (letter) => letter.toUpperCase()),
  ]),
]
