// The functions of a source by their whole text, from the first to the last line: what an edit does to any of it, it does to the function.

import { createBoundedMap } from '../../../core/base/bounded-collections.ts'
import type { FunctionRuns } from '../coverage/counted-script.ts'
import { readStructure } from '../source/source-structure.ts'
import { isComponent, styleBlocksOf } from '../source/style-blocks.ts'
import { type FunctionEntry, splitLines } from './entry.ts'
import { hashText } from './text-hash.ts'

export interface SourceFunctions {
  /** The innermost function, or block of styles, with all these lines; the whole source where none has. */
  around(firstLine: number, lastLine: number): Lines
  /** Whether a function, a statement or an element begins at this place, from 1. */
  startsPart(line: number, column: number): boolean
  /** The hash of the text of lines. */
  textOf(lines: Lines): string
  /** The first lines of the functions with a text, in their order. */
  placesOf(text: string): readonly number[]
}

interface Lines {
  readonly firstLine: number
  readonly lastLine: number
}

/** The last ones are not parsed again: the same source is asked for after each call. */
export function functionsOfSource(file: string, content: string): SourceFunctions {
  const key = `${file}\0${content}`
  const known = sources.get(key) ?? readFunctions(file, content)
  sources.set(key, known)
  return known
}

/** Gives the runs of compiled functions to the functions of their source. */
export function functionEntriesOf(
  functions: readonly FunctionRuns[],
  content: string,
  file: string,
): readonly FunctionEntry[] {
  const { around, textOf, startsPart } = functionsOfSource(file, content)
  const counts = new Map<string, number>()
  return functions.map((runs) => {
    const lines = around(runs.firstLine, runs.lastLine)
    const key = `${lines.firstLine}-${lines.lastLine}`
    const copy = counts.get(key) ?? 0
    counts.set(key, copy + 1)
    const { ran, idle = [] } = runs
    // A line of which a statement or an element did not run has not run.
    const open = new Set(
      idle.flatMap(([line, columns]) => (columns.some((one) => startsPart(line, one)) ? line : [])),
    )
    const partly = runs.partly.filter((line) => !open.has(line))
    const notRun = [...runs.notRun, ...open].toSorted((a, b) => a - b)
    return { ...lines, ran, partly, notRun, text: textOf(lines), ...(copy > 0 && { copy }) }
  })
}

// --- internal ---

const SOURCE_LIMIT = 40
const sources = createBoundedMap<string, SourceFunctions>(SOURCE_LIMIT)

interface FunctionLines extends Lines {
  /** The one around it. */
  readonly outer: FunctionLines | undefined
}

function readFunctions(file: string, content: string): SourceFunctions {
  const texts = splitLines(content)
  const whole = { firstLine: 1, lastLine: texts.length }
  const structure = readStructure(file, texts.join('\n'))
  const parts = structure?.parts ?? []
  const blocks = isComponent(file) ? styleBlocksOf(file, content) : []
  const functions = nestFunctions(
    [...parts.filter(({ kind }) => kind === 'function'), ...blocks].toSorted(
      (a, b) => a.firstLine - b.firstLine,
    ),
  )
  const hashes = new Map<string, string>()
  const textOf = ({ firstLine, lastLine }: Lines): string => {
    const key = `${firstLine}-${lastLine}`
    const hash = hashes.get(key) ?? hashText(texts.slice(firstLine - 1, lastLine).join('\n'))
    hashes.set(key, hash)
    return hash
  }
  let places: ReadonlyMap<string, readonly number[]> | undefined
  return {
    textOf,
    startsPart: (line, column) => structure?.startsPart(line, column) ?? false,
    around(firstLine, lastLine) {
      let inner = lastBefore(functions, firstLine)
      while (inner && inner.lastLine < lastLine) inner = inner.outer
      return inner ? { firstLine: inner.firstLine, lastLine: inner.lastLine } : whole
    },
    placesOf: (text) => (places ??= placesByText(functions, textOf)).get(text) ?? [],
  }
}

/** Outer functions come before those within them. */
function nestFunctions(functions: readonly Lines[]): readonly FunctionLines[] {
  const nested: FunctionLines[] = []
  let outer: FunctionLines | undefined
  for (const { firstLine, lastLine } of functions) {
    while (outer && outer.lastLine < lastLine) outer = outer.outer
    outer = { firstLine, lastLine, outer }
    nested.push(outer)
  }
  return nested
}

/** The last one that begins at a line or before it. */
function lastBefore(functions: readonly FunctionLines[], line: number): FunctionLines | undefined {
  let [low, high] = [-1, functions.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((functions[middle]?.firstLine ?? 0) <= line) low = middle
    else high = middle - 1
  }
  return functions[low]
}

function placesByText(
  functions: readonly Lines[],
  textOf: (lines: Lines) => string,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const lines of functions) {
    const text = textOf(lines)
    const known = places.get(text) ?? []
    places.set(text, known)
    // Several on one line are one place.
    if (known.at(-1) !== lines.firstLine) known.push(lines.firstLine)
  }
  return places
}
