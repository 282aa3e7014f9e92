// Breaks the lines of a test at 100 characters where it can, in the style of Prettier.

import { REGEXP, STRING } from './literals.ts'

export const blockCode = (statements: readonly string[]): string => ['{', ...statements, '}'].join('\n')

/** The statement with its line breaks; all lines but the first are indented by `indent` spaces. A brace or a backtick at the end of a line
 * begins a block or a text, whose lines stay lines. */
export function printCode(statement: string, indent = 0): string {
  const printer: Printer = { text: '', column: indent }
  print(printer, readCode({ rest: statement }, ''), indent, [], '')
  return printer.text
}

// --- internal ---

/** Code that may be broken into lines. */
type Code = string | readonly Code[] | CodeList | CodeChain | CodeLines | CodeArrow

/** Items in brackets, separated by commas: on one line, or one item a line. `open` ends with the bracket. */
interface CodeList {
  readonly open: string
  readonly items: readonly Code[]
  readonly close: string
}

/** Calls, each with its dot: on one line, or one a line. */
interface CodeChain {
  readonly head: string
  readonly links: readonly Code[]
}

/** A block, or a template literal of several lines. */
interface CodeLines {
  readonly quotes: readonly [string, string]
  readonly lines: readonly Code[]
}

/** A function of one expression: `arrow` is `(route) =>`. */
interface CodeArrow {
  readonly arrow: string
  readonly expression: Code
}

