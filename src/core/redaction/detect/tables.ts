// Secrets in line-based texts: YAML settings, tables with a header line, and SQL INSERT statements.

import { isDescriptiveKey, isSecretName } from '../secret-names.ts'
import { isProse } from '../secret-values.ts'
import type { Span } from '../spans.ts'

/** The spans of YAML values under secret names: lists, blocks, nested settings, and values of several words. */
export function findYamlValues(text: string): Span[] {
  const spans: Span[] = []
  for (const { 0: line, 1: indent = '', 2: name = '', 3: value = '', index } of text.matchAll(yamlLine)) {
    if (!isSecretName(name)) continue
    const end = index + line.length
    if (value === '' || /^[|>][+-]?\d?$/.test(value))
      spans.push(...findNestedValues(text, end, indent.length))
    else spans.push(...findLineValues(value, end - value.length))
  }
  return spans
}

/** The spans of table cells in columns with secret names. */
export function findTableCells(text: string): Span[] {
  const header = /^[\w .-]{1,60}(?:([,;\t])[\w .-]{1,60}){1,60}\r?$/m.exec(text)
  const separator = header?.[1]
  if (!header || separator === undefined) return []
  const names = header[0].trimEnd().split(separator)
  if (!names.some(isSecretName)) return []
  const spans: Span[] = []
  let at = header.index + header[0].length + 1
  while (at < text.length) {
    const end = findLineEnd(text, at)
    const cells = splitCells(text.slice(at, end), separator)
    if (cells.length !== names.length) break
    for (const [index, cell] of cells.entries())
      if (isSecretName(names[index] ?? '')) spans.push({ start: at + cell.start, end: at + cell.end })
    at = end + 1
  }
  return spans
}

/** The spans of values that an SQL INSERT writes to columns with secret names. */
export function findInsertedValues(text: string): Span[] {
  return [...text.matchAll(insertHead)].flatMap(({ 0: head, 1: list = '', index }) => {
    const names = list.split(',')
    const start = index + head.length
    const rows = text.slice(start, start + ROWS_LIMIT_CHARS)
    return [...rows.matchAll(/\(([^()]{1,4000})\)/g)].flatMap(({ 1: row = '', index: at }) =>
      splitCells(row, ',', "'")
        .filter((_, column) => isSecretName(names[column] ?? ''))
        .map((cell) => ({ start: start + at + 1 + cell.start, end: start + at + 1 + cell.end })),
    )
  })
}

// --- internal ---

const ROWS_LIMIT_CHARS = 20_000
const insertHead = /\binsert into [^\s(]{1,120}\s{0,9}\(([^()]{1,2000})\)\s{0,9}values\s{0,9}(?=\()/gi

const yamlLine = /^([ \t]{0,60})(?:- )?["']?([\w.-]{1,80})["']?:(?:[ \t]{1,20}(\S[^\r\n]{0,2000}))?$/gm

const flowItem =
  /(?<=[[{,]\s{0,9})(?:([\w.-]{1,80}):\s{1,9})?([^\s[\]{},:][^[\]{},:]{0,400}?)(?=\s{0,9}[\]},])/g

const controlName = /^\p{Lu}\p{Ll}+(?: \p{L}+){0,4}[?!…]?$/u

// Phrases, tagged values and flow collections on the line of a name. Single tokens are found with the other named values.
function findLineValues(value: string, start: number): Span[] {
  if (value.includes('[redacted')) return []
  if (/^[[{]/.test(value) && !/["']/.test(value)) {
    // `Password: [] [Log in]`: a field and a button of a page.
    if (/^\[[^\]]{0,400}\]\s{0,9}[[(]/.test(value)) return []
    return [...value.matchAll(flowItem)].flatMap(({ 0: all, 1: key = '', 2: item = '', index }) => {
      const at = start + index + all.length - item.length
      const isPlain = isDescriptiveKey(key) || isProse(item) || controlName.test(item)
      return isPlain ? [] : [{ start: at, end: at + item.length }]
    })
  }
  const tag = /^!\S{1,40}\s{1,9}/.exec(value)?.[0] ?? ''
  const isPhrase = /^\p{L}+\s/u.test(value) && !/^\S+\s+#/.test(value)
  if ((tag === '' && !isPhrase) || isProse(value.slice(tag.length))) return []
  return [{ start: start + tag.length, end: start + value.length }]
}

const nestedHead = /^[ \t]*(?:- )?(?:["']?([\w.-]{1,80})["']?:[ \t]+)?/

function findNestedValues(text: string, from: number, indent: number): Span[] {
  const spans: Span[] = []
  let at = from + 1
  while (at < text.length) {
    const end = findLineEnd(text, at)
    const line = text.slice(at, end)
    const [head = '', key = ''] = nestedHead.exec(line) ?? []
    const depth = /^[ \t]*/.exec(line)?.[0].length ?? 0
    const isItem = depth === indent && line.trimStart().startsWith('- ')
    if (depth <= indent && !isItem) break
    const value = line.slice(head.length).trimEnd()
    const isPlain =
      value === '' || value.startsWith('[redacted') || isDescriptiveKey(key) || (key !== '' && isProse(value))
    if (!isPlain) spans.push({ start: at + head.length, end: at + head.length + value.length })
    at = end + 1
  }
  return spans
}

const findLineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function splitCells(line: string, separator: string, quote = '"'): Span[] {
  const cells: Span[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === quote) isQuoted = !isQuoted
    if (at < line.length && (isQuoted || line[at] !== separator)) continue
    cells.push({ start, end: at })
    start = at + 1
  }
  return cells
}
