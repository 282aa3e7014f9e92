import { closeSync, openSync, readSync } from 'node:fs'
import type { RunEvent } from '../../core/test-run/run-event.ts'

const CHUNK_BYTES = 64 * 1024
const NEWLINE_BYTE = 10

/** Returns a function that reads the events that the file has in addition to those of its last call. */
export function createEventReader(path: string): () => readonly RunEvent[] {
  let position = 0
  let rest = Buffer.alloc(0)
  return () => {
    const bytes = readFrom(path, position)
    position += bytes.length
    const text = Buffer.concat([rest, bytes])
    const end = text.lastIndexOf(NEWLINE_BYTE) + 1
    rest = text.subarray(end)
    return parseJsonLines(text.subarray(0, end).toString('utf8')) as readonly RunEvent[]
  }
}

/** The documents of a text with one on each line; others are left out. */
export function parseJsonLines(text: string): readonly unknown[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return []
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      return []
    }
  })
}

// --- internal ---

// The file is created with its first event.
function readFrom(path: string, position: number): Buffer {
  const chunks: Buffer[] = []
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return Buffer.alloc(0)
  }
  try {
    for (let offset = position; ;) {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      const length = readSync(file, chunk, 0, CHUNK_BYTES, offset)
      if (length === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, length))
      offset += length
    }
  } finally {
    closeSync(file)
  }
}
