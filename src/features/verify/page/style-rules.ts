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
}

interface Place {
  readonly line: number
  readonly column: number
}

/** Outer rules come after those within them. */
export function readRules(text: string): readonly StyleRule[] {
  const rules: StyleRule[] = []
  const open: OpenRule[] = []
  let piece = newPiece()
  let [line, lineStart] = [1, 0]
  const close = () => {
    const rule = open.pop()
    if (rule) rules.push(ruleOf(rule))
  }
  for (const [type, raw, start, end] of tokenize({ css: text })) {
    if (type === TokenType.OpenCurly) open.push(openRule(piece, { start, line, lineStart }, open.at(-1)))
    else if (type === TokenType.CloseCurly || type === TokenType.Semicolon) addPiece(open.at(-1), piece, line)
    else if (!BLANK.has(type)) extendPiece(piece, raw, { start, line, lineStart })
    else piece.texts.push(type === TokenType.Comment ? '' : ' ')
    if (type === TokenType.CloseCurly) close()
    if (ENDS.has(type)) piece = newPiece()
    for (const { 0: mark, index } of raw.matchAll(/\r\n?|\n|\f/g)) {
      line += 1
      lineStart = end + 1 - raw.length + index + mark.length
    }
  }
  // What a text leaves open ends with it.
  addPiece(open.at(-1), piece, line)
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
  { texts, lines, start: own }: Piece,
  bracket: Start,
  outer: OpenRule | undefined,
): OpenRule {
  const start = own ?? bracket
  const selector = normalize(texts)
  const isAt = selector.startsWith('@')
  const isCountedHere = outer?.isCountedWithin ?? true
  return {
    start: start.start,
    name: hashText(`${outer?.name ?? ''} ${selector}`),
    isCounted: isCountedHere && !isAt,
    isCountedWithin: isCountedHere && !/^@(?:-\w+-)?(?:keyframes|font-)/.test(selector),
    declarations: [],
    lines: lines.add(bracket.line),
    places: [placeOf(start)],
  }
}

function addPiece(rule: OpenRule | undefined, { texts, lines, start }: Piece, line: number): void {
  rule?.lines.add(line)
  if (!rule || !start) return
  for (const one of lines) rule.lines.add(one)
  rule.declarations.push(normalize(texts))
  rule.places.push(placeOf(start))
}

const ruleOf = ({ start, name, declarations, lines, places, isCounted }: OpenRule): StyleRule => ({
  ...{ start, places, isCounted, key: hashText(`${name} ${declarations.join(';')}`) },
  lines: [...lines].sort((a, b) => a - b),
})

/** Without blank space that says nothing, and without what compilers add for a component. */
const normalize = (texts: readonly string[]): string =>
  texts
    .join('')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?([,>+~:]) ?/g, (text, mark: string) => (mark === ':' && text.startsWith(' ') ? ' :' : mark))
    .replace(SCOPE, (_, within: string | undefined, local: string | undefined) => within ?? local ?? '')

/** The attributes and classes of Vue, Svelte and Astro, and the names of CSS modules. */
const SCOPE =
  /\[data-(?:v|astro-cid)-[\w-]+\]|:where\(\.(?:svelte|astro)-[\w-]+\)|\.(?:svelte|astro)-[\w-]+|-[0-9a-f]{8}\b|:global\(([^()]*)\)|(?<=\.)_([\w-]+?)_[\w-]{5}_\d+(?![\w-])/g
