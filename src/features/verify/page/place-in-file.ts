// What a map names as the text of a file is not always that of the file: a plugin may have added to it, or taken from it, before the map was made.

import { diffArrays } from 'diff'
import type { FunctionRuns } from '../coverage/counted-script.ts'
import { splitLines } from '../ledger/entry.ts'
import { isComponent, styleBlocksOf } from '../source/style-blocks.ts'

interface PlacedRuns {
  readonly text: string
  readonly moved: readonly FunctionRuns[]
}

/** The runs by the lines of the file on the disk, if that differs from `text` in blank lines and in blocks of styles alone, which the map of a
 * script does not show. Undefined for another version. */
export function placeInFile(
  file: string,
  disk: string,
  text: string,
  functions: readonly FunctionRuns[],
): PlacedRuns | undefined {
  const [mapped, own] = [text, disk].map(splitLines) as [string[], string[]]
  const changes = diffArrays(mapped, own, { maxEditLength: EDIT_LIMIT_LINES })
  if (!changes) return undefined
  const [isIdle, isIdleNow] = [createIdleCheck(file, text), createIdleCheck(file, disk)]
  const places = new Map<number, number>()
  let [from, to] = [1, 1]
  for (const { added, removed, count } of changes) {
    for (let index = 0; index < count; index += 1) {
      if (added ? !isIdleNow(to + index) : removed && !isIdle(from + index)) return undefined
      if (!added && !removed) places.set(from + index, to + index)
    }
    if (!added) from += count
    if (!removed) to += count
  }
  const moved = functions.map((runs) => moveRuns(runs, places))
  return moved.includes(undefined)
    ? undefined
    : { text: disk, moved: moved.filter((runs) => runs !== undefined) }
}

// --- internal ---

const EDIT_LIMIT_LINES = 1000

/** Whether a line is blank, or of a block of styles. */
function createIdleCheck(file: string, content: string): (line: number) => boolean {
  const texts = splitLines(content)
  const blocks = isComponent(file) ? styleBlocksOf(file, content) : []
  return (line) =>
    texts[line - 1]?.trim() === '' ||
    blocks.some(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine)
}

function moveRuns(runs: FunctionRuns, places: ReadonlyMap<number, number>): FunctionRuns | undefined {
  const move = (lines: readonly number[]) => lines.map((line) => places.get(line) ?? 0)
  const moved = { ran: move(runs.ran), partly: move(runs.partly), notRun: move(runs.notRun) }
  const lines = [...moved.ran, ...moved.partly, ...moved.notRun]
  if (lines.includes(0)) return undefined
  return { ...moved, firstLine: Math.min(...lines), lastLine: Math.max(...lines) }
}
