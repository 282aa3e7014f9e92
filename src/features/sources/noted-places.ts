// The places that a compiler wrote into a script for its elements, and whether it counted them in the file. One that ran after another tool counted in
// what that tool made: behind a header of its own, or without the types.

import { columnsOf } from './written-tag.ts'

/** A place as the framework notes it on the element, counted from 1, and the index in the script where it is written. */
export interface NotedPlace {
  readonly line: number
  readonly column: number
  readonly index: number
}

export const findNotes = (script: string): readonly NotedPlace[] => [
  ...matchNotes(script, JSX_NOTE, 0, 0),
  ...matchNotes(script, SVELTE_4_NOTE, 1, 1),
  ...[...script.matchAll(SVELTE_5_NOTES)].flatMap((match) =>
    matchNotes(match[0], SVELTE_5_NOTE, 0, 1, match.index),
  ),
]

/** How many lines lie between the places of all notes and the tags of a file: 0 if all notes are right; undefined if that is not certain. */
export function findShift(notes: readonly NotedPlace[], source: string): number | undefined {
  const [first] = notes
  if (!first) return undefined
  const lines = source.split('\n')
  const isTag = ({ line, column }: NotedPlace, shift: number) => {
    const text = lines[line + shift - 1]
    return text !== undefined && columnsOf(text, column).some((one) => TAG.test(text.slice(one - 1)))
  }
  const fits = (shift: number) => notes.every((note) => isTag(note, shift))
  if (fits(0)) return 0
  const shifts = lines.map((_, index) => index + 1 - first.line).filter(fits)
  return shifts.length === 1 ? shifts[0] : undefined
}

// --- internal ---

const JSX_NOTE = /\blineNumber:\s*(\d+),\s*columnNumber:\s*(\d+)/g
const SVELTE_4_NOTE = /\badd_location\([\w$]+, [\w$]+, (\d+), (\d+),/g
const SVELTE_5_NOTES = /\[\$\.FILENAME\],\s*\[\[[\d,\s[\]]*\]/g
const SVELTE_5_NOTE = /\[(\d+),\s*(\d+)/g
const TAG = /^<(?!script\b|style\b)[\w$>]/

const matchNotes = (
  text: string,
  pattern: RegExp,
  moreLines: number,
  moreColumns: number,
  offset = 0,
): NotedPlace[] =>
  [...text.matchAll(pattern)].map(({ 1: line, 2: column, index }) => ({
    line: Number(line) + moreLines,
    column: Number(column) + moreColumns,
    index: offset + index,
  }))
