// What must not leave: header values that are not known to be harmless, cookies, values whose key says that they are secret, values of
// a known shape, and everything that was seen to be a secret before (taint), however it is encoded. A guard against accidents, not
// against a page that means to get around it.

import { cardNumbers, shapes } from './shapes.ts'
import { harmlessHeaders, isSecretKey, keyed } from './secretkeys.ts'

export interface Redactor {
  text(value: string): string
  /** The same for every text in a record, headers, cookies and storage by what they are. */
  data<T>(value: T): T
  /** Remembers values that must not be told from now on. */
  taint(values: readonly string[]): void
}

export const HIDDEN = '[redacted]'

// What our answers name things by, so that they can be used again.
const handles = new Set(['sessionId', 'cursor', 'ref', 'resource'])

const SHORTEST = 4
const MOST = 500

/** `outer` knows what no session may tell. */
export function createRedactor(outer?: Redactor): Redactor {
  const taints = new Map<string, readonly string[]>()

  function text(value: string): string {
    let told = outer ? outer.text(value) : withoutShapes(value)
    for (const forms of taints.values())
      for (const form of forms) if (told.includes(form)) told = told.replaceAll(form, HIDDEN)
    return told
  }

  function walk(value: unknown, inside: Inside): unknown {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map((item) => walk(item, inside))
    if (typeof value !== 'object' || value === null) return value
    const record = value as Record<string, unknown>
    if (inside.keys && typeof record['name'] === 'string' && typeof record['value'] === 'string') {
      const hide = 'domain' in record || isSecretKey(record['name'])
      return { ...record, value: hide ? HIDDEN : text(record['value']) }
    }
    return Object.fromEntries(Object.entries(record).map(([key, item]) => [key, field(key, item, inside)]))
  }

  function field(key: string, item: unknown, inside: Inside): unknown {
    if (inside.headers) return header(key, item)
    if (!inside.keys && handles.has(key)) return item
    if (inside.keys && typeof item === 'string' && item !== '' && isSecretKey(key)) return HIDDEN
    // What comes from the page has keys of its own making; ours are known.
    return walk(item, {
      headers: key === 'headers',
      keys: inside.keys || key === 'result' || key === 'state',
    })
  }

  const header = (name: string, item: unknown): unknown => {
    if (typeof item !== 'string') return item
    return harmlessHeaders.has(name.toLowerCase()) ? text(item) : `[redacted, ${item.length} characters]`
  }

  return {
    text,
    data: <T>(value: T) => walk(value, { headers: false, keys: false }) as T,
    taint(values) {
      for (const value of values) {
        if (value.length < SHORTEST || taints.has(value)) continue
        taints.set(value, formsOf(value))
        const [oldest = ''] = taints.size > MOST ? taints.keys() : []
        taints.delete(oldest)
      }
    },
  }
}

/** Tells everything, where the user has asked for that. */
export const revealing: Redactor = { text: (value) => value, data: (value) => value, taint: () => {} }

// --- internal ---

interface Inside {
  readonly headers: boolean
  readonly keys: boolean
}

const withoutShapes = (value: string): string => {
  let told = value
  for (const [pattern, stand] of shapes) told = told.replace(pattern, stand)
  return keyed(cardNumbers(told, HIDDEN), HIDDEN)
}

/** A secret as it may be found in texts: as it is, and in the encodings that pages and logs use. Longest first. */
function formsOf(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const html = value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const forms = [value, json, html, uri(value), uri(value).replaceAll('%20', '+'), base64(value)]
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST).sort((a, b) => b.length - a.length)
}

const uri = (value: string): string => encodeURIComponent(value.toWellFormed())

// Without the padding, because what follows the secret changes it.
function base64(value: string): string {
  const bytes = new TextEncoder().encode(value)
  const whole = bytes.slice(0, bytes.length - (bytes.length % 3))
  return btoa(String.fromCharCode(...whole))
}
