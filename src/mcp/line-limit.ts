// Splits a stream into whole lines of a maximum length. A longer line is skipped and reported, as is one that is not accepted; the lines after
// it are passed on.

import { Transform } from 'node:stream'

const NEWLINE = 10

export function limitLines(
  limitBytes: number,
  onLongLine: () => void,
  isAccepted: (line: Buffer) => boolean,
): Transform {
  let parts: Buffer[] = []
  let size = 0
  let isSkipping = false
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from)
        const part = chunk.subarray(from, end < 0 ? chunk.length : end + 1)
        size += part.length
        if (!isSkipping && size > limitBytes) {
          isSkipping = true
          parts = []
          onLongLine()
        }
        if (!isSkipping) parts.push(part)
        if (end < 0) return done()
        const line = isSkipping ? undefined : Buffer.concat(parts)
        if (line && isAccepted(line)) this.push(line)
        parts = []
        size = 0
        isSkipping = false
        from = end + 1
      }
    },
  })
}
