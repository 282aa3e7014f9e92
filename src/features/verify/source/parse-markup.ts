// The structure of a component file: markup as Vue, Svelte and Astro have it, with blocks of scripts and styles.

import { parseCode } from './parse-code.ts'
import { parseStyle } from './parse-style.ts'
import { readExpressionEnd, readTag } from './read-tag.ts'
import type { SourcePart, SourceStructure } from './structure.ts'

export type ComponentLanguage = 'vue' | 'svelte' | 'astro'

export function parseMarkup(text: string, language: ComponentLanguage): SourceStructure {
  const places = findLineStarts(text)
  const { parts, scripts, styles, hidden } = scanMarkup(text, language)
  const read = scripts.flatMap(({ start, end }) => {
    const { line, column } = placeOf(places, start)
    const from = { startLine: line, startColumn: column - 1 }
    return parseCode(text.slice(start, end), { isTypeScript: true, isJsx: false, ...from }) ?? []
  })
  const style = parseStyle(keepOnly(text, styles), true)
  const blocks = [...read, style]
  const markup = blankOut(text, [...hidden, ...scripts, ...styles])
  const starts = new Set(parts.flatMap((part) => startsOf(part, places)))
  const elements = parts.map(({ kind, start, end }): SourcePart => {
    const [firstLine, lastLine] = [
      placeOf(places, start).line,
      placeOf(places, Math.max(start, end - 1)).line,
    ]
    return { kind, firstLine, lastLine }
  })
  return {
    parts: [...elements, ...blocks.flatMap((block) => block.parts)],
    codeLines: new Set([...linesWithText(markup), ...blocks.flatMap(({ codeLines }) => [...codeLines])]),
    bracketLines: new Set(blocks.flatMap(({ bracketLines }) => [...bracketLines])),
    imports: blocks.flatMap(({ imports }) => imports),
    startsPart: (line, column) =>
      starts.has(`${line}:${column}`) || read.some((script) => script.startsPart(line, column)),
    describe: () =>
      [markup.replace(/[^\S\n]*\n\s*/g, '\n').trim(), ...blocks.map((block) => block.describe())].join('\n'),
  }
}

// --- internal ---

interface Span {
  readonly start: number
  readonly end: number
}

interface MarkupPart {
  readonly kind: 'element' | 'branch'
  readonly name: string
  readonly start: number
  end: number
}

interface Scan {
  readonly text: string
  readonly language: ComponentLanguage
  at: number
  readonly open: MarkupPart[]
  readonly parts: MarkupPart[]
  readonly scripts: Span[]
  readonly styles: Span[]
  /** Comments, and the tags of blocks. */
  readonly hidden: Span[]
}

function scanMarkup(text: string, language: ComponentLanguage): Scan {
  const scan: Scan = { text, language, at: 0, open: [], parts: [], scripts: [], styles: [], hidden: [] }
  if (language === 'astro') readFrontMatter(scan)
  const next = language === 'vue' ? /<[!/A-Za-z]|\{\{/g : /<[!/A-Za-z>]|[{}]/g
  for (;;) {
    next.lastIndex = scan.at
    const match = next.exec(text)
    if (!match) break
    scan.at = match.index
    if (match[0].startsWith('<')) readMarkup(scan)
    else if (match[0] === '}') closePart(scan, '}', (scan.at += 1))
    else readExpression(scan)
  }
  for (const part of scan.open) part.end = text.length
  return scan
}

function readFrontMatter(scan: Scan): void {
  const [whole, script] = /^\s*---[^\n]*\n([^]*?)\n---/.exec(scan.text) ?? []
  if (whole === undefined || script === undefined) return
  const start = scan.text.indexOf('\n', scan.text.indexOf('---')) + 1
  scan.scripts.push({ start, end: start + script.length })
  scan.hidden.push({ start: 0, end: start }, { start: start + script.length, end: whole.length })
  scan.at = whole.length
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|!doctype)$/i

function readMarkup(scan: Scan): void {
  const { text, at } = scan
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at)
    scan.at = end < 0 ? text.length : end + '-->'.length
    scan.hidden.push({ start: at, end: scan.at })
    return
  }
  const { name, end, isClosing, isSelfClosing } = readTag(text, at)
  scan.at = end
  if (isClosing) {
    closePart(scan, name, end)
    if (isBlock(scan, name)) scan.hidden.push({ start: at, end })
  } else if (/^(?:script|style)$/i.test(name) && !isSelfClosing) readRawBlock(scan, name, { start: at, end })
  else if (isBlock(scan, name)) scan.hidden.push({ start: at, end })
  else {
    const part = openPart(scan, 'element', name, at)
    if (!isSelfClosing && !VOID.test(name)) scan.open.push(part)
    else part.end = end
  }
}

