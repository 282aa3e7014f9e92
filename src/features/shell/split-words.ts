import { err, ok, type Result } from '../../core/base/result.ts'

/** The words of a line, as a POSIX shell splits it: quotes keep spaces, a backslash keeps the character after it. Nothing is expanded. */
export function splitWords(line: string): Result<readonly string[], string> {
  const words: string[] = []
  for (const [word] of line.matchAll(WORD)) {
    if (/^['"]/.test(word) && word.length === 1) return err(`a quote ${word} has no end.`)
    words.push(word.replace(PART, readPart))
  }
  return ok(words)
}

// --- internal ---

const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+|\S/gs
const PART = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs

const readPart = (_: string, literal?: string, quoted?: string, escaped?: string): string =>
  literal ?? quoted?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? ''
