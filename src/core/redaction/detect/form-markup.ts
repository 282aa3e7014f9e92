// Fields of a form in the source of a page: the value of one that counts as secret.

import { isSecretField, isSecretName, isSessionTokenName, levelOfName } from '../secret-names.ts'
import { looksLikeSecret } from '../secret-values.ts'
import type { Span } from '../spans.ts'

const TAG_LIMIT_CHARS = 4096
const CONTENT_LIMIT_CHARS = 20_000

/** Spans of the values of secret fields in HTML, escaped or not. */
export function findFormMarkup(text: string): Span[] {
  const spans: Span[] = []
  for (const { index } of text.matchAll(/<(?:input|textarea|meta|add|param|entry|property|setting)\b/gi)) {
    const rest = text.slice(index, index + TAG_LIMIT_CHARS)
    const length = /[^]>|[^]<|$/.exec(rest.slice(1))?.index ?? 0
    const end = rest[length + 2] === '>' ? index + length + 2 : -1
    const tag = rest.slice(0, length + 2)
    const attributes = parseAttributes(tag)
    const read = (name: string) => attributes.get(name)?.value ?? ''
    const field = {
      type: read('type').toLowerCase(),
      name: read('name'),
      id: read('id'),
      autocomplete: read('autocomplete').toLowerCase(),
    }
    const value = attributes.get('value') ?? attributes.get('content')
    const subject = field.name || read('key') || field.id || read('property')
    const isField = /^<(?:input|textarea)/i.test(tag)
    const looking =
      levelOfName(subject) === 'weak' && looksLikeSecret(value?.value ?? '', isSessionTokenName(subject))
    const secret = isField ? isSecretField(field, isSecretName) : isSecretName(subject)
    if (!secret && !looking) continue
    if (value && value.value !== '')
      spans.push({ start: index + value.start, end: index + value.start + value.value.length })
    if (secret && /^<textarea/i.test(tag) && end > 0) {
      const close = text.slice(end + 1, end + 1 + CONTENT_LIMIT_CHARS).search(/<|$/)
      if (close > 0) spans.push({ start: end + 1, end: end + 1 + close })
    }
  }
  return spans
}

// --- internal ---

const attribute =
  /([a-z-]{1,40})\s{0,4}=\s{0,4}(?:\\{0,4}"([^"]{0,4096})"|\\{0,4}'([^']{0,4096})'|([^\s"'>\\]{1,4096}))/gi

function parseAttributes(tag: string): Map<string, { value: string; start: number }> {
  const found = new Map<string, { value: string; start: number }>()
  for (const { 0: whole, 1: name = '', 2: double, 3: single, 4: bare, index } of tag.matchAll(attribute)) {
    const value = (double ?? single ?? bare ?? '').replace(/\\+$/, '')
    found.set(name.toLowerCase(), { value, start: index + whole.lastIndexOf(value) })
  }
  return found
}
