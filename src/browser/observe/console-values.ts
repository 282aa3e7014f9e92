// The values that a page prints, as texts that can be read. Playwright's client knows objects only by a preview that leaves out elements,
// classes and numbers of some kinds, and in Firefox what an error says; so the events of the browsers are read themselves.

import { clip } from '../../core/text/clip.ts'
import type { PrintedValue } from '../../core/text/console-text.ts'

/** A value in an event of Chromium. */
export interface RemoteValue {
  readonly type: string
  readonly subtype?: string
  readonly className?: string
  readonly value?: unknown
  readonly unserializableValue?: string
  readonly description?: string
  readonly preview?: Preview
}

interface Preview {
  readonly type: string
  readonly subtype?: string
  readonly description?: string
  readonly overflow?: boolean
  readonly properties?: readonly PropertyPreview[]
  readonly entries?: readonly { readonly key?: Preview; readonly value: Preview }[]
}

interface PropertyPreview {
  readonly name: string
  readonly type: string
  readonly subtype?: string
  readonly value?: string
  readonly valuePreview?: Preview
}

/** A value in an event of WebDriver BiDi. */
export interface BidiValue {
  readonly type: string
  readonly value?: unknown
}

const DESCRIPTION_LENGTH = 4000
const FUNCTION_LENGTH = 80
const DEPTH = 4
const ITEMS = 100

export const chromiumValue = (value: RemoteValue): PrintedValue => ({
  text: value.type === 'string' ? String(value.value) : remoteText(value),
  isText: value.type === 'string',
})

/** `text` is the browser's own reading of all values: it alone has what errors say. */
export function bidiValues(values: readonly BidiValue[], text: string): readonly PrintedValue[] {
  let at = 0
  return values.map((value, index) => {
    const next = values[index + 1]
    const end = index === values.length - 1 ? text.length : endOf(value, next, text, at)
    const own = text.slice(at, end)
    at = end + 1
    const isText = value.type === 'string'
    return { text: isText ? String(value.value) : value.type === 'error' ? own : bidiText(value, 0), isText }
  })
}

// --- internal ---

function remoteText(value: RemoteValue): string {
  const { type, subtype, description = '', preview } = value
  if (type === 'undefined') return type
  if ('value' in value) return String(value.value)
  if (value.unserializableValue !== undefined) return value.unserializableValue
  if (type === 'function') return clip(description, FUNCTION_LENGTH)
  if (subtype === 'node') return /^[\w-]/.test(description) ? `<${description}>` : description
  if (!preview || subtype === 'error' || subtype === 'regexp' || subtype === 'date')
    return clip(description, DESCRIPTION_LENGTH)
  return previewText(preview)
}

function previewText({
  type,
  subtype,
  description = '',
  overflow,
  properties = [],
  entries,
}: Preview): string {
  if (type === 'string') return JSON.stringify(description)
  if (type !== 'object') return description
  const more = overflow ? ', …' : ''
  if (entries) {
    const pairs = entries.map(
      ({ key, value }) => `${key ? `${previewText(key)} => ` : ''}${previewText(value)}`,
    )
    return `${description} {${pairs.join(', ')}${more}}`
  }
  if (subtype === 'array') {
    const items = properties.map((one) => (/^\d+$/.test(one.name) ? '' : `${one.name}: `) + propertyText(one))
    return `[${items.join(', ')}${more}]`
  }
  if (subtype !== undefined && subtype !== 'proxy') return description
  const name = description === 'Object' ? '' : `${description} `
  return `${name}{${properties.map((one) => `${one.name}: ${propertyText(one)}`).join(', ')}${more}}`
}

function propertyText({ type, subtype, value = '', valuePreview }: PropertyPreview): string {
  if (valuePreview) return previewText(valuePreview)
  if (type === 'string') return JSON.stringify(value)
  if (type === 'accessor') return '(getter)'
  if (type === 'function') return 'ƒ'
  if (subtype === 'node') return `<${value}>`
  return type === 'object' && value === 'Object' ? '{…}' : value
}

function bidiText({ type, value }: BidiValue, depth: number): string {
  if (type === 'string') return JSON.stringify(value)
  if (type === 'number' || type === 'boolean') return String(value)
  if (type === 'bigint') return `${String(value)}n`
  if (type === 'date') return String(value)
  if (type === 'regexp') return patternOf(value)
  if (type === 'node') return nodeOf(value)
  if (!Array.isArray(value)) return NAMES.get(type) ?? type
  if (depth >= DEPTH) return type === 'object' ? '{…}' : `${type}(${value.length})`
  const shown = value.slice(0, ITEMS).map((one) => itemText(one, type, depth + 1))
  const inner = [...shown, ...(value.length > ITEMS ? ['…'] : [])].join(', ')
  if (type === 'object') return `{${inner}}`
  return type === 'map' || type === 'set' ? `${NAMES.get(type)}(${value.length}) {${inner}}` : `[${inner}]`
}

// Of an object or a map a pair, of all else a value.
function itemText(item: unknown, type: string, depth: number): string {
  if (!Array.isArray(item)) return bidiText(item as BidiValue, depth)
  const [key, value] = item as [string | BidiValue, BidiValue]
  const name = typeof key === 'string' ? key : bidiText(key, depth)
  const shown = typeof key === 'string' && type === 'map' ? JSON.stringify(key) : name
  return `${shown}${type === 'map' ? ' => ' : ': '}${bidiText(value, depth)}`
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['map', 'Map'],
  ['set', 'Set'],
  ['error', 'Error'],
  ['function', 'ƒ'],
  ['promise', 'Promise'],
  ['symbol', 'Symbol()'],
  ['window', 'Window'],
  ['proxy', 'Proxy'],
])

function patternOf(value: unknown): string {
  const { pattern = '', flags = '' } = (value ?? {}) as { pattern?: string; flags?: string }
  return `/${pattern}/${flags}`
}

function nodeOf(value: unknown): string {
  const { localName, attributes = {} } = (value ?? {}) as {
    localName?: string
    attributes?: Readonly<Record<string, string>>
  }
  const { id = '', class: classes = '' } = attributes
  const named = classes.split(/\s+/).filter(Boolean)
  return localName === undefined ? 'Node' : `<${[localName + (id && `#${id}`), ...named].join('.')}>`
}

// Where this value's own words end: before the text that follows it, or else at the next space.
function endOf(value: BidiValue, next: BidiValue | undefined, text: string, at: number): number {
  if (value.type === 'string') return at + String(value.value).length
  const before = next?.type === 'string' ? ` ${String(next.value)}` : ' '
  const end = text.indexOf(before, at)
  return end < 0 ? text.length : end
}
