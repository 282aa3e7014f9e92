// Changes of a JSON text that people also edit: what is new goes in between, in the manner of what is there, and the rest stays.

import { isDeepStrictEqual } from 'node:util'
import {
  createScanner,
  findNodeAtLocation,
  type Node,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
  type SyntaxKind,
} from 'jsonc-parser'
import { err, ok, type Result } from '../../core/base/result.ts'
import { eolOf, lineStart, positionOf } from './document.ts'

export const PARSE_OPTIONS = { allowTrailingComma: true, allowEmptyContent: true }

/** The object of a text, undefined for an empty one. What it has as `key` is an object too. */
export function parseRoot(text: string, key: string): Result<Node | undefined, string> {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, PARSE_OPTIONS)
  const [first] = errors
  if (first) {
    const what = printParseErrorCode(first.error).replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    return err(`is not valid JSON at ${positionOf(text, first.offset)} (${what}). Fix it and try again`)
  }
  if (root && root.type !== 'object') return err('is not a JSON object. Fix it and try again')
  const servers = root && findNodeAtLocation(root, [key])
  return servers && servers.type !== 'object'
    ? err(
        `has ${article(servers.type)} as ${key} at ${positionOf(text, servers.offset)}, not an object. Fix it and try again`,
      )
    : ok(root)
}

// A key that stands twice, or anything else that the edit did not foresee, ends here, before a file is touched.
export function verifyEdit(
  newText: string,
  expected: Readonly<Record<string, unknown>>,
): Result<string, string> {
  const errors: ParseError[] = []
  const after: unknown = parse(newText, errors, PARSE_OPTIONS)
  return errors.length === 0 && isDeepStrictEqual(after, expected)
    ? ok(newText)
    : err('cannot be changed safely (is a key duplicated?). Add the entry by hand')
}

// As the last property of an object, or without a name the last element of an array: after what stands on the line of the one before it, in that
// one's manner.
export function insertInto(text: string, object: Node, name: string | undefined, value: unknown): string {
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `
  const eol = eolOf(text)
  const last = object.children?.at(-1)
  const end = object.offset + object.length - 1
  const oneLine = !text.slice(object.offset, end).includes('\n')
  if (last && oneLine) {
    const from = last.offset + last.length
    return `${text.slice(0, from)}, ${label}${JSON.stringify(value)}${text.slice(from)}`
  }
  const { tabSize, insertSpaces } = indentUnit(text)
  const unit = insertSpaces ? ' '.repeat(tabSize) : '\t'
  const outer = /^\s*/.exec(text.slice(lineStart(text, end)))?.[0] ?? ''
  const ownsLine = last ? leadingWhitespace(text, last.offset) : undefined
  const closing = oneLine ? (/^[ \t]*/.exec(text.slice(lineStart(text, object.offset)))?.[0] ?? '') : outer
  const indent = ownsLine ?? `${closing}${unit}`
  const body = `${label}${JSON.stringify(value, null, unit)}`.replaceAll('\n', `${eol}${indent}`)
  if (!last) {
    const rest = text.slice(object.offset + 1, end).replace(/\s+$/, '')
    const before = text.slice(0, object.offset + 1) + rest
    return `${before}${eol}${indent}${body}${eol}${closing}${text.slice(end)}`
  }
  const from = last.offset + last.length
  const comma = commaAfter(text, from)
  const place = afterComment(text, comma ?? from)
  const head = text.slice(0, from) + (comma === undefined ? ',' : '') + text.slice(from, place)
  const tail = text.slice(place)
  const close = /^[ \t]*\r?\n/.test(tail) ? '' : `${eol}${closing}`
  return `${head}${eol}${indent}${body}${comma === undefined ? '' : ','}${close}${close ? tail.trimStart() : tail}`
}

/** Without a property of an object, or an element of an array. */
export function removeFrom(text: string, property: Node): string {
  const start = property.offset
  const end = start + property.length
  const siblings = property.parent?.children ?? []
  const previous = siblings[siblings.indexOf(property) - 1]
  const comma = commaAfter(text, end)
  const ownsLine = leadingWhitespace(text, start) !== undefined
  const from = text
    .slice(0, ownsLine ? lineStart(text, start) : start)
    .replace(ownsLine ? /\r?\n$/ : / +$/, '').length
  const after = afterComment(text, comma ?? end)
  const to = ownsLine && /^[ \t]*(\r?\n|$)/.test(text.slice(after)) ? after : (comma ?? end)
  const head = text.slice(0, from)
  if (comma !== undefined || !previous) return joinEmptyObject(head, text.slice(to))
  const previousComma = commaAfter(text, previous.offset + previous.length) ?? from
  return head.slice(0, previousComma - 1) + head.slice(previousComma) + text.slice(to)
}

/** The step of indentation: that of the first line that has one, else two spaces. */
export function indentUnit(text: string): { tabSize: number; insertSpaces: boolean } {
  const [, whitespace = '  '] = /^([ \t]+)["}\]]/m.exec(text) ?? []
  return whitespace.startsWith('\t')
    ? { tabSize: 1, insertSpaces: false }
    : { tabSize: whitespace.length, insertSpaces: true }
}

// --- internal ---

const article = (type: string): string =>
  type === 'array' ? 'an array' : type === 'null' ? 'null' : `a ${type}`

// The white space before a property that stands first on its line.
function leadingWhitespace(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset)
  return /^[ \t]*$/.test(before) ? before : undefined
}

// An object that is empty now is written as such.
const joinEmptyObject = (before: string, after: string): string =>
  /\{\s*$/.test(before) && /^\s*\}/.test(after) ? before.trimEnd() + after.trimStart() : before + after

// How a JSON text is laid out: what stands after a value on its line, and how far it is indented.
// jsonc-parser declares SyntaxKind as a const enum, which cannot be imported as a value here.
const COMMA = 5 as SyntaxKind.CommaToken
const COMMENTS: readonly SyntaxKind[] = [
  12 as SyntaxKind.LineCommentTrivia,
  13 as SyntaxKind.BlockCommentTrivia,
]
const WHITESPACE = 15 as SyntaxKind.Trivia

/** The offset behind the comma that follows `from`, or undefined where none does. */
function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  return scanner.scan() === COMMA ? scanner.getTokenOffset() + 1 : undefined
}

/** The offset behind the comments that stand on the same line as `from`; `from` itself where none do. */
function afterComment(text: string, from: number): number {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  let end = from
  for (;;) {
    const kind = scanner.scan()
    if (COMMENTS.includes(kind)) {
      if (text.slice(scanner.getTokenOffset(), scanner.getPosition()).includes('\n')) return end
      end = scanner.getPosition()
    } else if (kind !== WHITESPACE) return end
  }
}
