// The arguments of console methods as readable text. Playwright's client formats objects from a preview that omits elements, classes and
// some kinds of numbers, and in Firefox the message of an error; so the events of the browsers are formatted here.

import { clip } from '../../core/text/clip.ts'
import type { PrintedValue } from '../../core/text/console-text.ts'

/** Runtime.RemoteObject of the Chrome DevTools Protocol. */
export interface RemoteObject {
  readonly type: string
  readonly subtype?: string
  readonly className?: string
  readonly value?: unknown
  readonly unserializableValue?: string
  readonly description?: string
  readonly preview?: ObjectPreview
}

interface ObjectPreview {
  readonly type: string
  readonly subtype?: string
  readonly description?: string
  readonly overflow?: boolean
  readonly properties?: readonly PropertyPreview[]
  readonly entries?: readonly { readonly key?: ObjectPreview; readonly value: ObjectPreview }[]
}

interface PropertyPreview {
  readonly name: string
  readonly type: string
  readonly subtype?: string
  readonly value?: string
  readonly valuePreview?: ObjectPreview
}

/** script.RemoteValue of WebDriver BiDi. */
export interface BidiRemoteValue {
  readonly type: string
  readonly value?: unknown
}

const DESCRIPTION_LIMIT_CHARS = 4000
const FUNCTION_LIMIT_CHARS = 80
const DEPTH_LIMIT = 4
const ITEM_LIMIT = 100

export const chromiumValue = (value: RemoteObject): PrintedValue => ({
  text: value.type === 'string' ? String(value.value) : remoteText(value),
  isText: value.type === 'string',
})

/** `text` is the browser's own formatting of all values: only it has the messages of errors. */
export function bidiValues(values: readonly BidiRemoteValue[], text: string): readonly PrintedValue[] {
  let start = 0
  return values.map((value, index) => {
    const next = values[index + 1]
    const end = index === values.length - 1 ? text.length : endOf(value, next, text, start)
    const ownText = text.slice(start, end)
    start = end + 1
    const isText = value.type === 'string'
    return {
      text: isText ? String(value.value) : value.type === 'error' ? ownText : bidiText(value, 0),
      isText,
    }
  })
}

// --- internal ---

function remoteText(value: RemoteObject): string {
  const { type, subtype, description = '', preview } = value
  if (type === 'undefined') return type
  if ('value' in value) return String(value.value)
  if (value.unserializableValue !== undefined) return value.unserializableValue
  if (type === 'function') return clip(description, FUNCTION_LIMIT_CHARS)
  if (subtype === 'node') return /^[\w-]/.test(description) ? `<${description}>` : description
  if (!preview || subtype === 'error' || subtype === 'regexp' || subtype === 'date')
    return clip(description, DESCRIPTION_LIMIT_CHARS)
  return previewText(preview)
}

function previewText({
  type,
  subtype,
  description = '',
  overflow,
  properties = [],
  entries,
}: ObjectPreview): string {
  if (type === 'string') return JSON.stringify(description)
  if (type !== 'object') return description
  const ellipsis = overflow ? ', …' : ''
  if (entries) {
    const pairs = entries.map(
      ({ key, value }) => `${key ? `${previewText(key)} => ` : ''}${previewText(value)}`,
    )
    return `${description} {${pairs.join(', ')}${ellipsis}}`
  }
  if (subtype === 'array') {
    const items = properties.map(
      (property) => (/^\d+$/.test(property.name) ? '' : `${property.name}: `) + propertyText(property),
    )
    return `[${items.join(', ')}${ellipsis}]`
  }
  if (subtype !== undefined && subtype !== 'proxy') return description
  const className = description === 'Object' ? '' : `${description} `
  const items = properties.map((property) => `${property.name}: ${propertyText(property)}`)
  return `${className}{${items.join(', ')}${ellipsis}}`
}

function propertyText({ type, subtype, value = '', valuePreview }: PropertyPreview): string {
  if (valuePreview) return previewText(valuePreview)
  if (type === 'string') return JSON.stringify(value)
  if (type === 'accessor') return '(getter)'
  if (type === 'function') return 'ƒ'
  if (subtype === 'node') return `<${value}>`
  return type === 'object' && value === 'Object' ? '{…}' : value
}

function bidiText({ type, value }: BidiRemoteValue, depth: number): string {
  if (type === 'string') return JSON.stringify(value)
  if (type === 'number' || type === 'boolean') return String(value)
  if (type === 'bigint') return `${String(value)}n`
  if (type === 'date') return String(value)
  if (type === 'regexp') return regexpText(value)
  if (type === 'node') return nodeText(value)
  if (!Array.isArray(value)) return TYPE_NAMES.get(type) ?? type
  if (depth >= DEPTH_LIMIT) return type === 'object' ? '{…}' : `${type}(${value.length})`
  const items = value.slice(0, ITEM_LIMIT).map((item) => itemText(item, type, depth + 1))
  const inner = [...items, ...(value.length > ITEM_LIMIT ? ['…'] : [])].join(', ')
  if (type === 'object') return `{${inner}}`
  return type === 'map' || type === 'set'
    ? `${TYPE_NAMES.get(type)}(${value.length}) {${inner}}`
    : `[${inner}]`
}

// An item of an object or a map is a pair, of other collections a value.
function itemText(item: unknown, type: string, depth: number): string {
  if (!Array.isArray(item)) return bidiText(item as BidiRemoteValue, depth)
  const [key, value] = item as [string | BidiRemoteValue, BidiRemoteValue]
  const name = typeof key === 'string' ? key : bidiText(key, depth)
  const keyText = typeof key === 'string' && type === 'map' ? JSON.stringify(key) : name
  return `${keyText}${type === 'map' ? ' => ' : ': '}${bidiText(value, depth)}`
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['map', 'Map'],
  ['set', 'Set'],
  ['error', 'Error'],
  ['function', 'ƒ'],
  ['promise', 'Promise'],
  ['symbol', 'Symbol()'],
  ['window', 'Window'],
  ['proxy', 'Proxy'],
])

function regexpText(value: unknown): string {
  const { pattern = '', flags = '' } = (value ?? {}) as { pattern?: string; flags?: string }
  return `/${pattern}/${flags}`
}

function nodeText(value: unknown): string {
  const { localName, attributes = {} } = (value ?? {}) as {
    localName?: string
    attributes?: Readonly<Record<string, string>>
  }
  const { id = '', class: classes = '' } = attributes
  const classNames = classes.split(/\s+/).filter(Boolean)
  return localName === undefined ? 'Node' : `<${[localName + (id && `#${id}`), ...classNames].join('.')}>`
}

// Where the text of this value ends: before the text of the next value, or else at the next space.
function endOf(
  value: BidiRemoteValue,
  next: BidiRemoteValue | undefined,
  text: string,
  start: number,
): number {
  if (value.type === 'string') return start + String(value.value).length
  const separator = next?.type === 'string' ? ` ${String(next.value)}` : ' '
  const end = text.indexOf(separator, start)
  return end < 0 ? text.length : end
}
