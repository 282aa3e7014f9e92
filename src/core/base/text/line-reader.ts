const NEWLINE = 10

/** Splits bytes into lines, without their ends. One of more than `limitBytes` is not kept: it is undefined. */
export function createLineReader(
  limitBytes: number,
  onLine: (line: Buffer | undefined) => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let size = 0
  return (chunk) => {
    for (let from = 0; ;) {
      const end = chunk.indexOf(NEWLINE, from)
      const part = chunk.subarray(from, end < 0 ? chunk.length : end)
      const isLong = size > limitBytes
      size += part.length
      if (size <= limitBytes) parts.push(part)
      else if (!isLong) {
        parts = []
        onLine(undefined)
      }
      if (end < 0) return
      const line = size <= limitBytes ? Buffer.concat(parts) : undefined
      parts = []
      size = 0
      from = end + 1
      if (line) onLine(line)
    }
  }
}
