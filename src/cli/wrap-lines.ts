// Lines that fit a terminal: broken between words, and continued below the text of their last column.

import { stripVTControlCharacters } from 'node:util'

const MINIMUM_TEXT_WIDTH_CHARS = 20
/** Also before the code that ends a color. */
const SPACES_AT_END = / +((?:\u001b\[\d+m)*)$/

/** The text with no line longer than `width`, where its words allow that. */
export const wrapLines = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => line.replace(SPACES_AT_END, '$1'))
    .map((line) => (lengthOf(line) > width ? wrapLine(line, width) : line))
    .join('\n')

function wrapLine(line: string, width: number): string {
  const [columns = ''] = /^\s*(?:\S.*?\s{2,})*/.exec(stripVTControlCharacters(line)) ?? []
  const indent = columns.length > width - MINIMUM_TEXT_WIDTH_CHARS ? '    ' : ' '.repeat(columns.length)
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const isFull = current !== '' && lengthOf(current) + 1 + lengthOf(word) > width
    if (isFull) lines.push(current)
    current = isFull ? indent + word : current === '' ? word : `${current} ${word}`
  }
  return [...lines, current].join('\n')
}

const lengthOf = (text: string): number => stripVTControlCharacters(text).length
