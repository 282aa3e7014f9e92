// Positions in scripts of a page, as stacks and console locations have them, and their replacement by positions in source files.

import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { SourcePosition } from '../../core/sessions/types/sources.ts'

/** A position in a script as the browser loaded it; line and column count from 1. */
export interface ScriptPosition {
  readonly url: string
  readonly line: number
  readonly column: number
}

type FindSource = (position: ScriptPosition) => SourcePosition | undefined

/** `src/app.tsx:41` */
export const formatSource = ({ file, line }: SourcePosition): string => `${file}:${line}`

/** The positions of a text, in their order. Only the first `limit` are returned. */
export function findPositions(text: string, limit = POSITION_LIMIT): readonly ScriptPosition[] {
  const positions: ScriptPosition[] = []
  for (const match of text.matchAll(POSITION)) {
    if (positions.length >= limit) break
    positions.push(positionOf(match[2] ?? '', match[3], match[4]))
  }
  return positions
}

/** The text with the source position of each position that has one. Frames of Firefox get the form of V8, because `name@src/app.ts:41`
 * would not be recognized as a frame. */
export const replacePositions = (text: string, find: FindSource): string =>
  text.replace(POSITION, (match, name: string | undefined, url: string, line: string, column: string) => {
    const source = find(positionOf(url, line, column))
    if (!source) return match
    const location = formatSource(source)
    return name === undefined ? location : `at ${name.slice(0, -1) || '<anonymous>'} (${location})`
  })

/** The script positions of a console entry: the location first, then those of its stacks. */
export function positionsOfEntry({
  text,
  data,
}: Omit<JournalEntry, 'seq' | 'at'>): readonly ScriptPosition[] {
  const location = scriptLocationOf(data)
  const stack = typeof data?.['stack'] === 'string' ? data['stack'] : ''
  return [...(location ? [location] : []), ...findPositions(text), ...findPositions(stack)]
}

/** The console entry with source positions in its text, message, location and stack; the same record if there is none. */
export function replaceEntryPositions(entry: JournalEntry, find: FindSource): JournalEntry {
  const { text, message, data } = entry
  const location = scriptLocationOf(data)
  const source = location && find(location)
  const suffix = location ? ` (${location.url}:${location.line})` : ''
  const textWithLocation =
    source && text.endsWith(suffix) ? `${text.slice(0, -suffix.length)} (${formatSource(source)})` : text
  const stack = data?.['stack']
  const changed = {
    text: replacePositions(textWithLocation, find),
    ...(message !== undefined && { message: replacePositions(message, find) }),
    ...(data && {
      data: {
        ...data,
        ...(source && { location: { file: source.file, line: source.line, column: source.column } }),
        ...(typeof stack === 'string' && { stack: replacePositions(stack, find) }),
      },
    }),
  }
  const isSame =
    !source && changed.text === text && changed.message === message && changed.data?.['stack'] === stack
  return isSame ? entry : { ...entry, ...changed }
}

const POSITION_LIMIT = 20

// An optional name of a function as in the stacks of Firefox, a URL that may contain parentheses, a line and a column.
const POSITION =
  /((?<=^|\n)[^\s@():]{0,200}@)?((?:https?|webpack(?:-internal)?|file|about|rsc):\/\/[^\s'"<>`]{1,2000}?):(\d{1,9}):(\d{1,9})(?![\d:])/g

const positionOf = (url: string, line: string | undefined, column: string | undefined): ScriptPosition => ({
  url,
  line: Number(line),
  column: Number(column),
})

function scriptLocationOf(data: JournalEntry['data']): ScriptPosition | undefined {
  const location = data?.['location'] as Partial<ScriptPosition> | undefined
  const { url, line, column } = location ?? {}
  return url !== undefined && line !== undefined && column !== undefined ? { url, line, column } : undefined
}

// The line of an old text in the current one. Frameworks keep the position that an element had when it was made, also after an edit that the
// page has applied without loading again.
/** The line, counted from 1, that a line of `previous` has in `current`; undefined if that is not certain. */
export function findCurrentLine(previous: string, current: string, line: number): number | undefined {
  if (previous === current) return line
  const [oldLines, newLines] = [linesOf(previous), linesOf(current)]
  const text = oldLines[line - 1]
  if (text === undefined) return undefined
  const sharedCount = Math.min(oldLines.length, newLines.length)
  let prefix = 0
  while (prefix < sharedCount && oldLines[prefix] === newLines[prefix]) prefix += 1
  if (line <= prefix) return line
  let suffix = 0
  while (suffix < sharedCount - prefix && oldLines.at(-1 - suffix) === newLines.at(-1 - suffix)) suffix += 1
  if (line > oldLines.length - suffix) return line + newLines.length - oldLines.length
  return countOf(oldLines, text) === 1 && countOf(newLines, text) === 1
    ? newLines.indexOf(text) + 1
    : undefined
}

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/)

const countOf = (lines: readonly string[], text: string): number =>
  lines.filter((line) => line === text).length
