// The value of a field of a tool from the words of a command line.

import * as v from 'valibot'
import { err, ok, type Result } from '../../../core/base/result.ts'
import { isRecord, parseJson } from '../../../core/base/text/json.ts'

/** What may be written for a field: nothing, several values, NAME=VALUE, or one value. */
export type FieldKind = 'switch' | 'list' | 'record' | 'value'

type Schema = v.GenericSchema & { readonly wrapped?: Schema; readonly options?: readonly Schema[] }

export function kindOfField(schema: v.GenericSchema): FieldKind {
  const { type } = unwrap(schema)
  return type === 'boolean' ? 'switch' : type === 'array' ? 'list' : type === 'record' ? 'record' : 'value'
}

/** The text itself where the field takes it, else what it means as JSON: a number, true, a list. */
export function readFieldValue(schema: v.GenericSchema | undefined, text: string): unknown {
  const value = parseJson(text)
  if (value === undefined || typeof value === 'string') return text
  if (!schema || isAnyValue(schema)) return value
  const isStructured = typeof value === 'object' && value !== null
  const takesText = !isStructured && v.safeParse(schema, text).success
  return !takesText && v.safeParse(schema, value).success ? value : text
}

/** The value of an option that was given once or several times. Errors continue "VERB: --NAME …". */
export function readOption(schema: v.GenericSchema, texts: readonly string[]): Result<unknown, string> {
  const [text = '', ...others] = texts
  const kind = kindOfField(schema)
  if (kind === 'record') return readRecord(texts)
  if (kind === 'list')
    return ok(
      texts.flatMap((one) => {
        const value = parseJson(one)
        return Array.isArray(value) ? (value as unknown[]) : [one]
      }),
    )
  if (others.length > 0) return err('was given twice')
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? []
  if (width !== undefined && unwrap(schema).type === 'strict_object')
    return ok({ width: Number(width), height: Number(height) })
  return ok(readFieldValue(schema, text))
}

// --- internal ---

function readRecord(texts: readonly string[]): Result<Readonly<Record<string, unknown>>, string> {
  const entries: [string, unknown][] = []
  for (const text of texts) {
    const value = parseJson(text)
    const [, name, content] = /^([^={}]+)=(.*)$/s.exec(text) ?? []
    if (name !== undefined) entries.push([name, content])
    else if (isRecord(value)) entries.push(...Object.entries(value))
    else return err('expects NAME=VALUE')
  }
  return ok(Object.fromEntries(entries))
}

const unwrap = (schema: Schema): Schema => (schema.wrapped ? unwrap(schema.wrapped) : schema)

const isAnyValue = (schema: v.GenericSchema): boolean => ['any', 'unknown'].includes(unwrap(schema).type)
