// Lines of JSON from another process. However much comes, from however many streams, each turn of the loop reads for some milliseconds only:
// meanwhile the streams wait, and with them their writers.

import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers'
import { hasFewValues } from '../text/json-size.ts'
import { parseJson } from '../text/json.ts'
import { createLineReader } from '../text/line-reader.ts'

export type JsonLine =
  | { readonly value: unknown; readonly size: number }
  /** A line that is too long is reported as soon as that is known. */
  | { readonly problem: 'too long' | 'not JSON' }

export interface LineLimits {
  readonly bytes: number
  /** Ten bytes of brackets become a hundred of memory. */
  readonly values?: number
}

export const formatJsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

/** Reads from a stream. Empty lines, and a line without an end, are none. */
export function readJsonLines(input: Readable, limits: LineLimits, onLine: (line: JsonLine) => void): void {
  const read = createJsonReader(limits, (line) => input.destroyed || onLine(line))
  const take = () => {
    for (let chunk: Buffer | null; hasTime() && (chunk = input.read() as Buffer | null) !== null;) read(chunk)
    if (!hasTime()) waiting.add(take)
  }
  input.on('readable', take)
}

/** Reads chunks, each at once. */
export const createJsonReader = (
  { bytes, values = Infinity }: LineLimits,
  onLine: (line: JsonLine) => void,
): ((chunk: Buffer) => void) =>
  createLineReader(bytes, (line) => {
    const isShort = line && (line.length <= values || hasFewValues(line, values))
    if (!isShort) return onLine({ problem: 'too long' })
    const text = line.toString('utf8').trim()
    if (text === '') return
    const value = parseJson(text)
    onLine(value === undefined ? { problem: 'not JSON' } : { value, size: line.length })
  })

// --- internal ---

const SLICE_MS = 10

let sliceEnd: number | undefined
const waiting = new Set<() => void>()

/** Whether this turn of the loop may read on. */
function hasTime(): boolean {
  if (sliceEnd === undefined) {
    sliceEnd = performance.now() + SLICE_MS
    setImmediate(readNext)
  }
  return performance.now() < sliceEnd
}

function readNext(): void {
  sliceEnd = undefined
  for (const take of waiting) {
    if (!hasTime()) return
    waiting.delete(take)
    take()
  }
}
