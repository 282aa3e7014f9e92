// What a console would show of the values that it was given, as one text: format specifiers are filled in, styles and terminal codes left
// out.

import { stripTerminalCodes } from './terminal-codes.ts'

/** One value as it reads; a text as it is. */
export interface PrintedValue {
  readonly text: string
  readonly isText: boolean
}

/** The line of these values. `isFormatted` says that the first text has its specifiers filled in already. */
export function formatConsoleText(values: readonly PrintedValue[], isFormatted = false): string {
  const [first, ...otherValues] = values
  const isFormat = first?.isText && !isFormatted
  const parts = isFormat ? fillSpecifiers(first.text, otherValues) : values.map(({ text }) => text)
  const line = stripTerminalCodes(parts.reduce(joinParts, ''))
  // A styled text has spaces for the looks of it.
  return isFormat && first.text.includes('%c') ? line.replace(/ +/g, ' ').trim() : line
}

// --- internal ---

const SPECIFIER = /%[sdifoOjc%]/g

// What the specifiers do not take follows.
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

// Pieces of one formatted text come apart with their spaces.
const joinParts = (line: string, part: string): string =>
  line === '' || part === '' || /\s$/.test(line) || /^\s/.test(part) ? line + part : `${line} ${part}`
