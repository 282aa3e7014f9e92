// An entry in a TOML file. @decimalturn/toml-patch 3.3 removes the comment before the next table with a table, so only whole tables are appended,
// cut out or given new lines, as text; what comes out is parsed and must say exactly what was meant, else nothing is changed.

import { isDeepStrictEqual } from 'node:util'
import { parse, stringify, TomlError } from 'smol-toml'
import { err, ok, type Result } from '../../core/base/result.ts'
import { type EntryLocation, eolOf, type Format } from './document.ts'

type Data = Record<string, unknown>

export const tomlFormat: Format = { entry, put, drop }

function entry(text: string, { key, name }: EntryLocation): Result<Data | undefined, string> {
  const parseResult = parseToml(text)
  if (!parseResult.ok) return parseResult
  const servers = parseResult.value[key]
  if (servers !== undefined && !isTable(servers))
    return err(`has something other than a table as ${key}. Fix it and try again`)
  const value = servers?.[name]
  if (value === undefined) return ok(undefined)
  return isTable(value) ? ok(value) : err(`has something other than a table as ${key}.${name}. Fix it first`)
}

function put(text: string, at: EntryLocation, fields: Data): Result<string, string> {
  const existing = entry(text, at)
  if (!existing.ok) return existing
  const newText = existing.value
    ? changeFields(text, at, existing.value, fields)
    : appendTable(text, at, fields)
  return verify(text, newText, at, { ...existing.value, ...fields })
}

function drop(text: string, at: EntryLocation): Result<string, string> {
  const existing = entry(text, at)
  if (!existing.ok) return existing
  if (!existing.value) return ok(text)
  const lines = text.split(/(?<=\n)/)
  const all = tables(lines)
  const entryTables = all.filter(({ path }) => path[0] === at.key && path[1] === at.name)
  // What stands between two tables of the entry is the entry's too.
  const ends = entryTables.map((table) => {
    const next = all[all.indexOf(table) + 1]
    return next && entryTables.includes(next) ? next.from : table.to
  })
  const removedLines = new Set(entryTables.flatMap(({ from }, number) => range(from, ends[number] ?? from)))
  // The empty line that set the table apart goes with it.
  const [first] = entryTables
  if (first && first.from > 0 && lines[first.from - 1]?.trim() === '') removedLines.add(first.from - 1)
  return verify(text, lines.filter((_, index) => !removedLines.has(index)).join(''), at, undefined)
}

// --- internal ---

function parseToml(text: string): Result<Data, string> {
  try {
    return ok(parse(text, { integersAsBigInt: 'asNeeded' }))
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const what = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
    return err(
      `is not valid TOML at line ${error.line}, column ${error.column} (${what}). Fix it and try again`,
    )
  }
}

const isTable = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

function verify(
  text: string,
  newText: string,
  { key, name }: EntryLocation,
  fields: Data | undefined,
): Result<string, string> {
  const before = parseToml(text)
  const after = parseToml(newText)
  const unsafeMessage = 'is written in a way that cannot be changed safely. Add or remove the entry by hand'
  if (!before.ok || !after.ok) return err(unsafeMessage)
  const { [name]: _, ...others } = (before.value[key] ?? {}) as Data
  const { [key]: __, ...rest } = before.value
  const servers = fields ? { ...others, [name]: fields } : others
  const { [key]: newServers = {}, ...keptLines } = after.value
  return isDeepStrictEqual(toComparable(keptLines), toComparable(rest)) &&
    isDeepStrictEqual(toComparable(newServers), toComparable(servers))
    ? ok(newText)
    : err(unsafeMessage)
}

// Tables come without a prototype, and numbers that are not finite do not survive JSON: a replacer keeps them apart.
const toComparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) =>
      typeof one === 'bigint' || (typeof one === 'number' && !Number.isFinite(one)) ? `number ${one}` : one,
    ),
  )

function appendTable(text: string, at: EntryLocation, fields: Data): string {
  const eol = eolOf(text)
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`
  const body = Object.entries(fields).map(([field, value]) => assignment(field, value))
  return `${text}${gap}${[`[${at.key}.${quotedKey(at.name)}]`, ...body].join(eol)}${eol}`
}

// New lines for the fields that differ, in the table itself; the rest of it stays.
function changeFields(text: string, at: EntryLocation, existing: Data, fields: Data): string {
  const eol = eolOf(text)
  const lines = text.split(/(?<=\n)/)
  const table = tables(lines).find(
    ({ path }) => path.length === 2 && path[0] === at.key && path[1] === at.name,
  )
  if (!table) return text
  const changedFields = Object.entries(fields).filter(
    ([field, value]) => !isDeepStrictEqual(existing[field], value),
  )
  const keptLines = changedFields.reduce(
    (body, [field]) => withoutField(body, field),
    lines.slice(table.from + 1, table.to),
  )
  const newLines = changedFields.map(([field, value]) => `${assignment(field, value)}${eol}`)
  const head = (lines[table.from] ?? '').replace(/(?<!\n)$/, eol)
  return [...lines.slice(0, table.from), head, ...newLines, ...keptLines, ...lines.slice(table.to)].join('')
}

// A value may go over several lines: as many as it takes until they parse.
function withoutField(body: readonly string[], field: string): string[] {
  const at = body.findIndex((line) => new RegExp(`^\\s*"?${field}"?\\s*=`).test(line))
  if (at < 0) return [...body]
  const length =
    range(1, body.length - at + 1).find((count) => parseToml(body.slice(at, at + count).join('')).ok) ?? 0
  return [...body.slice(0, at), ...body.slice(at + length)]
}

interface Table {
  readonly path: readonly string[]
  /** Lines from the header on; up to the next header, less the comments and empty lines that lead to it. */
  readonly from: number
  readonly to: number
}

// A line in a text or a list over several lines may look like a header; what stands before it is then no whole document.
function tables(lines: readonly string[]): Table[] {
  const real = lines.flatMap((line, index) => {
    const path = /^\s*\[/.test(line) ? pathOf(line) : []
    return path.length > 0 && parseToml(lines.slice(0, index).join('')).ok ? [{ index, path }] : []
  })
  return real.map(({ index, path }, number) => {
    let to = real[number + 1]?.index ?? lines.length
    while (to > index + 1 && /^\s*(#.*)?$/.test((lines[to - 1] ?? '').trimEnd())) to -= 1
    return { path, from: index, to }
  })
}

// The keys of a header line, read by the parser; none where the line is something else.
function pathOf(line: string): string[] {
  const parseResult = parseToml(line)
  const keys: string[] = []
  let at: unknown = parseResult.ok ? parseResult.value : undefined
  while (isTable(at) && Object.keys(at).length === 1) {
    const [next = ''] = Object.keys(at)
    keys.push(next)
    at = at[next]
  }
  return keys
}

const quotedKey = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))
const assignment = (field: string, value: unknown): string => stringify({ [field]: value }).trim()
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, step) => from + step)
