// All text that leaves Footlight is redacted here. It prevents accidental leaks, not those of a page that evades it. See SECURITY.md.

import { createBoundedMap } from '../bounded-collections.ts'
import { decodeBase64 } from './encodings.ts'
import { createKnownValues, type KnownValues, type SecretSource } from './known-values.ts'
import { findEmbeddedSecrets, findSecrets } from './secret-finder.ts'
import {
  isCredentialHeader,
  isDescriptiveKey,
  isHarmlessHeader,
  isOauthName,
  isOauthSecret,
  isSecretField,
  isSecretName,
  levelOfName,
} from './secret-names.ts'
import { isProse, looksLikeSecret } from './secret-values.ts'
import { findPositionOutside, REDACTED, replaceSpans, type Span } from './spans.ts'
import { innerTokenStart, type MoreTokenShapes } from './token-shapes.ts'

export interface Redactor {
  redactText(value: string): string
  /** The redacted part of a text from `from`, of at most `length` characters, that cuts no secret. `end` is the start of the next part. */
  redactPart(value: string, from: number, length: number): { readonly text: string; readonly end: number }
  /** Redacts every string in a record; headers, cookies, storage and form fields also by their names. */
  redactData<T>(value: T): T
  /** The secrets of a text, each once. */
  findValues(value: string): readonly string[]
  /** Redacts what stands in bytes that are encoded as base64: as text if they are text, else without changing their number. */
  redactBase64(value: string): string
  /** Hides these values from now on. */
  learn(source: SecretSource, values: readonly string[]): void
  /** Hides the values of fields with these names in request bodies from now on. */
  learnNames(names: readonly string[]): void
  /** Whether the value contains one that the user declared as a secret. */
  containsDeclared(value: string): boolean
  /** Whether there are values to hide. */
  hasValues(): boolean
  readonly known: KnownValues
}

interface RedactorOptions {
  /** The redactor of the process, whose values are hidden in all sessions. */
  readonly parent?: Redactor
  readonly shapes?: MoreTokenShapes
  /** Values of Footlight itself, such as the id and name of the session, that are never secrets. */
  readonly ownValues?: readonly string[]
}

const FIELD_NAME_LIMIT = 200

export function createRedactor({
  parent,
  shapes = { find: () => [], ruleCount: () => 0 },
  ownValues = [],
}: RedactorOptions = {}): Redactor {
  const ownValueSet = new Set(ownValues)
  const known = createKnownValues((value) => ownValueSet.has(value))
  const fieldNames = new Set<string>()
  const sources = { known: [known, ...(parent ? [parent.known] : [])], findShapes: shapes.find, fieldNames }
  const redactAnew = (value: string, isBody: boolean): string =>
    replaceSpans(value, findSecrets(value, isBody, sources))
  const recall = createTextMemory(
    (value) => redactAnew(value, false),
    () => sources.known.reduce((sum, { revision }) => sum + revision, shapes.ruleCount()),
  )
  const redactText = (value: string, isBody = false): string =>
    isBody ? redactAnew(value, true) : recall(value)
  return {
    redactText: (value) => redactText(value),
    redactPart(value, from, length) {
      const spans = findSecrets(value, false, sources)
      const start = findPositionOutside(spans, from, from)
      const end = findPositionOutside(spans, Math.min(value.length, start + length), start)
      const spansInside = spans.filter((span) => span.start >= start && span.end <= end)
      const shiftedSpans = spansInside.map((span) => ({
        ...span,
        start: span.start - start,
        end: span.end - start,
      }))
      return { text: replaceSpans(value.slice(start, end), shiftedSpans), end }
    },
    redactData: <T>(value: T) => redactRecord(value, redactText) as T,
    findValues: (value) => [
      ...new Set(findSecrets(value, false, sources).map(({ start, end }) => value.slice(start, end))),
    ],
    redactBase64: (value) =>
      redactBytes(
        value,
        (text) => redactText(text, true),
        (text) => findEmbeddedSecrets(text, sources),
      ),
    learn: known.learn,
    learnNames(names) {
      for (const name of names)
        if (name.length > 1 && fieldNames.size < FIELD_NAME_LIMIT) fieldNames.add(name)
    },
    containsDeclared: (value) => (parent?.known ?? known).find(value).length > 0,
    hasValues: () => known.size + (parent?.known.size ?? 0) > 0,
    known,
  }
}

