/** Tells texts apart: 106 bits, for texts that nobody makes to deceive. Line endings and a byte order mark do not count. */
export function hashText(text: string): string {
  const normal = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return hashWith(normal, 0) + hashWith(normal, 0x9e3779b9)
}

// --- internal ---

// cyrb53, public domain.
function hashWith(text: string, seed: number): string {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}
