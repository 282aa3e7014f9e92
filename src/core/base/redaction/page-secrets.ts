// Decides which values of the fields, storage and cookies of a page are secrets.

import type { StorageItem } from '../storage.ts'
import { decodePart } from './encodings.ts'
import { findNamedValues } from './named-values.ts'
import { type FieldDescription, isSecretField, isSecretName, levelOfName } from './secret-names.ts'
import { isDistinctive, looksLikeSecret } from './secret-values.ts'

/** Within this time a page must report its fields and its storage, or nothing of it is shown. An action has the same time by default. */
export const SECRETS_REPORT_TIMEOUT_MS = 5000

export interface FieldReport extends FieldDescription {
  readonly value: string
}

interface CookieReport extends StorageItem {
  readonly httpOnly: boolean
}

export interface PageReport {
  readonly fields: readonly FieldReport[]
  readonly storage: readonly (readonly [name: string, value: string])[]
  readonly cookies: readonly CookieReport[]
}

export interface PageSecrets {
  readonly fieldValues: readonly string[]
  readonly storedValues: readonly string[]
  /** Names of secret fields that are not secret names themselves. */
  readonly fieldNames: readonly string[]
  /** Values of secret fields that are too common to be searched in texts: they are hidden only where the field is shown. */
  readonly ordinaryValues: readonly string[]
  /** Values of fields that the user declared as secrets. */
  readonly declaredValues: readonly string[]
}

export function choosePageSecrets({
  fields,
  storage,
  cookies,
}: PageReport): Omit<PageSecrets, 'declaredValues'> {
  const secretFields = fields.filter((field) => isSecretField(field))
  const secretLookingFields = fields.filter(({ name, id, value }) =>
    [name, id].some((label) => levelOfName(label) === 'weak' && looksLikeSecret(value, true)),
  )
  const values = [...secretFields, ...secretLookingFields]
    .map(({ value }) => value)
    .filter((value) => value !== '')
  const names = secretFields.map(({ name }) => name).filter((name) => name !== '' && !isSecretName(name))
  return {
    fieldValues: [...new Set(values)],
    storedValues: [...storage.flatMap(storedSecretsOf), ...cookies.flatMap(cookieSecretsOf)],
    fieldNames: [...new Set(names)],
    ordinaryValues: [...new Set(values.filter((value) => !isDistinctive(value.trim())))],
  }
}

// --- internal ---

// Applications often store their whole state as one JSON string.
function storedSecretsOf([name, value]: readonly [string, string]): string[] {
  const level = levelOfName(name)
  const namedValues = /^\s*[{[]/.test(value)
    ? findNamedValues(value).map(({ start, end }) => value.slice(start, end))
    : []
  const isWholeSecret =
    namedValues.length === 0 && (level === 'secret' || (level === 'weak' && looksLikeSecret(value, true)))
  return isWholeSecret ? [value] : namedValues
}

// The value of a cookie that stores a colour or a page must not be hidden everywhere.
function cookieSecretsOf({ name, value, httpOnly }: CookieReport): string[] {
  const level = levelOfName(name)
  const isMixed = value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value)
  const isSecret =
    level === 'secret' ||
    looksLikeSecret(decodePart(value), true) ||
    ((httpOnly || level === 'weak') && isMixed)
  return isSecret ? [...new Set([value, decodePart(value)])] : []
}
