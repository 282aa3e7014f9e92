// Lines of JSON from another process. However much comes, from however many streams, each turn of the loop reads for some milliseconds only:
// meanwhile the streams wait, and with them their writers.

import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers'
import { parseJson } from '../text/json.ts'
import { createLineReader } from '../text/line-reader.ts'

export type JsonLine =
  | { readonly value: unknown; readonly size: number }
  /** A line that is too long is reported as soon as that is known. */
  | { readonly problem: 'too long' | 'not JSON' }

export const formatJsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

/** Reads from a stream. Empty lines, and a line without an end, are none. */
export function readJsonLines(input: Readable, limitBytes: number, onLine: (line: JsonLine) => void): void {
  const read = createJsonReader(limitBytes, (line) => input.destroyed || onLine(line))
  const take = () => {
    for (let chunk: Buffer | null; hasTime() && (chunk = input.read() as Buffer | null) !== null;) read(chunk)
    if (!hasTime()) waiting.add(take)
  }
  input.on('readable', take)
}

/** Reads chunks, each at once. */
export const createJsonReader = (
  limitBytes: number,
  onLine: (line: JsonLine) => void,
): ((chunk: Buffer) => void) =>
  createLineReader(limitBytes, (line) => {
    const text = line?.toString('utf8').trim()
    if (line && text === '') return
    const value = text === undefined ? undefined : parseJson(text)
    if (value !== undefined) onLine({ value, size: line?.length ?? 0 })
    else onLine({ problem: line ? 'not JSON' : 'too long' })
  })

// --- internal ---

const SLICE_MS = 10

let sliceEnd: number | undefined
const waiting = new Set<() => void>()

/** Whether this turn of the loop may read on. */
function hasTime(): boolean {
  if (sliceEnd === undefined) {
    sliceEnd = performance.now() + SLICE_MS
    setImmediate(takeTurn)
  }
  return performance.now() < sliceEnd
}

function takeTurn(): void {
  sliceEnd = undefined
  for (const take of waiting) {
    if (!hasTime()) return
    waiting.delete(take)
    take()
  }
}
