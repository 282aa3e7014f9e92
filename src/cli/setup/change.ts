// What becomes of a client's file, decided from its bytes alone.

import { isDeepStrictEqual } from 'node:util'
import { clientOf, type ClientName } from './clients.ts'
import { decode, encode, type Format, type Text } from './document.ts'
import { jsonFormat } from './json.ts'
import { tomlFormat } from './toml.ts'
import { err, map, ok, type Result } from '../../core/result.ts'

export type Change =
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

export interface Subject {
  readonly client: ClientName
  readonly name: string
  /** The bytes of the file; undefined where there is none. */
  readonly bytes: Uint8Array | undefined
}

const formatOf = (client: ClientName): Format =>
  clientOf(client).format === 'toml' ? tomlFormat : jsonFormat

/** Puts the entry in, or brings an older one of that name up to date; its other fields stay. Errors continue "FILE …". */
export function adding(
  { client, name, bytes }: Subject,
  entry: Record<string, unknown>,
): Result<Change, string> {
  const was = bytes && decode(bytes)
  if (was && !was.ok) return was
  const { bom, text } = was?.value ?? { bom: false, text: '' }
  const at = { key: clientOf(client).key, name }
  const format = formatOf(client)
  const old = format.entry(text, at)
  if (!old.ok) return old
  if (old.value && holds(old.value, entry)) return ok({ kind: 'nothing' })
  if (old.value && !('command' in old.value))
    return err(
      `has another kind of entry named "${name}". Pass --name to add a second one, or --remove the existing one first`,
    )
  return map(format.put(text, at, entry), (made) => ({
    kind: 'write',
    was: was?.value,
    text: { bom, text: made },
    replaced: old.value !== undefined,
  }))
}

/** Takes the entry out. A backup that differs from the file by exactly the entry is what the file was, byte for byte. */
export function removing(
  { client, name, bytes }: Subject,
  backups: readonly Uint8Array[],
): Result<Change, string> {
  if (!bytes) return ok({ kind: 'nothing' })
  const was = decode(bytes)
  if (!was.ok) return was
  const at = { key: clientOf(client).key, name }
  const format = formatOf(client)
  const old = format.entry(was.value.text, at)
  if (!old.ok) return old
  const entry = old.value
  if (!entry) return ok({ kind: 'nothing' })
  const leads = (before: Text): boolean => {
    const made = format.put(before.text, at, entry)
    return before.bom === was.value.bom && made.ok && made.value === was.value.text
  }
  const done = (text: Text): Change => ({ kind: 'write', was: was.value, text, replaced: false })
  const lacks = ({ text }: Text): boolean => {
    const found = format.entry(text, at)
    return found.ok && found.value === undefined
  }
  const before = backups
    .map(decode)
    .flatMap((backup) => (backup.ok ? [backup.value] : []))
    .find((backup) => lacks(backup) && leads(backup))
  if (before) return ok(done(before))
  if (backups.length === 0 && leads({ bom: false, text: '' })) return ok({ kind: 'delete', was: was.value })
  return map(format.drop(was.value.text, at), (text) => done({ bom: was.value.bom, text }))
}

/** The bytes that a text is stored as. */
export const bytesOf = (text: Text): Uint8Array => encode(text)

const holds = (old: Record<string, unknown>, wanted: Record<string, unknown>): boolean =>
  Object.entries(wanted).every(
    ([field, value]) =>
      isDeepStrictEqual(old[field], value) || (field === 'type' && old[field] === undefined),
  )
