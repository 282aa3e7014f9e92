// Whether an element or a component is written at a position of a file. A framework may have counted in what another tool made of the file, so
// a position of its own counts only if the tag stands there.

import type { FilePosition } from '../../core/sessions/types/sources.ts'

/** Counted from 1. */
export type WrittenPlace = Omit<FilePosition, 'file'> & { readonly line: number }

/** An element by its tag, with its attributes in the page, or a component by its name. */
export interface WrittenTag {
  readonly name: string
  readonly isComponent: boolean
  readonly attributes?: Readonly<Record<string, string>>
}

/** Where the tag stands at a place: there, or nearby if the place is by a source map, which may be less exact. Undefined if it does not. */
export function findWritten(
  text: string,
  { line, column }: WrittenPlace,
  target: WrittenTag,
  isMapped: boolean,
): WrittenPlace | undefined {
  const start = startOfLine(text, line)
  if (start === undefined) return undefined
  if (column === undefined) return findInLine(text, start, line, target)
  const lineText = text.slice(start, endOfLine(text, start))
  // Some tools count columns from 0, some note that of the name.
  const same = [column, column + 1, column - 1]
    .flatMap((one) => columnsOf(lineText, one))
    .find((one) => stands(text, start + one - 1, target, isMapped))
  if (same !== undefined) return { line, column: same }
  if (!isMapped) return undefined
  // A map that knows lines only may name the line of another tag.
  if (column === 1) return isNameIn(lineText, target) ? { line } : undefined
  const index = start + column - 1
  const moved = index + (BEFORE_TAG.exec(text.slice(index, index + LOOK_AHEAD_CHARS))?.[0].length ?? 0)
  return stands(text, moved, target, isMapped) ? placeOf(text, moved) : undefined
}

/** The only tag of a file that can be the target; undefined if there are several or none. */
export function findOnlyWritten(text: string, target: WrittenTag): WrittenPlace | undefined {
  const fits = indexesOfTag(text, target.name).filter((index) => !contradicts(text, index, target))
  return fits.length === 1 ? placeOf(text, fits[0]!) : undefined
}

/** The columns that a noted column may be: some tools count bytes. */
export function columnsOf(lineText: string, column: number): readonly number[] {
  if (/^\p{ASCII}*$/u.test(lineText)) return [column]
  const bytes = new TextEncoder().encode(lineText).subarray(0, column - 1)
  return [column, new TextDecoder().decode(bytes).length + 1]
}

// --- internal ---

const LOOK_AHEAD_CHARS = 200
/** What may stand between a position of a source map and the tag that it is of. */
const BEFORE_TAG = /^(?:\s|[(?:]|&&|\|\||\?\?|=>|(?:return|default|export)\b)*/
const CREATES_ELEMENT = /^(?:[\w$]+\.)*_?(?:createElement|cloneElement|jsxs?|jsxDEV|h)\(/
const COMPONENT_TAG = /^(?:[A-Z_$][\w$]*|[\w$]+(?:\.[\w$]+)+|component|svelte:\w+)$/
const MARGIN_CHARS = 300

function stands(text: string, index: number, target: WrittenTag, isMapped: boolean): boolean {
  const rest = text.slice(index, index + MARGIN_CHARS)
  const tag = /^<([\w$.:-]+)/.exec(rest)?.[1]
  if (tag === undefined) return isMapped && isCall(rest, target)
  if (isNamed(tag, target)) return !contradicts(text, index, target)
  // A tag in a variable, or a component that has another name where it is used.
  return COMPONENT_TAG.test(tag) && indexesOfTag(text, target.name).length === 0
}

const isNamed = (tag: string, { name, isComponent }: WrittenTag): boolean =>
  isComponent ? tag === name || tag.endsWith(`.${name}`) : tag.toLowerCase() === name

function isCall(text: string, { name, isComponent }: WrittenTag): boolean {
  const argument = /^[\w$.]+\(\s*(["'`]?)([\w$.:-]+)\1/.exec(text)
  return CREATES_ELEMENT.test(text) || (argument?.[2] === name && (argument[1] === '') === isComponent)
}

function findInLine(text: string, start: number, line: number, target: WrittenTag): WrittenPlace | undefined {
  const lineText = text.slice(start, endOfLine(text, start))
  const indexes = indexesOfTag(lineText, target.name)
  const fits = indexes.filter((index) => !contradicts(text, start + index, target))
  if (fits.length > 0) return { line, ...(fits.length === 1 && { column: fits[0]! + 1 }) }
  return indexes.length === 0 && isNameIn(lineText, target) ? { line } : undefined
}

// Outside of a tag: the definition of a component, or an argument of a call.
const isNameIn = (lineText: string, { name, isComponent }: WrittenTag): boolean =>
  new RegExp(isComponent ? `(?<![\\w$<])${escape(name)}(?![\\w$])` : `["'\`]${escape(name)}["'\`]`).test(
    lineText,
  )

const indexesOfTag = (text: string, name: string): readonly number[] =>
  [...text.matchAll(new RegExp(`<${escape(name)}(?![\\w$.:-])`, 'g'))].map(({ index }) => index)

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

// Attributes that pages hardly change. Bundlers change `src`.
const isSteady = (name: string): boolean =>
  /^(id|name|type|for|href|alt|title|role|placeholder|data-(?!v-).+)$/.test(name)

/** Whether the tag has an attribute with a fixed value that the element in the page does not have. */
function contradicts(text: string, index: number, { attributes }: WrittenTag): boolean {
  if (!attributes) return false
  return fixedAttributes(text, index).some(
    ([name, value]) => isSteady(name) && !/[&\\{]/.test(value) && attributes[name] !== value,
  )
}

const TOKEN =
  /\s+|([\w:@.#-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')|[\w:@.#*[\]()-]+\s*=\s*(?=\{)|[\w:@.#*[\]()-]+(?:=[^\s"'{}>]+)?/y
const ATTRIBUTES_LIMIT_CHARS = 3000

// The attributes up to the first that is not understood, or that may set others again.
function fixedAttributes(text: string, index: number): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = []
  const tag = text.slice(index, index + ATTRIBUTES_LIMIT_CHARS)
  let at = /^<[\w$.:-]+/.exec(tag)?.[0].length ?? 0
  while (at < tag.length && tag[at] !== '>' && !tag.startsWith('/>', at)) {
    if (tag[at] === '{') {
      if (/^\{\s*\.\.\./.test(tag.slice(at))) return []
      at = endOfBraces(tag, at)
      continue
    }
    TOKEN.lastIndex = at
    const match = TOKEN.exec(tag)
    if (!match || match[0] === '') break
    const [whole, name, double, single] = match
    if (name !== undefined)
      pairs.push([name === 'htmlFor' ? 'for' : name.toLowerCase(), double ?? single ?? ''])
    at += whole.length
  }
  return pairs
}

function endOfBraces(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}

function startOfLine(text: string, line: number): number | undefined {
  let start = 0
  for (let number = 1; number < line; number += 1) {
    start = text.indexOf('\n', start) + 1
    if (start === 0) return undefined
  }
  return line < 1 ? undefined : start
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

function placeOf(text: string, index: number): WrittenPlace {
  const before = text.slice(0, index)
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') }
}