/** Redacts nothing, for users who disabled the redaction. */
export const revealingRedactor: Redactor = {
  redactText: (value) => value,
  redactPart: (value, from, length) => ({
    text: value.slice(from, from + length),
    end: Math.min(value.length, from + length),
  }),
  redactData: (value) => value,
  findValues: () => [],
  redactBase64: (value) => value,
  learn: () => {},
  learnNames: () => {},
  containsDeclared: () => false,
  hasValues: () => false,
  known: createKnownValues(() => true),
}

// --- internal ---

// Lists of requests and messages have the same texts from call to call. A text is redacted again once there are other secrets to find.
const REMEMBERED_TEXTS = 1000
const REMEMBERED_TEXT_CHARS = 500

function createTextMemory(redact: (text: string) => string, revisionNow: () => number): typeof redact {
  const texts = createBoundedMap<string, string>(REMEMBERED_TEXTS)
  let revision = revisionNow()
  return (text) => {
    if (text.length > REMEMBERED_TEXT_CHARS) return redact(text)
    if (revision !== revisionNow()) texts.clear()
    revision = revisionNow()
    const known = texts.get(text)
    if (known !== undefined) return known
    const redacted = redact(text)
    texts.set(text, redacted)
    return redacted
  }
}

// Redacts structured results: every string, and values by their keys. Names and ids of Footlight stay, so that they can be used in the
// next call; in data of a page the keys count too.
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
function redactRecord(value: unknown, redactText: RedactText): unknown {
  return redactValue(value, { isPageData: false, isBody: false }, redactText)
}

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
    Object.entries(record)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [context.isPageData ? redactText(key, false) : key, redactItem(key, item)]),
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
  const isSecret = /^(input|textarea)$/.test(String(record['tag'])) && isSecretField(field)
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

// Redacts bytes, such as bodies of protobuf and gRPC. In what is no text each byte of a secret becomes an asterisk, so that the lengths in it
// stay right.
/** The bytes, encoded as base64 again, without their secrets; what is no base64 is redacted as a text. */
function redactBytes(
  base64: string,
  redactText: (text: string) => string,
  findEmbedded: (text: string) => readonly Span[],
): string {
  const text = decodeBase64(base64)
  if (text !== undefined) {
    const redacted = redactText(text)
    return redacted === text ? base64 : btoa(toByteString(redacted))
  }
  const bytes = decodeByteString(base64)
  if (bytes === undefined) return redactText(base64)
  const masked = bytes.replace(textRun, (run) => {
    const runText = decodeUtf8(run)
    return runText === undefined
      ? run.replace(asciiRun, (part) => maskRun(part, findEmbedded))
      : toByteString(maskRun(runText, findEmbedded))
  })
  return masked === bytes ? base64 : btoa(masked)
}

// Of a byte string, which has one character a byte.
const textRun = /[ -~\x80-\xff]{4,}/g
const asciiRun = /[ -~]{4,}/g

// The byte before a token may be its length and look like a letter of it.
function maskRun(run: string, findEmbedded: (text: string) => readonly Span[]): string {
  const mask = (text: string) =>
    replaceSpans(
      text,
      findEmbedded(text).map(({ start, end }) => ({
        start,
        end,
        replacement: '*'.repeat(toByteString(text.slice(start, end)).length),
      })),
    )
  return mask(run).split(innerTokenStart).map(mask).join('')
}

const toByteString = (text: string): string => {
  const parts: string[] = []
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + BLOCK_BYTES)))
  return parts.join('')
}

const BLOCK_BYTES = 8192

function decodeUtf8(bytes: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    )
  } catch {
    return undefined
  }
}

function decodeByteString(base64: string): string | undefined {
  try {
    return atob(base64)
  } catch {
    return undefined
  }
}
