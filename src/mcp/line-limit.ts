// Whole lines only, none longer than a limit: one that is too long is left out, told, and what comes after it is read as ever.

import { Transform } from 'node:stream'

const NEWLINE = 10

export function limitLineLength(longest: number, tooLong: () => void): Transform {
  let parts: Buffer[] = []
  let size = 0
  let skipping = false
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from)
        const part = chunk.subarray(from, end < 0 ? chunk.length : end + 1)
        size += part.length
        if (!skipping && size > longest) {
          skipping = true
          parts = []
          tooLong()
        }
        if (!skipping) parts.push(part)
        if (end < 0) return done()
        if (!skipping) this.push(Buffer.concat(parts))
        parts = []
        size = 0
        skipping = false
        from = end + 1
      }
    },
  })
}
