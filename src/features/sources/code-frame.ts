// The lines of a source file around a position.

import { clip } from '../../core/base/text/clip.ts'

const LINE_LIMIT_CHARS = 160
const CONTEXT_LINES = 1
/** Lines before and after the frame that are redacted with it, because a secret may span several lines. */
const MARGIN_LINES = 40

/** Three lines around a line, which has a `>`; redacted before they are cut. Empty if the source has no such line. */
export function createCodeFrame(
  content: string,
  line: number,
  redact: (text: string) => string,
): readonly string[] {
  const first = Math.max(1, line - MARGIN_LINES)
  const window = linesBetween(content, first, line + MARGIN_LINES)
  const redacted = redact(window.join('\n')).split('\n')
  if (redacted.length !== window.length || line < 1 || line >= first + window.length) return []
  return redacted.flatMap((text, index) => {
    const number = first + index
    if (Math.abs(number - line) > CONTEXT_LINES) return []
    return [`${number}${number === line ? '>' : ' '} ${clip(text.trimEnd(), LINE_LIMIT_CHARS)}`]
  })
}

// --- internal ---

function linesBetween(content: string, first: number, last: number): readonly string[] {
  const lines: string[] = []
  let start = 0
  for (let number = 1; number <= last && start <= content.length; number += 1) {
    const end = content.indexOf('\n', start)
    const lineEnd = end < 0 ? content.length : end
    if (number >= first) lines.push(content.slice(start, lineEnd))
    start = lineEnd + 1
  }
  return lines
}
