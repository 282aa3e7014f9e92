// The joined lines of a snapshot as one line for each element, as templates need them.

import type { ExpectedLine } from '../../checks/find-lines.ts'

/** The lines; a row is followed by its cells, and controls that share a line have one each. What a joined line leaves out stays out. */
export const expandLines = (lines: readonly ExpectedLine[]): readonly ExpectedLine[] =>
  lines.flatMap((line) => expandRow(line) ?? expandSiblings(line))

// --- internal ---

const cellRole = /^(?:cell|gridcell|columnheader|rowheader)\b/
const element = /^[a-z]+ "/

function expandRow({ depth, text }: ExpectedLine): readonly ExpectedLine[] | undefined {
  const [, row, role = 'cell', cells] = /^(row(?: \w+(?:=\w+)?)*?)(?: of (\w+)s)?: (.*\|.*)$/.exec(text) ?? []
  if (row === undefined || cells === undefined) return undefined
  const line = (level: number, content: string): ExpectedLine => ({ depth: depth + level, text: content })
  const expandCell = (cell: string): readonly ExpectedLine[] => {
    const [first = '', ...others] = splitOutsideQuotes(cell, /; /)
    const pieces = [first, ...others].filter((piece) => piece !== '')
    if (pieces.length === 0) return []
    if (cellRole.test(first)) return [line(1, first), ...others.map((piece) => line(2, lineOfPiece(piece)))]
    if (others.length === 0 && !element.test(first))
      return [line(1, `${role} ${JSON.stringify(unquote(first))}`)]
    return [line(1, role), ...pieces.map((piece) => line(2, lineOfPiece(piece)))]
  }
  return [line(0, row), ...splitOutsideQuotes(cells, / ?\| ?/).flatMap(expandCell)]
}

function expandSiblings({ depth, text }: ExpectedLine): readonly ExpectedLine[] {
  const [role] = text.split(' ', 1)
  const [first = '', ...others] = splitOutsideQuotes(text, /, /)
  if (others.length === 0 || !others.every((other) => other.startsWith('"'))) return [{ depth, text }]
  return [first, ...others.map((other) => `${role} ${other}`)].map((content) => ({ depth, text: content }))
}

const lineOfPiece = (piece: string): string => (element.test(piece) ? piece : `text: ${unquote(piece)}`)

const unquote = (text: string): string =>
  /^"(?:[^"\\]|\\.)*"$/.test(text) ? (JSON.parse(text) as string) : text

function splitOutsideQuotes(text: string, separator: RegExp): readonly string[] {
  const parts = ['']
  for (const token of text.split(/("(?:[^"\\]|\\.)*")/)) {
    const [head = '', ...tails] = token.startsWith('"') ? [token] : token.split(separator)
    parts.push((parts.pop() ?? '') + head, ...tails)
  }
  return parts
}
