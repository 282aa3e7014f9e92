// Terminal codes in a line of output. A scanner instead of a regular expression, so that the time is linear even with unterminated
// codes.

const ESCAPE = '\u001b'

/** What a terminal shows of a line that was drawn over by carriage returns: its last state. */
export const lastStateOf = (line: string): string =>
  line.includes('\r')
    ? (line.split('\r').findLast((state) => stripTerminalCodes(state).trim() !== '') ?? '')
    : line

/** A line without terminal codes, also without a truncated one. Of an unterminated string code only the start is removed. */
export function stripTerminalCodes(line: string): string {
  if (!line.includes(ESCAPE)) return line.replaceAll('\r', '')
  const parts: string[] = []
  for (let at = 0; at < line.length;) {
    const start = line.indexOf(ESCAPE, at)
    parts.push(line.slice(at, start < 0 ? line.length : start))
    if (start < 0) break
    at = findCodeEnd(line, start + 1)
  }
  return parts.join('').replaceAll('\r', '')
}

function findCodeEnd(line: string, at: number): number {
  const kind = line[at] ?? ''
  if (kind === '[') {
    const end = skipRange(line, skipRange(line, at + 1, '0', '?'), ' ', '/')
    return skipRange(line, end, '@', '~', 1)
  }
  if (']PX^_'.includes(kind)) return findStringEnd(line, at + 1)
  return skipRange(line, skipRange(line, at, ' ', '/'), '0', '~', 1)
}

// Up to BEL or ESC \. Any other ESC starts a new code, so that no character is scanned twice.
function findStringEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\u0007') return at + 1
    if (line[at] === ESCAPE) return line[at + 1] === '\\' ? at + 2 : from
  }
  return from
}

function skipRange(line: string, from: number, first: string, last: string, maxLength = Infinity): number {
  let at = from
  for (
    let character = line[at];
    at - from < maxLength && character !== undefined && character >= first && character <= last;
    character = line[at]
  )
    at += 1
  return at
}

// Formats the arguments of a console call as one text: format specifiers are replaced, styles and terminal codes removed.
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

// The body of an error response as a person reads it, on one line.
const HTML_START = /^\s*<(?:!doctype|html|head|meta|title|style|body|main|h[1-6]|pre|p|div|center)\b/i
const UNSHOWN_ELEMENTS = /<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi
const TAGS = /<[^<>]*>?/g
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
  amp: '&',
}

/** The text of a page without its markup; another body as it is. */
export function readableBodyOf(body: string): string {
  const text = HTML_START.test(body)
    ? body
        .replace(UNSHOWN_ELEMENTS, ' ')
        .replace(TAGS, ' ')
        .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    : body
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
