// How many values a JSON text has, counted without parsing it: ten bytes of brackets become a hundred of memory.

const [QUOTE, BACKSLASH] = [34, 92]
/** `,`, `[` and `{`: each begins a value. */
const STARTS: ReadonlySet<number> = new Set([44, 91, 123])

/** Whether the text has at most so many values. Bytes in texts do not count. */
export function hasFewValues(bytes: Uint8Array, limit: number): boolean {
  let count = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (STARTS.has(byte) && (count += 1) > limit) return false
  }
  return true
}

// --- internal ---

function endOfText(bytes: Uint8Array, start: number): number {
  let end = start
  do {
    end = bytes.indexOf(QUOTE, end + 1)
    if (end < 0) return bytes.length
  } while (isEscaped(bytes, end))
  return end
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at
  while (bytes[first - 1] === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}
