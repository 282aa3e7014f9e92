// The values of secret form fields in HTML and XML source.

import { isSecretField, isSecretName, isSessionTokenName, levelOfName } from '../secret-names.ts'
import { looksLikeSecret } from '../secret-values.ts'
import type { Span } from '../spans.ts'

const TAG_LIMIT_CHARS = 4096
const CONTENT_LIMIT_CHARS = 20_000

/** The spans of the values of secret fields in HTML, escaped or not. */
export function findFormMarkup(text: string): Span[] {
  const spans: Span[] = []
  for (const { index } of text.matchAll(/<(?:input|textarea|meta|add|param|entry|property|setting)\b/gi)) {
    const textAfter = text.slice(index, index + TAG_LIMIT_CHARS)
    const length = /[^]>|[^]<|$/.exec(textAfter.slice(1))?.index ?? 0
    const end = textAfter[length + 2] === '>' ? index + length + 2 : -1
    const tag = textAfter.slice(0, length + 2)
    const attributes = parseAttributes(tag)
    const readAttribute = (name: string) => attributes.get(name)?.value ?? ''
    const field = {
      type: readAttribute('type').toLowerCase(),
      name: readAttribute('name'),
      id: readAttribute('id'),
      autocomplete: readAttribute('autocomplete').toLowerCase(),
    }
    const value = attributes.get('value') ?? attributes.get('content')
    const subject = field.name || readAttribute('key') || field.id || readAttribute('property')
    const isField = /^<(?:input|textarea)/i.test(tag)
    const looksSecret =
      levelOfName(subject) === 'weak' && looksLikeSecret(value?.value ?? '', isSessionTokenName(subject))
    const isSecret = isField ? isSecretField(field, isSecretName) : isSecretName(subject)
    if (!isSecret && !looksSecret) continue
    if (value && value.value !== '')
      spans.push({ start: index + value.start, end: index + value.start + value.value.length })
    if (isSecret && /^<textarea/i.test(tag) && end > 0) {
      const contentLength = text.slice(end + 1, end + 1 + CONTENT_LIMIT_CHARS).search(/<|$/)
      if (contentLength > 0) spans.push({ start: end + 1, end: end + 1 + contentLength })
    }
  }
  return spans
}

// --- internal ---

const attribute =
  /([a-z-]{1,40})\s{0,4}=\s{0,4}(?:\\{0,4}"([^"]{0,4096})"|\\{0,4}'([^']{0,4096})'|([^\s"'>\\]{1,4096}))/gi

function parseAttributes(tag: string): Map<string, { value: string; start: number }> {
  const attributes = new Map<string, { value: string; start: number }>()
  for (const {
    0: matchText,
    1: name = '',
    2: doubleQuoted,
    3: singleQuoted,
    4: unquoted,
    index,
  } of tag.matchAll(attribute)) {
    const value = (doubleQuoted ?? singleQuoted ?? unquoted ?? '').replace(/\\+$/, '')
    attributes.set(name.toLowerCase(), { value, start: index + matchText.lastIndexOf(value) })
  }
  return attributes
}
