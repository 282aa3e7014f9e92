// What a map names as the text of a file is not always that of the file: a plugin may have added to it, or taken from it, before the map was made.

import type { FunctionRuns } from '../coverage/counted-script.ts'
import { splitLines } from '../ledger/entry.ts'
import { isComponent, styleBlocksOf } from '../source/style-blocks.ts'

interface PlacedRuns {
  readonly text: string
  readonly functions: readonly FunctionRuns[]
}

/** The runs by the lines of the file on the disk, if that differs from `text` in blank lines and in blocks of styles alone, which the map of a
 * script does not show. Undefined for another version. */
export function placeInFile(
  file: string,
  disk: string,
  text: string,
  functions: readonly FunctionRuns[],
): PlacedRuns | undefined {
  const [mapped, own] = [text, disk].map((one) => shownLines(file, one)) as [ShownLine[], ShownLine[]]
  if (mapped.length !== own.length) return undefined
  const lines = new Map<number, number>()
  for (const [index, { line, text: words }] of mapped.entries()) {
    const other = own[index]
    if (!other || other.text !== words) return undefined
    lines.set(line, other.line)
  }
  const moved = functions.map((runs) => moveRuns(runs, lines))
  return { text: disk, functions: moved.filter((runs) => runs !== undefined) }
}

// --- internal ---

interface ShownLine {
  readonly line: number
  readonly text: string
}

function shownLines(file: string, content: string): ShownLine[] {
  const blocks = isComponent(file) ? styleBlocksOf(file, content) : []
  const isStyle = (line: number) =>
    blocks.some(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine)
  return splitLines(content).flatMap((text, index) =>
    text.trim() === '' || isStyle(index + 1) ? [] : { line: index + 1, text },
  )
}

function moveRuns(runs: FunctionRuns, lines: ReadonlyMap<number, number>): FunctionRuns | undefined {
  const move = (own: readonly number[]) => own.flatMap((line) => lines.get(line) ?? [])
  const moved = { ran: move(runs.ran), partly: move(runs.partly), notRun: move(runs.notRun) }
  const all = [...moved.ran, ...moved.partly, ...moved.notRun].sort((a, b) => a - b)
  const [firstLine, lastLine] = [all[0], all.at(-1)]
  return firstLine === undefined || lastLine === undefined ? undefined : { ...moved, firstLine, lastLine }
}
