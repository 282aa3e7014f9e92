// The words after a verb as fields of its tool.

import { resolve } from 'node:path'
import { err, map, ok, type Result } from '../../core/base/result.ts'
import { clip } from '../../core/base/text/clip.ts'
import { isRecord } from '../../core/base/text/json.ts'
import type { Fields, Verb } from '../../core/tool/verb.ts'
import { readOption } from '../lib/calls/read-field.ts'
import { parseTarget } from './target.ts'
import { entriesOf } from './verbs.ts'

/** The fields of the words by the usage of their verb: a word that is optional is there if there are more words than those that must be. */
export function readWords(verb: Verb, words: readonly string[], options: Fields): Result<Fields, string> {
  const places = verb.usage.split(' ').filter(Boolean)
  const isRequired = (place: string) => !place.startsWith('[')
  const optionPlaces = places.filter(
    (place) => isRequired(place) && fieldsOfPlace(place).some((name) => name in options),
  )
  const requiredCount = places.filter(isRequired).length - optionPlaces.length
  const isOpen = places.some((place) => place.includes('...'))
  const missing = places.filter((place) => isRequired(place) && !optionPlaces.includes(place))[words.length]
  if (missing !== undefined) return err(`${missing.replace('...', '')} is missing.`)
  const stray = isOpen ? undefined : words[places.length - optionPlaces.length]
  if (stray !== undefined) {
    const [advice = ''] = Object.values(verb.tools[0].removed ?? {})
    return err(`"${clip(stray, 100)}" is one word too many; texts with spaces need quotes. ${advice}`.trim())
  }
  if (verb.read) return ok(verb.read(words, options))
  if (verb.names[0] === 'fill' && words.length > 2)
    return words.length % 2 === 0 ? ok({}) : err(`"${clip(words.at(-1) ?? '', 100)}" has no TEXT after it.`)
  let spare = words.length - requiredCount
  let fields: Fields = {}
  let rest = words
  for (const place of places) {
    if (optionPlaces.includes(place) || place === '[MORE...]') continue
    if (!isRequired(place) && spare <= 0) continue
    if (!isRequired(place)) spare -= 1
    const taken = place.includes('...') ? rest : rest.slice(0, 1)
    rest = rest.slice(taken.length)
    const value = readPlace(verb, place, taken)
    if (!value.ok) return value
    fields = { ...fields, ...value.value }
  }
  return ok(fields)
}

/** The fields that a word of a usage may set. */
export const fieldsOfPlace = (place: string): readonly string[] => {
  const field = fieldOf(place)
  return field === 'target' ? ['ref', 'selector'] : field === 'to' ? ['toRef', 'toSelector'] : [field]
}

/** The input with its paths resolved against the folder of the caller. */
export function resolvePaths(input: Fields, cwd: string): Fields {
  const isPath = (name: string, value: string) =>
    PATH_FIELDS.includes(name as never) ||
    name === 'paths' ||
    (name === 'har' && !/^(record|save)$/.test(value)) ||
    (name === 'initScript' && /^[^\s;"'`(){}=]+\.[cm]?js$/.test(value))
  const resolveValue = (name: string, value: unknown): unknown => {
    if (name === 'answer' && isRecord(value)) return resolvePaths(value, cwd)
    if (Array.isArray(value) && name === 'paths') return value.map((one: unknown) => resolveValue(name, one))
    return typeof value === 'string' && isPath(name, value) ? resolve(cwd, value) : value
  }
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, resolveValue(name, value)]))
}

// --- internal ---

const fieldOf = (place: string): string =>
  place
    .replace(/[[\].]/g, '')
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Tools whose elements are fields, which are called by their labels. */
const FIELD_TOOLS: ReadonlySet<string> = new Set(['type', 'select', 'fill_form', 'upload_file'])

function readPlace(verb: Verb, place: string, words: readonly string[]): Result<Fields, string> {
  const field = fieldOf(place)
  const [word = ''] = words
  const target = parseTarget(word, FIELD_TOOLS.has(verb.tools[0].name)).fields
  if (field === 'target') return ok(target)
  if (field === 'to') return ok('ref' in target ? { toRef: target.ref } : { toSelector: target.selector })
  const schema = entriesOf(verb)[field]
  if (!schema) return err(`${place} has no field.`)
  return map(readOption(schema, words), (value) => ({ [field]: value }))
}

/** Fields that are the path of a file or folder. */
const PATH_FIELDS = ['path', 'baseline', 'cwd', 'commandPath', 'storageState'] as const
