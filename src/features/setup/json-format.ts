// An entry in a JSON file that people also edit: comments, trailing commas, the order of keys and the indentation stay. jsonc-parser
// says where everything is; the new text goes in between, and what comes out is parsed again before it is believed.

import { isDeepStrictEqual } from 'node:util'
import { applyEdits, findNodeAtLocation, modify, type Node, parse } from 'jsonc-parser'
import { err, ok, type Result } from '../../core/base/result.ts'
import { type EntryLocation, eolOf, type Format } from './document.ts'
import { indentUnit, insertInto, PARSE_OPTIONS, parseRoot, removeFrom, verifyEdit } from './json-edits.ts'

type Data = Record<string, unknown>

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
  return verifyEdit(newText, expected)
}

function drop(text: string, { key, name }: EntryLocation): Result<string, string> {
  const root = parseRoot(text, key)
  if (!root.ok) return root
  const property = root.value && findNodeAtLocation(root.value, [key, name])?.parent
  if (!property) return ok(text)
  const before = parse(text, [], PARSE_OPTIONS) as Record<string, Data>
  const { [name]: _, ...others } = before[key] ?? {}
  return verifyEdit(removeFrom(text, property), { ...before, [key]: others })
}

// --- internal ---

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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

function addEntry(text: string, root: Node | undefined, key: string, name: string, fields: Data): string {
  if (!root) {
    const document = JSON.stringify({ [key]: { [name]: fields } }, null, 2).replaceAll('\n', eolOf(text))
    const before = text.trim() === '' ? '' : text.replace(/(?<!\n)$/, eolOf(text))
    return `${before}${document}${eolOf(text)}`
  }
  const servers = findNodeAtLocation(root, [key])
  return servers ? insertInto(text, servers, name, fields) : insertInto(text, root, key, { [name]: fields })
}
