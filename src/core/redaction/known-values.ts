// Values that are known to be secrets, found in any text and in any encoding. A text is looked through once, however many values there
// are: a table of the first four characters says where a closer look is worth it.

import { createBoundedMap, type BoundedMap } from '../limits/bounded-map.ts'
import { encodedFormsOf } from './encodings.ts'
import { isDistinctive, isUnmistakable } from './secret-values.ts'
import type { Span } from './spans.ts'

/** Where a value is known from. Each has room of its own, so that many of one kind do not push out another. */
export type SecretSource = 'declared' | 'typed' | 'field' | 'stored'

export interface KnownValues {
  /** Remembers values; those that are too short or too ordinary to be looked for are left out, unless the user declared them. */
  learn(source: SecretSource, values: readonly string[]): void
  /** Where they stand in `text`, as whole tokens. */
  find(text: string): Span[]
  readonly size: number
  /** Whether a value holds a quote, which some languages write twice. */
  readonly hasQuotes: boolean
}

const VALUE_LIMITS: Record<SecretSource, number> = { declared: 1000, typed: 300, field: 300, stored: 300 }
const VALUE_LIMIT_CHARS = 20_000
const PREFIX_CHARS = 4
const HASH_TABLE_SIZE = 65_536

interface SearchForm {
  readonly text: string
  /** Whether it counts inside longer words too. */
  readonly insideWords: boolean
}

export function createKnownValues(isOurs: (value: string) => boolean): KnownValues {
  const rooms = new Map<SecretSource, BoundedMap<string, readonly SearchForm[]>>()
  let table: Uint8Array | undefined
  let heads = new Map<string, SearchForm[]>()
  let size = 0
  let hasQuotes = false

  function learn(source: SecretSource, values: readonly string[]): void {
    const room = rooms.get(source) ?? createBoundedMap<string, readonly SearchForm[]>(VALUE_LIMITS[source])
    rooms.set(source, room)
    for (const given of values) {
      const value = given.slice(0, VALUE_LIMIT_CHARS).trim()
      if (value.length < PREFIX_CHARS || isOurs(value)) continue
      if (source !== 'declared' && !isDistinctive(value)) continue
      const known = room.get(value)
      room.set(value, known ?? searchFormsOf(value))
      if (!known) table = undefined
      hasQuotes ||= /["']/.test(value)
    }
    size = [...rooms.values()].reduce((sum, { size: one }) => sum + one, 0)
  }

  function index(): Uint8Array {
    if (table) return table
    table = new Uint8Array(HASH_TABLE_SIZE)
    heads = new Map()
    for (const room of rooms.values())
      for (const form of [...room.values()].flat()) {
        const head = form.text.slice(0, PREFIX_CHARS)
        table[hashAt(form.text, 0)] = 1
        heads.set(head, [...(heads.get(head) ?? []), form])
      }
    for (const forms of heads.values()) forms.sort((a, b) => b.text.length - a.text.length)
    return table
  }

  return {
    learn,
    get size() {
      return size
    },
    get hasQuotes() {
      return hasQuotes
    },
    find(text) {
      if (size === 0) return []
      const spans: Span[] = []
      const marked = index()
      for (let at = 0; at <= text.length - PREFIX_CHARS; at++) {
        if (marked[hashAt(text, at)] === 0) continue
        const form = heads.get(text.slice(at, at + PREFIX_CHARS))?.find((one) => matchesAt(text, at, one))
        if (!form) continue
        spans.push({ start: at, end: at + form.text.length })
        at += form.text.length - 1
      }
      return spans
    },
  }
}

// --- internal ---

const hashAt = (text: string, at: number): number =>
  (Math.imul(text.charCodeAt(at), 31_337) ^
    Math.imul(text.charCodeAt(at + 1), 4_099) ^
    Math.imul(text.charCodeAt(at + 2), 521) ^
    Math.imul(text.charCodeAt(at + 3), 67)) &
  (HASH_TABLE_SIZE - 1)

function matchesAt(text: string, at: number, { text: form, insideWords }: SearchForm): boolean {
  if (!text.startsWith(form, at)) return false
  if (insideWords) return true
  const end = at + form.length
  return !isSameWord(text[at - 1], form[0]) && !isSameWord(form.at(-1), text[end])
}

const isSameWord = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && (asciiWord.test(a) ? asciiWord.test(b) : areWordCharacters(a, b))
const asciiWord = /[A-Za-z0-9]/
const areWordCharacters = (a: string, b: string): boolean =>
  /\p{L}|\p{N}/u.test(a) && /\p{L}|\p{N}/u.test(b) && !asciiWord.test(b)

function searchFormsOf(value: string): readonly SearchForm[] {
  const plain = { text: value, insideWords: isUnmistakable(value) }
  // As forms send it.
  const joinedWords = /\s/.test(value) ? [{ text: value.replaceAll(' ', '+'), insideWords: false }] : []
  return [plain, ...joinedWords, ...encodedFormsOf(value).map((text) => ({ text, insideWords: true }))]
}
