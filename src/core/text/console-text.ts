// Formats the arguments of a console call as one text: format specifiers are replaced, styles and terminal codes removed.

import { stripTerminalCodes } from './terminal-codes.ts'

/** One printed argument; `isText` if it is a string. */
export interface PrintedValue {
  readonly text: string
  readonly isText: boolean
}

/** The text of these arguments. `isFormatted`: the specifiers of the first one are already replaced. */
export function formatConsoleText(values: readonly PrintedValue[], isFormatted = false): string {
  const [first, ...otherValues] = values
  const isFormat = first?.isText && !isFormatted
  const parts = isFormat ? fillSpecifiers(first.text, otherValues) : values.map(({ text }) => text)
  const line = stripTerminalCodes(parts.reduce(joinParts, ''))
  // A styled text has extra spaces for its layout.
  return isFormat && first.text.includes('%c') ? line.replace(/ +/g, ' ').trim() : line
}

// --- internal ---

const SPECIFIER = /%[sdifoOjc%]/g

// Arguments without a specifier are appended.
function fillSpecifiers(format: string, values: readonly PrintedValue[]): readonly string[] {
  if (values.length === 0) return [format]
  let usedCount = 0
  const text = format.replace(SPECIFIER, (specifier) => {
    if (specifier === '%%') return '%'
    const value = values[usedCount]
    if (!value) return specifier
    usedCount += 1
    return formatValue(specifier, value.text)
  })
  return [text, ...values.slice(usedCount).map((value) => value.text)]
}

function formatValue(specifier: string, text: string): string {
  if (specifier === '%c') return ''
  if (specifier === '%d' || specifier === '%i') return String(Number.parseInt(text, 10))
  return specifier === '%f' ? String(Number.parseFloat(text)) : text
}

// Parts that already have a space between them get no other one.
const joinParts = (line: string, part: string): string =>
  line === '' || part === '' || /\s$/.test(line) || /^\s/.test(part) ? line + part : `${line} ${part}`
