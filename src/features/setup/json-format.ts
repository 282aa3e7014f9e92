// An entry in a JSON file that people also edit: comments, trailing commas, the order of keys and the indentation stay. jsonc-parser
// says where everything is; the new text goes in between, and what comes out is parsed again before it is believed.

import { isDeepStrictEqual } from 'node:util'
import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  modify,
  type Node,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
  type SyntaxKind,
} from 'jsonc-parser'
import { err, ok, type Result } from '../../core/base/result.ts'
import { type EntryLocation, eolOf, type Format, lineStart, positionOf } from './document.ts'

type Data = Record<string, unknown>
type Root = Node | undefined

const PARSE_OPTIONS = { allowTrailingComma: true, allowEmptyContent: true }

export const jsonFormat: Format = { entry, put, drop }

function entry(text: string, { key, name }: EntryLocation): Result<Data | undefined, string> {
  const root = parseRoot(text, key)
  if (!root.ok) return root
  const value = (parse(text, [], PARSE_OPTIONS) as Record<string, Data> | undefined)?.[key]?.[name]
  if (value === undefined) return ok(undefined)
  return isObject(value)
    ? ok(value)
    : err(`has something other than an object as ${key}.${name}. Fix it first`)
}

function put(text: string, { key, name }: EntryLocation, fields: Data): Result<string, string> {
  const root = parseRoot(text, key)
  if (!root.ok) return root
  const existing = entry(text, { key, name })
  if (!existing.ok) return existing
  const newText = existing.value
    ? changeFields(text, [key, name], existing.value, fields)
    : addEntry(text, root.value, key, name, fields)
  const before = (parse(text, [], PARSE_OPTIONS) ?? {}) as Record<string, Data>
  const expected = { ...before, [key]: { ...before[key], [name]: { ...existing.value, ...fields } } }
  return verify(newText, expected)
}

function drop(text: string, { key, name }: EntryLocation): Result<string, string> {
  const root = parseRoot(text, key)
  if (!root.ok) return root
  const property = root.value && findNodeAtLocation(root.value, [key, name])?.parent
  if (!property) return ok(text)
  const before = parse(text, [], PARSE_OPTIONS) as Record<string, Data>
  const { [name]: _, ...others } = before[key] ?? {}
  return verify(removeProperty(text, property), { ...before, [key]: others })
}

// --- internal ---

function parseRoot(text: string, key: string): Result<Root, string> {
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

const article = (type: string): string =>
  type === 'array' ? 'an array' : type === 'null' ? 'null' : `a ${type}`

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// A key that stands twice, or anything else that the edit did not foresee, ends here, before a file is touched.
function verify(newText: string, expected: Data): Result<string, string> {
  const errors: ParseError[] = []
  const after: unknown = parse(newText, errors, PARSE_OPTIONS)
  return errors.length === 0 && isDeepStrictEqual(after, expected)
    ? ok(newText)
    : err('cannot be changed safely (is a key duplicated?). Add the entry by hand')
}

function changeFields(text: string, path: readonly string[], existing: Data, fields: Data): string {
  const formattingOptions = { ...indentUnit(text), eol: eolOf(text) }
  return Object.entries(fields)
    .filter(([field, value]) => !isDeepStrictEqual(existing[field], value))
    .reduce(
      (newText, [field, value]) =>
        applyEdits(newText, modify(newText, [...path, field], value, { formattingOptions })),
      text,
    )
}

function addEntry(text: string, root: Root, key: string, name: string, fields: Data): string {
  if (!root) {
    const document = JSON.stringify({ [key]: { [name]: fields } }, null, 2).replaceAll('\n', eolOf(text))
    const before = text.trim() === '' ? '' : text.replace(/(?<!\n)$/, eolOf(text))
    return `${before}${document}${eolOf(text)}`
  }
  const servers = findNodeAtLocation(root, [key])
  return servers
    ? insertProperty(text, servers, name, fields)
    : insertProperty(text, root, key, { [name]: fields })
}

// As the last property of an object: after what stands on the line of the one before it, in that one's manner.
function insertProperty(text: string, object: Node, name: string, value: unknown): string {
  const eol = eolOf(text)
  const last = object.children?.at(-1)
  const end = object.offset + object.length - 1
  const oneLine = !text.slice(object.offset, end).includes('\n')
  if (last && oneLine) {
    const from = last.offset + last.length
    return `${text.slice(0, from)}, ${JSON.stringify(name)}: ${JSON.stringify(value)}${text.slice(from)}`
  }
  const { tabSize, insertSpaces } = indentUnit(text)
  const unit = insertSpaces ? ' '.repeat(tabSize) : '\t'
  const outer = /^\s*/.exec(text.slice(lineStart(text, end)))?.[0] ?? ''
  const ownsLine = last ? leadingWhitespace(text, last.offset) : undefined
  const closing = oneLine ? (/^[ \t]*/.exec(text.slice(lineStart(text, object.offset)))?.[0] ?? '') : outer
  const indent = ownsLine ?? `${closing}${unit}`
  const body = `${JSON.stringify(name)}: ${JSON.stringify(value, null, unit)}`.replaceAll(
    '\n',
    `${eol}${indent}`,
  )
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

// The white space before a property that stands first on its line.
function leadingWhitespace(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset)
  return /^[ \t]*$/.test(before) ? before : undefined
}

function removeProperty(text: string, property: Node): string {
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

/** The step of indentation: that of the first line that has one, else two spaces. */
function indentUnit(text: string): { tabSize: number; insertSpaces: boolean } {
  const [, whitespace = '  '] = /^([ \t]+)["}\]]/m.exec(text) ?? []
  return whitespace.startsWith('\t')
    ? { tabSize: 1, insertSpaces: false }
    : { tabSize: whitespace.length, insertSpaces: true }
}
