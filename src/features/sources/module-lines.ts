// The lines of a module that webpack evaluates without a source map, and those of its file. webpack puts lines in front of a module and
// rewrites what it imports and exports; the other lines stay as they are.

import { parseJson } from '../../core/base/text/json.ts'

/** The code of a module in a bundle where webpack evaluates it from a string; `url` is the name that the module has in stacks. */
export function findModuleCode(bundle: string, url: string): string | undefined {
  const nameStart = bundle.indexOf(`//# sourceURL=${url}\\n`)
  const callStart = nameStart < 0 ? -1 : bundle.lastIndexOf('eval(', nameStart)
  const start = callStart < 0 ? -1 : bundle.indexOf('"', callStart)
  const end = start < 0 ? -1 : bundle.indexOf('")', nameStart)
  if (start > nameStart || end < 0 || end - start > CODE_LIMIT_CHARS) return undefined
  return parseText(bundle.slice(start, end + 1))
}

/** The line of a file, counted from 1, that a line of its module is; undefined if that is not certain. */
export function findSourceLine(code: string, source: string, line: number): number | undefined {
  const [codeLines, sourceLines] = [code, source].map((text) => text.split(/\r?\n/).map(normalize)) as [
    string[],
    string[],
  ]
  const text = codeLines[line - 1]
  if (!text) return undefined
  const isLine = (number: number) => sourceLines[number - 1] === text
  const offset = findOffset(codeLines, sourceLines)
  if (offset !== undefined && isLine(line - offset)) return line - offset
  const isOnly = (lines: readonly string[]) => lines.indexOf(text) === lines.lastIndexOf(text)
  const index = sourceLines.indexOf(text)
  return index >= 0 && isOnly(sourceLines) && isOnly(codeLines) ? index + 1 : undefined
}

// --- internal ---

const CODE_LIMIT_CHARS = 2_000_000
const OFFSET_LIMIT_LINES = 200

function parseText(literal: string): string | undefined {
  const text = parseJson(literal)
  return typeof text === 'string' ? text : undefined
}

// The text of a line without what webpack changes in it.
const normalize = (line: string): string =>
  line
    .replace(/\(0,\s*\w+__WEBPACK_IMPORTED_MODULE_\d+__\.(\w+)\)/g, '$1')
    .replace(/\b\w+__WEBPACK_IMPORTED_MODULE_\d+__\.(\w+)/g, '$1')
    .replace(/^\s*export (default )?/, '')
    .trim()

// How many lines are in front of the module, if most lines of the file follow after those.
function findOffset(codeLines: readonly string[], sourceLines: readonly string[]): number | undefined {
  const lineCount = sourceLines.filter(Boolean).length
  const limit = Math.min(OFFSET_LIMIT_LINES, codeLines.length)
  for (let offset = 0; offset < limit; offset += 1) {
    const sameCount = sourceLines.filter((text, index) => text && codeLines[index + offset] === text).length
    if (sameCount * 2 > lineCount) return offset
  }
  return undefined
}
