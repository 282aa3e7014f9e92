const MARKS = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const

/** The text without its mark of byte order; undefined for what is none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0]
  if (encoding === undefined && bytes.includes(0)) return undefined
  return new TextDecoder(encoding).decode(bytes)
}