interface Reader {
  rest: string
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const TEMPLATE_LINES = /^`\n(?:[^`\\]|\\[^])*`/
const ARROW = /^\(\w+\) =>(?= [^{])/
const LINK = /^(?:\.[\w$]+)+(?=\()/
const TEXT = new RegExp(`^(?:${STRING}|[\\w$]+|[^])`)
const REGEXP_LITERAL = new RegExp(`^${REGEXP}`)

/** Takes what matches at the start of the rest; empty if nothing does. */
function take(reader: Reader, pattern: RegExp): string {
  const [match = ''] = pattern.exec(reader.rest) ?? []
  reader.rest = reader.rest.slice(match.length)
  return match
}

/** Reads until one of the characters in `ends` that is outside of literals and brackets. */
function readCode(reader: Reader, ends: string): Code {
  const arrow = take(reader, ARROW)
  if (arrow !== '') {
    take(reader, /^ /)
    return { arrow, expression: readCode(reader, ends) }
  }
  const parts: Code[] = []
  while (reader.rest !== '' && !ends.includes(reader.rest.charAt(0))) {
    const last = parts.at(-1)
    for (const part of readParts(reader, last ?? ''))
      if (isText(part) && isText(parts.at(-1) ?? [])) parts.push(`${String(parts.pop())}${part}`)
      else parts.push(part)
  }
  return parts.length > 1 ? parts : (parts[0] ?? '')
}

function readParts(reader: Reader, last: Code): readonly Code[] {
  const { rest } = reader
  if (rest.startsWith('{\n')) return [readBlock(reader)]
  if (CLOSING[rest.charAt(0)] !== undefined) {
    const list = readList(reader, '')
    return [isBreakable(list, last) ? list : flatten(list)]
  }
  const template = take(reader, TEMPLATE_LINES)
  if (template !== '') return [{ quotes: ['`', '`'], lines: template.slice(2, -2).split('\n') }]
  // After a value a slash divides.
  const regExp = isText(last) && !/[\w$\])]\s*$/.test(last) ? take(reader, REGEXP_LITERAL) : ''
  if (regExp !== '') return [regExp]
  const text = take(reader, TEXT)
  if (!/^[\w$]/.test(text)) return [text]
  const links: Code[] = []
  for (let link = take(reader, LINK); link !== ''; link = take(reader, LINK))
    links.push(readList(reader, link))
  return links.length < CHAIN_LIMIT_LINKS ? [text, ...links] : [{ head: text, links }]
}

// An expression in brackets, a condition and a member of an object have no comma at their end.
function isBreakable({ open }: CodeList, last: Code): boolean {
  const followsValue = !isText(last) || /[\w$)\].!]$/.test(last)
  return open === '{' || (open === '(') === followsValue
}

function readBlock(reader: Reader): CodeLines {
  const lines: Code[] = []
  take(reader, /^\{\n/)
  while (reader.rest !== '' && take(reader, /^\}/) === '') {
    const comment = take(reader, /^\/\/.*/)
    lines.push(comment === '' ? readCode(reader, '\n') : comment)
    take(reader, /^\n/)
  }
  return { quotes: ['{', '}'], lines }
}

function readList(reader: Reader, name: string): CodeList {
  const bracket = take(reader, /^[([{] ?/).trim()
  const close = CLOSING[bracket] ?? ''
  const items: Code[] = []
  while (reader.rest !== '' && !reader.rest.startsWith(close)) {
    items.push(readCode(reader, `,${close}`))
    take(reader, /^, ?/)
  }
  take(reader, /^[)\]}]/)
  return { open: `${name}${bracket}`, items: close === '}' ? items.map(trimEnd) : items, close }
}

// The space before a closing brace.
const trimEnd = (code: Code): Code => {
  if (isText(code)) return code.trimEnd()
  return isSequence(code) ? [...code.slice(0, -1), trimEnd(code.at(-1) ?? '')] : code
}

const LINE_LIMIT_CHARS = 100
const INDENT = 2
const CHAIN_LIMIT_LINKS = 3

interface Printer {
  text: string
  column: number
}

const isText = (code: Code): code is string => typeof code === 'string'
const isSequence = (code: Code): code is readonly Code[] => Array.isArray(code)

/** On one line. */
function flatten(code: Code): string {
  if (isText(code)) return code
  if (isSequence(code)) return code.map(flatten).join('')
  if ('lines' in code) return code.quotes.join('\n')
  if ('links' in code) return [code.head, ...code.links].map(flatten).join('')
  if ('arrow' in code) return `${code.arrow} ${flatten(code.expression)}`
  const padding = code.open.endsWith('{') && code.items.length > 0 ? ' ' : ''
  return `${code.open}${padding}${code.items.map(flatten).join(', ')}${padding}${code.close}`
}

/** The text until the first place where it may be broken. */
function headOf(code: Code): { readonly text: string; readonly isWhole: boolean } {
  if (isText(code)) return { text: code, isWhole: true }
  if (isSequence(code)) {
    let text = ''
    for (const part of code) {
      const head = headOf(part)
      text += head.text
      if (!head.isWhole) return { text, isWhole: false }
    }
    return { text, isWhole: true }
  }
  if ('lines' in code) return { text: code.quotes[0], isWhole: false }
  if ('links' in code) return headOf([code.head, ...code.links])
  if ('arrow' in code) return { text: code.arrow, isWhole: false }
  return code.items.length === 0
    ? { text: code.open + code.close, isWhole: true }
    : { text: code.open, isWhole: false }
}

function write(printer: Printer, text: string): void {
  printer.text += text
  const lineStart = text.lastIndexOf('\n')
  printer.column = lineStart < 0 ? printer.column + text.length : text.length - lineStart - 1
}

const newLine = (printer: Printer, indent: number) => write(printer, `\n${' '.repeat(indent)}`)

// `rest` follows the code, and `end` follows that on the same line.
function print(printer: Printer, code: Code, indent: number, rest: readonly Code[], end: string): void {
  if (isText(code)) return write(printer, code)
  if (isSequence(code)) {
    for (const [index, part] of code.entries())
      print(printer, part, indent, [...code.slice(index + 1), ...rest], end)
    return
  }
  if ('lines' in code) return printLines(printer, code, indent)
  const flat = flatten(code)
  const following = headOf(rest)
  const tail = following.text + (following.isWhole ? end : '')
  const fits = !flat.includes('\n') && printer.column + flat.length + tail.length <= LINE_LIMIT_CHARS
  if (fits || ('items' in code && code.items.length === 0)) return write(printer, flat)
  if ('arrow' in code) return print(printer, [`${code.arrow} `, code.expression], indent, rest, end)
  if ('links' in code) return printChain(printer, code, indent, rest, end)
  printList(printer, code, indent)
}

function printLines(printer: Printer, { quotes: [open, close], lines }: CodeLines, indent: number): void {
  write(printer, open)
  for (const line of lines) {
    if (line === '') {
      write(printer, '\n')
      continue
    }
    newLine(printer, indent + INDENT)
    print(printer, line, indent + INDENT, [], '')
  }
  newLine(printer, indent)
  write(printer, close)
}

function printChain(
  printer: Printer,
  { head, links }: CodeChain,
  indent: number,
  rest: readonly Code[],
  end: string,
): void {
  write(printer, head)
  for (const [index, link] of links.entries()) {
    newLine(printer, indent + INDENT)
    print(printer, link, indent + INDENT, index === links.length - 1 ? rest : [], end)
  }
}

function printList(printer: Printer, { open, items, close }: CodeList, indent: number): void {
  write(printer, open)
  const [first = '', ...following] = items
  if (endsWithBlock(first) && following.length > 0) {
    print(printer, first, indent, [], '')
    write(printer, [...following.map((item) => `, ${flatten(item)}`), close].join(''))
    return
  }
  const others = items.slice(0, -1).map(flatten)
  const last = items.at(-1) as Code
  const start = others.map((item) => `${item}, `).join('')
  const canHug =
    open.endsWith('(') &&
    isHuggable(last) &&
    !start.includes('\n') &&
    printer.column + start.length + headOf(last).text.length <= LINE_LIMIT_CHARS
  if (canHug && !isText(last) && 'arrow' in last) {
    write(printer, `${start}${last.arrow}`)
    newLine(printer, indent + INDENT)
    print(printer, last.expression, indent + INDENT, [], ',')
    write(printer, ',')
    newLine(printer, indent)
  } else if (canHug) {
    write(printer, start)
    print(printer, last, indent, [], close)
  } else {
    for (const item of items) {
      newLine(printer, indent + INDENT)
      print(printer, item, indent + INDENT, [], ',')
      write(printer, ',')
    }
    newLine(printer, indent)
  }
  write(printer, close)
}

// An object, an array or a function with a body continues on the line of the call.
const isHuggable = (code: Code): boolean =>
  endsWithBlock(code) ||
  (!isText(code) &&
    !isSequence(code) &&
    ('lines' in code || 'arrow' in code || ('items' in code && /^[[{]$/.test(code.open))))

function endsWithBlock(code: Code): boolean {
  const last = isSequence(code) ? code.at(-1) : undefined
  return typeof last === 'object' && 'lines' in last
}
