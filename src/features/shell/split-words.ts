import { err, ok, type Result } from '../../core/base/result.ts'

/** The words of a line, as a POSIX shell splits it: quotes keep spaces, a backslash keeps the character after it. Nothing is expanded. A
 * locator expression is one word as it stands, because its quotes belong to it. */
export function splitWords(line: string): Result<readonly string[], string> {
  const words: string[] = []
  for (const [word] of line.matchAll(WORD)) {
    if (/^['"]/.test(word) && word.length === 1) return err(`a quote ${word} has no end.`)
    words.push(LOCATOR_START.test(word) ? word : word.replace(PART, readPart))
  }
  return ok(words)
}

// --- internal ---

const LOCATOR_START = /^(?:page\.)?(?:getBy[A-Z]\w*|locator|frameLocator)\(/
const LOCATOR =
  /(?:page\.)?(?:getBy[A-Z]\w*|locator|frameLocator)(?:\.?\w*\((?:[^()'"]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\((?:[^()'"]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")*\))*\))+(?=\s|$)/
const WORD = new RegExp(
  `(?<!\\S)${LOCATOR.source}|${/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+|\S/.source}`,
  'gs',
)
const PART = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs

const readPart = (_: string, literal?: string, quoted?: string, escaped?: string): string =>
  literal ?? quoted?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? ''
