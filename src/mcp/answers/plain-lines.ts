// Data as plain lines: shorter than JSON, because nothing is quoted and empty fields are left out. A line may be a text of several lines:
// all but its first one are indented where the answer is put together, so that a page cannot begin a line of the answer.

import { showPageText } from '../../core/text/page-text.ts'

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

// --- internal ---

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
