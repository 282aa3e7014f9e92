// Data as plain lines: shorter than JSON, because nothing is quoted and empty fields are left out. A line may be a text of several lines:
// all but its first one are indented where the answer is put together, so that a page cannot begin a line of the answer.

import { showPageText } from '../base/text/invisible-characters.ts'
import { parseUrl } from '../base/text/parse-url.ts'

export type Data = Readonly<Record<string, unknown>>

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** A duration as a person says it: `12 ms`, `1.5 s`, `12 min`. */
export function durationText(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`
  if (ms < MINUTE_MS) return `${Number((ms / SECOND_MS).toFixed(1))} s`
  return `${Math.round(ms / MINUTE_MS)} min`
}

/** A field as `name: value`; lists and records over several lines, indented. Nothing if the field is empty. */
export function linesOfField(name: string, value: unknown): readonly string[] {
  if (isEmpty(value)) return []
  if (Array.isArray(value)) return linesOfList(name, value)
  if (typeof value === 'object') return linesOfRecord(name, value as Data)
  const text = typeof value === 'number' ? String(roundNumber(value)) : String(value)
  if (value === true) return [name]
  return text.includes('\n') ? [`${name}:`, ...blockLines(text)] : [`${name}: ${text}`]
}

/** The lines of a text of a page that begins a line. */
export const blockLines = (text: string): readonly string[] => showPageText(text, 'indented').split('\n')

/** The page of an answer. Its title is last, where it cannot be read as the URL. */
export const pageLineOf = ({ url, title }: Data): string => `page: ${[url, title].filter(Boolean).join(' ')}`

/** What came before a call, which is none of its effects. */
export const sinceLinesOf = (changes: string): readonly string[] => [
  'since then:',
  ...indent(changes.split('\n')),
]

/** Lines one level deeper. */
export const indent = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => continueLine(line).split('\n')).map((line) => ` ${line}`)

/** The lines of an answer as its text. */
export const joinLines = (lines: readonly string[]): string => lines.map(continueLine).join('\n')

/** Whether a field tells nothing: missing, false, or without content. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

// Deeper than the line itself, which may be indented already.
const continueLine = (line: string): string =>
  showPageText(line, 'continued').replaceAll('\n', `\n${/^ */.exec(line)?.[0] ?? ''}`)

function linesOfList(name: string, list: readonly unknown[]): readonly string[] {
  const texts = list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
  const isShort = texts.every((text) => /^[^\s,]{1,40}$/.test(text))
  return isShort ? [`${name}: ${texts.join(', ')}`] : [`${name}:`, ...indent(texts)]
}

function linesOfRecord(name: string, record: Data): readonly string[] {
  const lines = Object.entries(record).flatMap(([key, item]) => linesOfField(key, item))
  return lines.length === 0 ? [] : [`${name}:`, ...indent(lines)]
}

const roundNumber = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(3))

const SHORT_VALUE_LIMIT_CHARS = 4000
const LIST_LIMIT = 50
/** More than a tool has. */
const FIELD_LIMIT = 100

/** The fields of an input that a result could repeat: short texts, numbers and lists of them. An input may be of any size and depth. */
export const repeatableFieldsOf = (input: Data): Data =>
  Object.fromEntries(
    Object.entries(input)
      .slice(0, FIELD_LIMIT)
      .filter(([, value]) =>
        Array.isArray(value) ? value.length <= LIST_LIMIT && value.every(isShortValue) : isShortValue(value),
      ),
  )

/** Whether the caller sent this value: the same data, or another spelling of the same URL. */
export function isEcho(value: unknown, sent: unknown): boolean {
  if (value === undefined || sent === undefined) return false
  if (JSON.stringify(value) === JSON.stringify(sent)) return true
  return typeof value === 'string' && typeof sent === 'string' && parseUrl(sent)?.href === value
}

const isShortValue = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= SHORT_VALUE_LIMIT_CHARS : typeof value !== 'object'
