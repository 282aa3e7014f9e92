// Terminal codes in a line of output. A scanner instead of a regular expression, so that the time is linear even with unterminated
// codes.

const ESCAPE = '\u001b'

/** A line without terminal codes, also without a truncated one. Of an unterminated string code only the start is removed. */
export function stripTerminalCodes(line: string): string {
  if (!line.includes(ESCAPE)) return line.replaceAll('\r', '')
  const parts: string[] = []
  for (let at = 0; at < line.length;) {
    const start = line.indexOf(ESCAPE, at)
    parts.push(line.slice(at, start < 0 ? line.length : start))
    if (start < 0) break
    at = findCodeEnd(line, start + 1)
  }
  return parts.join('').replaceAll('\r', '')
}

// --- internal ---

function findCodeEnd(line: string, at: number): number {
  const kind = line[at] ?? ''
  if (kind === '[') {
    const end = skipRange(line, skipRange(line, at + 1, '0', '?'), ' ', '/')
    return skipRange(line, end, '@', '~', 1)
  }
  if (']PX^_'.includes(kind)) return findStringEnd(line, at + 1)
  return skipRange(line, skipRange(line, at, ' ', '/'), '0', '~', 1)
}

// Up to BEL or ESC \. Any other ESC starts a new code, so that no character is scanned twice.
function findStringEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\u0007') return at + 1
    if (line[at] === ESCAPE) return line[at + 1] === '\\' ? at + 2 : from
  }
  return from
}

function skipRange(line: string, from: number, first: string, last: string, maxLength = Infinity): number {
  let at = from
  for (
    let character = line[at];
    at - from < maxLength && character !== undefined && character >= first && character <= last;
    character = line[at]
  )
    at += 1
  return at
}
