// What becomes of a client's file, decided from its bytes alone.

import { isDeepStrictEqual } from 'node:util'
import { clientOf, type ClientName } from './clients.ts'
import { decode, encode, type Format, type Text } from './document.ts'
import { jsonFormat } from './json-format.ts'
import { tomlFormat } from './toml-format.ts'
import { err, map, ok, type Result } from '../../core/result.ts'

export type FileChange =
  /** `was` is undefined where there is no file yet. */
  | {
      readonly kind: 'write'
      readonly was: Text | undefined
      readonly text: Text
      readonly replaced: boolean
    }
  /** The file holds nothing but what was put into it when it was made. */
  | { readonly kind: 'delete'; readonly was: Text }
  | { readonly kind: 'nothing' }

export interface EntryFile {
  readonly client: ClientName
  readonly name: string
  /** The bytes of the file; undefined where there is none. */
  readonly bytes: Uint8Array | undefined
}

const formatOf = (client: ClientName): Format =>
  clientOf(client).format === 'toml' ? tomlFormat : jsonFormat

/** Puts the entry in, or brings an older one of that name up to date; its other fields stay. Errors continue "FILE …". */
export function planAddition(
  { client, name, bytes }: EntryFile,
  entry: Record<string, unknown>,
): Result<FileChange, string> {
  const decodeResult = bytes && decode(bytes)
  if (decodeResult && !decodeResult.ok) return decodeResult
  const { bom, text } = decodeResult?.value ?? { bom: false, text: '' }
  const location = { key: clientOf(client).key, name }
  const format = formatOf(client)
  const existing = format.entry(text, location)
  if (!existing.ok) return existing
  if (existing.value && includesFields(existing.value, entry)) return ok({ kind: 'nothing' })
  if (existing.value && !('command' in existing.value))
    return err(
      `has another kind of entry named "${name}". Pass --name to add a second one, or --remove the existing one first`,
    )
  return map(format.put(text, location, entry), (newText) => ({
    kind: 'write',
    was: decodeResult?.value,
    text: { bom, text: newText },
    replaced: existing.value !== undefined,
  }))
}

/** Takes the entry out. A backup that differs from the file by exactly the entry is what the file was, byte for byte. */
export function planRemoval(
  { client, name, bytes }: EntryFile,
  backups: readonly Uint8Array[],
): Result<FileChange, string> {
  if (!bytes) return ok({ kind: 'nothing' })
  const decodeResult = decode(bytes)
  if (!decodeResult.ok) return decodeResult
  const location = { key: clientOf(client).key, name }
  const format = formatOf(client)
  const existing = format.entry(decodeResult.value.text, location)
  if (!existing.ok) return existing
  const entry = existing.value
  if (!entry) return ok({ kind: 'nothing' })
  const isResultOf = (original: Text): boolean => {
    const newText = format.put(original.text, location, entry)
    return original.bom === decodeResult.value.bom && newText.ok && newText.value === decodeResult.value.text
  }
  const writeChange = (text: Text): FileChange => ({
    kind: 'write',
    was: decodeResult.value,
    text,
    replaced: false,
  })
  const hasNoEntry = ({ text }: Text): boolean => {
    const entryBefore = format.entry(text, location)
    return entryBefore.ok && entryBefore.value === undefined
  }
  const original = backups
    .map(decode)
    .flatMap((backup) => (backup.ok ? [backup.value] : []))
    .find((backup) => hasNoEntry(backup) && isResultOf(backup))
  if (original) return ok(writeChange(original))
  if (backups.length === 0 && isResultOf({ bom: false, text: '' }))
    return ok({ kind: 'delete', was: decodeResult.value })
  return map(format.drop(decodeResult.value.text, location), (text) =>
    writeChange({ bom: decodeResult.value.bom, text }),
  )
}

/** The bytes that a text is stored as. */
export const bytesOf = (text: Text): Uint8Array => encode(text)

const includesFields = (existing: Record<string, unknown>, fields: Record<string, unknown>): boolean =>
  Object.entries(fields).every(
    ([field, value]) =>
      isDeepStrictEqual(existing[field], value) || (field === 'type' && existing[field] === undefined),
  )
