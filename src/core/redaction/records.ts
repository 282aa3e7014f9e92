// Structured answers: every text in them, and what the structure itself says. Our own names and handles stay, so that an answer can be
// used; what comes from a page is judged by its keys too.

import {
  isOauthName,
  isOauthSecret,
  isCredentialHeader,
  isDescriptiveKey,
  isHarmlessHeader,
  isSecretField,
  isSecretName,
  levelOfName,
} from './secret-names.ts'
import { isProse, looksLikeSecret } from './secret-values.ts'
import { REDACTED } from './spans.ts'

/** What our answers name things by, so that they can be used again. */
const HANDLE_KEYS = new Set([
  'sessionId',
  'cursor',
  'ref',
  'resource',
  'uri',
  'errorCode',
  'category',
  'status',
  'code',
  'mimeType',
])

/** Fields of our answers that hold what a page made, with keys of its choosing. */
const PAGE_DATA_KEYS = new Set(['result', 'state', 'arg'])

type RedactText = (text: string, inBody: boolean) => string

/** A copy of `value` in which every text is redacted. */
export function redactRecord(value: unknown, redactText: RedactText): unknown {
  return redactValue(value, { isPageData: false, isBody: false }, redactText)
}

// --- internal ---

interface RecordContext {
  readonly isPageData: boolean
  /** The body of a request. */
  readonly isBody: boolean
}

function redactValue(value: unknown, place: RecordContext, redactText: RedactText): unknown {
  if (typeof value === 'string') return redactText(value, place.isBody)
  if (Array.isArray(value)) return value.map((item) => redactValue(item, place, redactText))
  if (typeof value !== 'object' || value === null) return value
  const record = value as Record<string, unknown>
  if (place.isPageData && isNamedValue(record))
    return { ...record, value: redactNamedValue(record, place, redactText) }
  if (typeof record['tag'] === 'string' && record['attributes'])
    return redactDomNode(record, place, redactText)
  const isOauth = place.isPageData && Object.keys(record).some(isOauthName)
  return Object.fromEntries(
    Object.entries(record).map(([key, item]) => [
      place.isPageData ? redactText(key, false) : key,
      isOauth && typeof item === 'string' && isOauthSecret(key)
        ? REDACTED
        : redactField(key, item, place, redactText),
    ]),
  )
}

function redactField(key: string, item: unknown, place: RecordContext, redactText: RedactText): unknown {
  if (key === 'headers' && typeof item === 'object' && item !== null && !Array.isArray(item))
    return mapValues(item, (name, value) => redactHeader(name, value, redactText))
  if (key === 'headers' && Array.isArray(item))
    return item.map((one: Record<string, unknown>) =>
      typeof one === 'object' && one !== null && isNamedValue(one)
        ? { ...one, value: redactHeader(String(one['name']), one['value'], redactText) }
        : redactValue(one, place, redactText),
    )
  if (!place.isPageData) {
    if (HANDLE_KEYS.has(key)) return item
    return redactValue(item, { isPageData: PAGE_DATA_KEYS.has(key), isBody: key === 'body' }, redactText)
  }
  return redactByName(key, item, place, redactText)
}

function redactByName(name: string, item: unknown, place: RecordContext, redactText: RedactText): unknown {
  const level = levelOfName(name)
  if (level === 'secret') return hideLeaves(item, name, (text) => redactText(text, place.isBody))
  if (level === 'weak' && typeof item === 'string' && looksLikeSecret(item, true)) return REDACTED
  return redactValue(item, place, redactText)
}

// Everything below a name that says secret; numbers too, but not a count, and not words about the field.
function hideLeaves(item: unknown, key: string, otherwise: (text: string) => string): unknown {
  if (typeof item === 'string') {
    // An object as text: what in it is a secret is known by its own names.
    const shown = item === '' || isProse(item) || /^\s*\{/.test(item) ? otherwise(item) : REDACTED
    return shown === item && /^\s*\{/.test(item) ? REDACTED : shown
  }
  if (typeof item === 'number') return Math.abs(item) >= 100 ? REDACTED : item
  if (Array.isArray(item)) return item.map((one) => hideLeaves(one, key, otherwise))
  if (typeof item !== 'object' || item === null) return item
  return mapValues(item, (name, one) =>
    isDescriptiveKey(name) && typeof one === 'string' ? otherwise(one) : hideLeaves(one, name, otherwise),
  )
}

// A cookie, or an entry of a storage.
const isNamedValue = (record: Record<string, unknown>): boolean =>
  typeof record['name'] === 'string' && typeof record['value'] === 'string'

function redactNamedValue(
  record: Record<string, unknown>,
  place: RecordContext,
  redactText: RedactText,
): unknown {
  return 'domain' in record
    ? REDACTED
    : redactByName(String(record['name']), record['value'], place, redactText)
}

function redactHeader(name: string, value: unknown, redactText: RedactText): unknown {
  if (Array.isArray(value)) return value.map((one) => redactHeader(name, one, redactText))
  if (typeof value !== 'string') return value
  const hidden = `[redacted, ${value.length} characters]`
  if (isCredentialHeader(name)) {
    if (!/cookie/i.test(name) || !value.includes('=')) return hidden
    return value
      .split('\n')
      .map((line) => redactText(`${name}: ${line}`, false).slice(name.length + 2))
      .join('\n')
  }
  const plainName = name.replace(/^x-/i, '')
  if (isSecretName(plainName) && !isProse(value)) return hidden
  return !isHarmlessHeader(name) && looksLikeSecret(value, levelOfName(plainName) !== 'plain')
    ? hidden
    : redactText(value, false)
}

function redactDomNode(
  record: Record<string, unknown>,
  place: RecordContext,
  redactText: RedactText,
): unknown {
  const attributes = record['attributes'] as Record<string, string>
  const read = (name: string) => String(attributes[name] ?? '')
  const described = {
    type: read('type'),
    name: read('name'),
    id: read('id'),
    autocomplete: read('autocomplete'),
  }
  const secret = /^(input|textarea)$/.test(String(record['tag'])) && isSecretField(described, isSecretName)
  const shown = mapValues(attributes, (name, value) =>
    secret && name === 'value' && value !== '' ? REDACTED : redactText(String(value), false),
  )
  const { attributes: _, children, text, ...rest } = record
  return {
    ...rest,
    attributes: shown,
    ...(text !== undefined && { text: secret ? REDACTED : redactValue(text, place, redactText) }),
    ...(children !== undefined && { children: redactValue(children, place, redactText) }),
  }
}

const mapValues = (record: object, map: (key: string, value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(key, value)]))
