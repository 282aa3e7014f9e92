// Redacts structured results: every string, and values by their keys. Names and ids of Footlight stay, so that they can be used in the
// next call; in data of a page the keys count too.

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

/** Fields of results whose values clients pass to other calls. */
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

/** Fields of results that have data of a page, with its own keys. */
const PAGE_DATA_KEYS = new Set(['result', 'state', 'arg'])

type RedactText = (text: string, inBody: boolean) => string

/** A copy of `value` in which every string is redacted. */
export function redactRecord(value: unknown, redactText: RedactText): unknown {
  return redactValue(value, { isPageData: false, isBody: false }, redactText)
}

// --- internal ---

interface RecordContext {
  readonly isPageData: boolean
  /** The body of a request. */
  readonly isBody: boolean
}

function redactValue(value: unknown, context: RecordContext, redactText: RedactText): unknown {
  if (typeof value === 'string') return redactText(value, context.isBody)
  if (Array.isArray(value)) return redactArray(value, context, redactText)
  if (typeof value !== 'object' || value === null) return value
  const record = value as Record<string, unknown>
  if (typeof record['tag'] === 'string' && record['attributes'])
    return redactDomNode(record, context, redactText)
  const isOauth = context.isPageData && Object.keys(record).some(isOauthName)
  const redactItem = (key: string, item: unknown) => {
    if (isOauth && typeof item === 'string' && isOauthSecret(key)) return REDACTED
    return key === 'value' && context.isPageData && isNamedValue(record)
      ? redactNamedValue(record, context, redactText)
      : redactField(key, item, context, redactText)
  }
  return Object.fromEntries(
    Object.entries(record).map(([key, item]) => [
      context.isPageData ? redactText(key, false) : key,
      redactItem(key, item),
    ]),
  )
}

// A list of pairs, as of Object.entries and of Headers, has the fields of a record. A pair that is in no list may be two words.
function redactArray(items: readonly unknown[], context: RecordContext, redactText: RedactText): unknown {
  if (!context.isPageData || !items.every(isPair))
    return items.map((item) => redactValue(item, context, redactText))
  return items.map(([name, item]) => [redactText(name, false), redactByName(name, item, context, redactText)])
}

const isPair = (item: unknown): item is readonly [string, unknown] =>
  Array.isArray(item) && item.length === 2 && typeof item[0] === 'string'

function redactField(key: string, item: unknown, context: RecordContext, redactText: RedactText): unknown {
  if (key === 'headers' && typeof item === 'object' && item !== null && !Array.isArray(item))
    return mapValues(item, (name, value) => redactHeader(name, value, redactText))
  if (key === 'headers' && Array.isArray(item))
    return item.map((header: Record<string, unknown>) =>
      typeof header === 'object' && header !== null && isNamedValue(header)
        ? { ...header, value: redactHeader(String(header['name']), header['value'], redactText) }
        : redactValue(header, context, redactText),
    )
  if (!context.isPageData) {
    if (HANDLE_KEYS.has(key)) return item
    return redactValue(item, { isPageData: PAGE_DATA_KEYS.has(key), isBody: key === 'body' }, redactText)
  }
  return redactByName(key, item, context, redactText)
}

function redactByName(name: string, item: unknown, context: RecordContext, redactText: RedactText): unknown {
  const level = levelOfName(name)
  if (level === 'secret') return hideLeaves(item, name, (text) => redactText(text, context.isBody))
  if (level === 'weak' && typeof item === 'string' && looksLikeSecret(item, true)) return REDACTED
  return redactValue(item, context, redactText)
}

// Hides everything below a secret name; also numbers, except counts, but not descriptions of the field.
function hideLeaves(item: unknown, key: string, redactOther: (text: string) => string): unknown {
  if (typeof item === 'string') {
    // A JSON object as a string: its own keys tell what is secret.
    const redacted = item === '' || isProse(item) || /^\s*\{/.test(item) ? redactOther(item) : REDACTED
    return redacted === item && /^\s*\{/.test(item) ? REDACTED : redacted
  }
  if (typeof item === 'number') return Math.abs(item) >= 100 ? REDACTED : item
  if (Array.isArray(item)) return item.map((child) => hideLeaves(child, key, redactOther))
  if (typeof item !== 'object' || item === null) return item
  return mapValues(item, (name, child) =>
    isDescriptiveKey(name) && typeof child === 'string'
      ? redactOther(child)
      : hideLeaves(child, name, redactOther),
  )
}

// A cookie, or an entry of a storage.
const isNamedValue = (record: Record<string, unknown>): boolean =>
  typeof record['name'] === 'string' && typeof record['value'] === 'string'

function redactNamedValue(
  record: Record<string, unknown>,
  context: RecordContext,
  redactText: RedactText,
): unknown {
  return 'domain' in record
    ? REDACTED
    : redactByName(String(record['name']), record['value'], context, redactText)
}

function redactHeader(name: string, value: unknown, redactText: RedactText): unknown {
  if (Array.isArray(value)) return value.map((part) => redactHeader(name, part, redactText))
  if (typeof value !== 'string') return value
  const notice = `[redacted, ${value.length} characters]`
  if (isCredentialHeader(name)) {
    if (!/cookie/i.test(name) || !value.includes('=')) return notice
    return value
      .split('\n')
      .map((line) => redactText(`${name}: ${line}`, false).slice(name.length + 2))
      .join('\n')
  }
  const plainName = name.replace(/^x-/i, '')
  if (isSecretName(plainName) && !isProse(value)) return notice
  return !isHarmlessHeader(name) && looksLikeSecret(value, levelOfName(plainName) !== 'plain')
    ? notice
    : redactText(value, false)
}

function redactDomNode(
  record: Record<string, unknown>,
  context: RecordContext,
  redactText: RedactText,
): unknown {
  const attributes = record['attributes'] as Record<string, string>
  const readAttribute = (name: string) => String(attributes[name] ?? '')
  const field = {
    type: readAttribute('type'),
    name: readAttribute('name'),
    id: readAttribute('id'),
    autocomplete: readAttribute('autocomplete'),
  }
  const isSecret = /^(input|textarea)$/.test(String(record['tag'])) && isSecretField(field, isSecretName)
  const redactedAttributes = mapValues(attributes, (name, value) =>
    isSecret && name === 'value' && value !== ''
      ? REDACTED
      : redactByName(name.replace(/^data-/, ''), String(value), context, redactText),
  )
  const { attributes: _, children, text, ...otherFields } = record
  return {
    ...otherFields,
    attributes: redactedAttributes,
    ...(text !== undefined && { text: isSecret ? REDACTED : redactValue(text, context, redactText) }),
    ...(children !== undefined && { children: redactValue(children, context, redactText) }),
  }
}

const mapValues = (
  record: object,
  transform: (key: string, value: unknown) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, transform(key, value)]))
