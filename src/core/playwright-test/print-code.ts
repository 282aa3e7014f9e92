// Prints code in lines of at most 100 characters where it can, in the style of Prettier.

/** Code that may be broken into lines: texts, lists in brackets, chains of calls, and blocks. */
export type Code = string | readonly Code[] | CodeList | CodeChain | CodeBlock | CodeTemplate | CodeArrow

/** Items in brackets, separated by commas: on one line, or one item a line. `open` ends with the bracket. */
export interface CodeList {
  readonly open: string
  readonly items: readonly Code[]
  readonly close: string
}

/** Calls, each with its dot: on one line, or, if there are three or more, one a line. */
export interface CodeChain {
  readonly head: Code
  readonly links: readonly Code[]
}

/** Lines in braces, each one a statement. */
export interface CodeBlock {
  readonly statements: readonly Code[]
}

/** A function of one expression. */
export interface CodeArrow {
  /** Up to the arrow: `(route) =>`. */
  readonly arrow: string
  readonly expression: Code
}

/** A template literal of several lines, which are escaped. */
export interface CodeTemplate {
  readonly template: readonly string[]
}

/** A call or a list of arguments: `open` is what stands before the bracket. */
export const callCode = (open: string, items: readonly Code[]): CodeList => ({
  open: `${open}(`,
  items,
  close: ')',
})

/** The code with its line breaks; all lines but the first are indented by `indent` spaces. */
export function printCode(code: Code, indent = 0): string {
  const printer: Printer = { text: '', column: indent }
  print(printer, code, indent, [], '')
  return printer.text
}

// --- internal ---

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
  if ('statements' in code || 'template' in code) return '{\n}'
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
  if ('statements' in code) return { text: '{', isWhole: false }
  if ('template' in code) return { text: '`', isWhole: false }
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
  if ('statements' in code) return printLines(printer, '{', code.statements, '}', indent)
  if ('template' in code) return printLines(printer, '`', code.template, '`', indent)
  const flat = flatten(code)
  const following = headOf(rest)
  const tail = following.text + (following.isWhole ? end : '')
  const fits = !flat.includes('\n') && printer.column + flat.length + tail.length <= LINE_LIMIT_CHARS
  if (fits || ('items' in code && code.items.length === 0)) return write(printer, flat)
  if ('arrow' in code) return print(printer, [`${code.arrow} `, code.expression], indent, rest, end)
  if ('links' in code) return printChain(printer, code, indent, rest, end)
  printList(printer, code, indent)
}

function printLines(
  printer: Printer,
  open: string,
  lines: readonly Code[],
  close: string,
  indent: number,
): void {
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
  if (links.length < CHAIN_LIMIT_LINKS) return print(printer, [head, ...links], indent, rest, end)
  print(printer, head, indent, [], '')
  for (const [index, link] of links.entries()) {
    newLine(printer, indent + INDENT)
    print(printer, link, indent + INDENT, index === links.length - 1 ? rest : [], end)
  }
}

function printList(printer: Printer, { open, items, close }: CodeList, indent: number): void {
  write(printer, open)
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
  isSequence(code)
    ? code.length > 0 && typeof code.at(-1) === 'object' && 'statements' in (code.at(-1) as object)
    : !isText(code) &&
      ('statements' in code ||
        'template' in code ||
        'arrow' in code ||
        ('items' in code && /^[[{]$/.test(code.open)))
