// Which changes of a page are only the values that the caller entered itself.

import type { SnapshotLine } from '../snapshot-lines.ts'

/** A line of an element that both snapshots have, with its earlier text. */
export interface ChangedLine {
  readonly line: SnapshotLine
  readonly textBefore: string
}

/** The changes without the fields that have exactly one of these texts as their new value, and without the options that they selected.
 * If more fields than texts have a value, all of them are kept, because the page has copied it. */
export function omitEnteredValues(
  changes: readonly ChangedLine[],
  enteredTexts: readonly string[],
): readonly ChangedLine[] {
  if (enteredTexts.length === 0) return changes
  const enteredCounts = countByValue(enteredTexts.map((text) => text.replace(/\s+/g, ' ').trim()))
  const values = changes.map((change) => newValueOf(change, [...enteredCounts.keys()]))
  const changeCounts = countByValue(values)
  const isEntered = values.map(
    (value) => value !== undefined && (changeCounts.get(value) ?? 0) <= (enteredCounts.get(value) ?? 0),
  )
  const hasSelected = changes.some(({ line }, index) => isEntered[index] && line.role === 'option')
  return changes.filter((change, index) => !isEntered[index] && !(hasSelected && isDeselected(change)))
}

// --- internal ---

function countByValue(values: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const newValueOf = (change: ChangedLine, values: readonly string[]): string | undefined =>
  values.find((value) => hasBecome(change, value))

function hasBecome({ line, textBefore }: ChangedLine, value: string): boolean {
  if (line.role === 'option') return line.name === value && line.text === `${textBefore} selected`
  const label = line.text.slice(0, -value.length - 2)
  return (
    line.isControl === true &&
    line.text === `${label}: ${value}` &&
    (textBefore === label || textBefore.startsWith(`${label}: `))
  )
}

const isDeselected = ({ line, textBefore }: ChangedLine): boolean =>
  line.role === 'option' && textBefore === `${line.text} selected`