/** The outermost tags of Vue hold the blocks of the file. */
const isBlock = ({ language, open }: Scan, name: string): boolean =>
  language === 'vue' && name === 'template' && open.length === 0

function readRawBlock(scan: Scan, name: string, tag: Span): void {
  const close = scan.text.toLowerCase().indexOf(`</${name.toLowerCase()}`, tag.end)
  const end = close < 0 ? scan.text.length : close
  const after = close < 0 ? end : readTag(scan.text, close).end
  const blocks = name.toLowerCase() === 'script' ? scan.scripts : scan.styles
  blocks.push({ start: tag.end, end })
  scan.hidden.push(tag, { start: end, end: after })
  scan.at = after
}

function openPart(scan: Scan, kind: MarkupPart['kind'], name: string, start: number): MarkupPart {
  const part: MarkupPart = { kind, name, start, end: scan.text.length }
  scan.parts.push(part)
  return part
}

/** What is open within it ends with it. */
function closePart({ open }: Scan, name: string, end: number): void {
  const index = open.findLastIndex((part) => part.name === name)
  if (index < 0) return
  for (const part of open.splice(index)) part.end = end
}

/** A block of Svelte has a branch from each of its tags to the next; what is in the brackets of Astro may have markup. */
function readExpression(scan: Scan): void {
  const { text, at, language } = scan
  const end = readExpressionEnd(text, at)
  const [, sign] = /^\{\s*([#:/])/.exec(text.slice(at, at + SIGN_LIMIT_CHARS)) ?? []
  if (language === 'astro') scan.open.push(openPart(scan, 'branch', '}', at))
  scan.at = language === 'astro' ? at + 1 : end
  if (language !== 'svelte' || sign === undefined) return
  if (sign !== '#') closePart(scan, '{#', at)
  if (sign !== '/') scan.open.push(openPart(scan, 'branch', '{#', at))
}

const SIGN_LIMIT_CHARS = 20

const findLineStarts = (text: string): readonly number[] => [
  0,
  ...[...text.matchAll(/\r\n?|\n/g)].map(({ index, 0: end }) => index + end.length),
]

/** Line and column from 1. */
function placeOf(
  starts: readonly number[],
  offset: number,
): { readonly line: number; readonly column: number } {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}

/** Svelte's maps name the place behind the bracket of a tag. */
function startsOf({ kind, start }: MarkupPart, starts: readonly number[]): readonly string[] {
  const { line, column } = placeOf(starts, start)
  return kind === 'element' ? [`${line}:${column}`, `${line}:${column + 1}`] : []
}

/** With blanks in place of what is in the spans. */
function blankOut(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    parts.push(text.slice(at, start), text.slice(start, end).replace(/[^\r\n]/g, ' '))
    at = end
  }
  return [...parts, text.slice(at)].join('')
}

/** With blanks in place of what is between the spans. */
function keepOnly(text: string, spans: readonly Span[]): string {
  const ends = [0, ...spans.map(({ end }) => end)]
  const starts = [...spans.map(({ start }) => start), text.length]
  return blankOut(
    text,
    ends.map((start, index) => ({ start, end: starts[index] ?? text.length })),
  )
}

const linesWithText = (text: string): readonly number[] =>
  text.split(/\r\n?|\n/).flatMap((line, index) => (line.trim() === '' ? [] : index + 1))
