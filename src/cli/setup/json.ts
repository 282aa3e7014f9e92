// An entry in a JSON file that people also edit: comments, trailing commas, the order of keys and the indentation stay. jsonc-parser
// says where everything is; the new text goes in between, and what comes out is parsed again before it is believed.

import { isDeepStrictEqual } from 'node:util'
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser'
import { eolOf, lineStart, positionOf, type Format, type Place } from './document.ts'
import { afterComment, commaAfter, indentUnit, isEmpty } from './layout.ts'
import { err, ok, type Result } from '../../core/result.ts'

type Data = Record<string, unknown>
type Root = Node | undefined

const loose = { allowTrailingComma: true, allowEmptyContent: true }

export const jsonFormat: Format = { entry, put, drop }

function entry(text: string, { key, name }: Place): Result<Data | undefined, string> {
  const read = rootOf(text, key)
  if (!read.ok) return read
  const value = (parse(text, [], loose) as Record<string, Data> | undefined)?.[key]?.[name]
  if (value === undefined) return ok(undefined)
  return isObject(value)
    ? ok(value)
    : err(`has something other than an object as ${key}.${name}. Fix it first`)
}

function put(text: string, { key, name }: Place, wanted: Data): Result<string, string> {
  const read = rootOf(text, key)
  if (!read.ok) return read
  const root = read.value
  const old = entry(text, { key, name })
  if (!old.ok) return old
  const made = old.value
    ? changed(text, [key, name], old.value, wanted)
    : added(text, root, key, name, wanted)
  const before = (parse(text, [], loose) ?? {}) as Record<string, Data>
  const expected = { ...before, [key]: { ...before[key], [name]: { ...old.value, ...wanted } } }
  return checked(made, expected)
}

function drop(text: string, { key, name }: Place): Result<string, string> {
  const read = rootOf(text, key)
  if (!read.ok) return read
  const property = read.value && findNodeAtLocation(read.value, [key, name])?.parent
  if (!property) return ok(text)
  const before = parse(text, [], loose) as Record<string, Data>
  const { [name]: _, ...others } = before[key] ?? {}
  return checked(without(text, property), { ...before, [key]: others })
}

// --- internal ---

function rootOf(text: string, key: string): Result<Root, string> {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, loose)
  const [first] = errors
  if (first) {
    const what = printParseErrorCode(first.error).replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    return err(`is not valid JSON at ${positionOf(text, first.offset)} (${what}). Fix it and try again`)
  }
  if (root && root.type !== 'object') return err('is not a JSON object. Fix it and try again')
  const holder = root && findNodeAtLocation(root, [key])
  return holder && holder.type !== 'object'
    ? err(
        `has ${article(holder.type)} as ${key} at ${positionOf(text, holder.offset)}, not an object. Fix it and try again`,
      )
    : ok(root)
}

const article = (type: string): string =>
  type === 'array' ? 'an array' : type === 'null' ? 'null' : `a ${type}`

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// A key that stands twice, or anything else that the edit did not foresee, ends here, before a file is touched.
function checked(made: string, expected: Data): Result<string, string> {
  const errors: ParseError[] = []
  const after: unknown = parse(made, errors, loose)
  return errors.length === 0 && isDeepStrictEqual(after, expected)
    ? ok(made)
    : err('cannot be changed safely (is a key duplicated?). Add the entry by hand')
}

function changed(text: string, path: readonly string[], old: Data, wanted: Data): string {
  const formattingOptions = { ...indentUnit(text), eol: eolOf(text) }
  return Object.entries(wanted)
    .filter(([field, value]) => !isDeepStrictEqual(old[field], value))
    .reduce(
      (made, [field, value]) =>
        applyEdits(made, modify(made, [...path, field], value, { formattingOptions })),
      text,
    )
}

function added(text: string, root: Root, key: string, name: string, wanted: Data): string {
  if (!root) {
    const whole = JSON.stringify({ [key]: { [name]: wanted } }, null, 2).replaceAll('\n', eolOf(text))
    const before = isEmpty(text) ? '' : text.replace(/(?<!\n)$/, eolOf(text))
    return `${before}${whole}${eolOf(text)}`
  }
  const holder = findNodeAtLocation(root, [key])
  return holder ? inside(text, holder, name, wanted) : inside(text, root, key, { [name]: wanted })
}

// As the last property of an object: after what stands on the line of the one before it, in that one's manner.
function inside(text: string, object: Node, name: string, value: unknown): string {
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
  const own = last ? leading(text, last.offset) : undefined
  const closing = oneLine ? (/^[ \t]*/.exec(text.slice(lineStart(text, object.offset)))?.[0] ?? '') : outer
  const indent = own ?? `${closing}${unit}`
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
function leading(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset)
  return /^[ \t]*$/.test(before) ? before : undefined
}

function without(text: string, property: Node): string {
  const start = property.offset
  const end = start + property.length
  const siblings = property.parent?.children ?? []
  const previous = siblings[siblings.indexOf(property) - 1]
  const comma = commaAfter(text, end)
  const own = leading(text, start) !== undefined
  const from = text.slice(0, own ? lineStart(text, start) : start).replace(own ? /\r?\n$/ : / +$/, '').length
  const after = afterComment(text, comma ?? end)
  const to = own && /^[ \t]*(\r?\n|$)/.test(text.slice(after)) ? after : (comma ?? end)
  const kept = text.slice(0, from)
  if (comma !== undefined || !previous) return collapsed(kept, text.slice(to))
  const gone = commaAfter(text, previous.offset + previous.length) ?? from
  return kept.slice(0, gone - 1) + kept.slice(gone) + text.slice(to)
}

// An object that is empty now is written as such.
const collapsed = (before: string, after: string): string =>
  /\{\s*$/.test(before) && /^\s*\}/.test(after) ? before.trimEnd() + after.trimStart() : before + after
