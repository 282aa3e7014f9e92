// What is wrong with an input, in words: the field, what was expected and what came.

import * as v from 'valibot'
import { clip } from '../base/text/clip.ts'
import type { Schema } from './describe-fields.ts'

type Issue = v.BaseIssue<unknown>

/** `fields[1].value`; empty for the input itself. */
export const pathOf = (issue: Issue): string =>
  joinPath((issue.path ?? []).map(({ key }) => key as string | number))

export const joinPath = (keys: readonly (string | number)[]): string =>
  keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')

export const isUnknownField = (issue: Issue): boolean =>
  issue.type === 'strict_object' && issue.expected === 'never'

/** The names of the fields beside the one that an issue is about. */
export function siblingsOf(schema: Schema, issue: Issue): readonly string[] {
  const parents = schemasAt([schema], (issue.path ?? []).slice(0, -1))
  return parents.flatMap(optionsOf).flatMap(({ entries = {} }) => Object.keys(entries))
}

export function expectationOf(schema: Schema, issue: Issue): string {
  const { expected, type, requirement, input, path = [] } = issue
  if (isUnknownField(issue)) {
    const names = siblingsOf(schema, issue)
    return names.length > 0 ? `one of ${names.join(', ')}` : 'no fields'
  }
  if (type === 'strict_object') {
    const [field] = schemasAt([schema], path)
    return field ? describeType(field.expects) : 'a value'
  }
  const things = Array.isArray(input) ? 'item' : 'character'
  const count = (noun: string) => `${String(requirement)} ${noun}${requirement === 1 ? '' : 's'}`
  const descriptions: Readonly<Record<string, string>> = {
    min_value: `at least ${String(requirement)}`,
    max_value: `at most ${String(requirement)}`,
    min_length: `at least ${count(things)}`,
    max_length: `at most ${count(things)}`,
    max_entries: `at most ${requirement === 1 ? '1 entry' : `${String(requirement)} entries`}`,
    integer: 'an integer',
    url: 'a URL',
    regex: issue.message,
    check: issue.message,
  }
  return descriptions[type] ?? describeType(expected ?? type)
}

export function receivedOf({ received, input }: Issue): string {
  if (received === 'undefined') return 'nothing'
  if (typeof input === 'string' && INVISIBLE_CHARACTER.test(input)) return escapeInvisible(clip(input, 100))
  if (typeof input === 'string' && input.length > 100) return `${JSON.stringify(input.slice(0, 100))}…`
  return TYPE_WORDS[received] ?? received
}

/** A name that may have any characters, in one line. */
export const printableName = (name: string): string =>
  INVISIBLE_CHARACTER.test(name) ? escapeInvisible(name).slice(1, -1) : name

// --- internal ---

const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cs}]/u

// The text as JSON, with invisible characters escaped.
const escapeInvisible = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u009f]/g, (character) => {
    return `\\u00${character.charCodeAt(0).toString(16)}`
  })

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
}

/** Of `(string | boolean | Array)`: `a string, true or false or a list`. */
function describeType(expects: string): string {
  const list = /^\((.*)\)$/s.exec(expects)?.[1]
  const words = (list?.split(' | ') ?? [expects]).map((type) => TYPE_WORDS[type] ?? type)
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ')
}

function schemasAt(
  schemas: readonly Schema[],
  path: readonly { readonly key: unknown }[],
): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (parents, { key }) =>
      parents.flatMap(optionsOf).flatMap(({ item, entries = {} }) => {
        const field =
          typeof key === 'number' ? item : Object.hasOwn(entries, String(key)) && entries[String(key)]
        return field ? [unwrap(field)] : []
      }),
    schemas,
  )
}

const unwrap = (schema: Schema): Schema => (schema.wrapped ? unwrap(schema.wrapped) : schema)

/** Those of a union; otherwise the schema itself. */
const optionsOf = (schema: Schema): readonly Schema[] =>
  schema.type === 'union' && schema.options
    ? schema.options.flatMap((option) => (typeof option === 'string' ? [] : optionsOf(unwrap(option))))
    : [schema]
