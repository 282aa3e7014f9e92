// The rules of a style sheet, each with what tells it from others: its conditions, its selector and its declarations.

import { type CSSToken, tokenize, TokenType } from '@csstools/css-tokenizer'
import { hashText } from '../ledger/text-hash.ts'

export interface StyleRule {
  /** Where its selector begins. */
  readonly start: number
  /** The same for the same rule, wherever it is and whatever a compiler has added to mark its component. */
  readonly key: string
  /** Its own, without those of rules within it. */
  readonly lines: readonly number[]
  /** Where its selector and each declaration begin, from 1. */
  readonly places: readonly Place[]
  /** Whether a browser says if it is used: not of `@media`, `@font-face` or the steps of `@keyframes`. */
  readonly isCounted: boolean
  /** The classes and attributes that its selector names. */
  readonly names: readonly string[]
}

interface Place {
  readonly line: number
  readonly column: number
}

/** Outer rules come after those within them. `mark`: the class or attribute by which a compiler tells a component from others. */
export function readRules(text: string, mark = ''): readonly StyleRule[] {
  const rules: StyleRule[] = []
  const normalize = createNormalizer(mark)
  const open: OpenRule[] = []
  let piece = newPiece()
  const breaks = [...text.matchAll(/\r\n?|\n|\f/g)].map(({ 0: mark, index }) => index + mark.length)
  let [line, lineStart] = [1, 0]
  const close = () => {
    const rule = open.pop()
    if (rule) rules.push(ruleOf(rule))
  }
  for (const [type, raw, start] of tokenize({ css: text })) {
    for (let next = breaks[line - 1]; next !== undefined && next <= start; next = breaks[line - 1]) {
      line += 1
      lineStart = next
    }
    if (type === TokenType.OpenCurly)
      open.push(openRule(piece, normalize(piece.texts), { start, line, lineStart }, open.at(-1)))
    else if (type === TokenType.CloseCurly || type === TokenType.Semicolon)
      addPiece(open.at(-1), piece, normalize(piece.texts), line)
    else if (!BLANK.has(type)) extendPiece(piece, raw, { start, line, lineStart })
    else piece.texts.push(type === TokenType.Comment ? '' : ' ')
    if (type === TokenType.CloseCurly) close()
    if (ENDS.has(type)) piece = newPiece()
  }
  // What a text leaves open ends with it.
  addPiece(open.at(-1), piece, normalize(piece.texts), line)
  while (open.length > 0) close()
  return rules
}

// --- internal ---

const BLANK: ReadonlySet<CSSToken[0]> = new Set([TokenType.Whitespace, TokenType.Comment, TokenType.EOF])
const ENDS: ReadonlySet<CSSToken[0]> = new Set([
  TokenType.OpenCurly,
  TokenType.CloseCurly,
  TokenType.Semicolon,
])

/** A selector, or a declaration, as far as it is read. */
interface Piece {
  readonly texts: string[]
  readonly lines: Set<number>
  start?: Start
}

interface Start {
  readonly start: number
  readonly line: number
  readonly lineStart: number
}

interface OpenRule {
  readonly start: number
  /** Its conditions and its selector. */
  readonly name: string
  readonly isCounted: boolean
  /** Whether a browser counts what is in it. */
  readonly isCountedWithin: boolean
  readonly names: readonly string[]
  readonly declarations: string[]
  readonly lines: Set<number>
  readonly places: Place[]
}

const newPiece = (): Piece => ({ texts: [], lines: new Set() })

function extendPiece(piece: Piece, raw: string, start: Start): void {
  piece.start ??= start
  piece.texts.push(raw)
  piece.lines.add(start.line)
}

const placeOf = ({ start, line, lineStart }: Start): Place => ({ line, column: start - lineStart + 1 })

function openRule(
  { lines, start: own }: Piece,
  selector: string,
  bracket: Start,
  outer: OpenRule | undefined,
): OpenRule {
  const start = own ?? bracket
  const isAt = selector.startsWith('@')
  const isCountedHere = outer?.isCountedWithin ?? true
  return {
    start: start.start,
    name: shorten(`${outer?.name ?? ''} ${selector}`),
    isCounted: isCountedHere && !isAt,
    isCountedWithin: isCountedHere && !/^@(?:-\w+-)?(?:keyframes|font-)/.test(selector),
    names: [...selector.matchAll(NAME)].map(([, name = '', attribute = '']) => name || attribute),
    declarations: [],
    lines: lines.add(bracket.line),
    places: [placeOf(start)],
  }
}

function addPiece(
  rule: OpenRule | undefined,
  { lines, start }: Piece,
  declaration: string,
  line: number,
): void {
  rule?.lines.add(line)
  if (!rule || !start) return
  for (const one of lines) rule.lines.add(one)
  rule.declarations.push(declaration)
  rule.places.push(placeOf(start))
}

const ruleOf = ({ start, name, names, declarations, lines, places, isCounted }: OpenRule): StyleRule => ({
  ...{ start, places, names, isCounted, key: shorten(`${name}{${declarations.join(';')}`) },
  lines: [...lines].sort((a, b) => a - b),
})

const shorten = (text: string): string => (text.length > KEY_LIMIT_CHARS ? hashText(text) : text)

const KEY_LIMIT_CHARS = 100
const NAME = /\.(-?[A-Za-z_][\w-]*)|\[([\w-]+)\]/g

/** Without blank space that says nothing, without the mark of a component, and with the names of CSS modules as they were written. */
function createNormalizer(mark: string): (texts: readonly string[]) => string {
  const id = mark.replace(/^data-(?:v|astro-cid)-/, '')
  const marks = [`.${mark}`, `[${mark}]`, `${id}-`, `-${id}`]
  return (texts) => {
    const text = texts
      .join('')
      .trim()
      .replace(/\s+/g, ' ')
      .replace(/ ?([,>+~:]) ?/g, (all, sign: string) => (sign === ':' && all.startsWith(' ') ? ' :' : sign))
      .replace(/(?<=\.)_([\w-]{1,100}?)_[\w-]{5}_\d{1,6}(?![\w-])/g, '$1')
      .replace(/:global\(([^()]*)\)/g, '$1')
    if (mark === '') return text
    return marks.reduce((rest, one) => rest.replaceAll(one, ''), text).replaceAll(':where()', '')
  }
}
