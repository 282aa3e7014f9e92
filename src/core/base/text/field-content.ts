// What a form field has, compared with what was entered into it. Pages cut, reformat, refuse and remove values.

import { type FieldDescription, isSecretField } from '../redaction/secret-names.ts'
import { clip, normalizeSpace } from './clip.ts'
import { showPageText } from './invisible-characters.ts'

interface TextContent {
  readonly kind: 'text'
  /** The beginning of the value, and the length of the whole. */
  readonly start: string
  readonly length: number
  readonly field: FieldDescription
  /** The field is empty, and the page shows the text elsewhere, as the name of a chip. */
  readonly isTaken?: true
}

export type FieldContent =
  | TextContent
  | { readonly kind: 'check'; readonly checked: boolean }
  | {
      readonly kind: 'select'
      readonly options: readonly { readonly value: string; readonly label: string }[]
    }
  | { readonly kind: 'files'; readonly names: readonly string[] }

/** What was entered: a text, whether it is checked, or the options or files. */
export type Entered = string | boolean | readonly string[]

/** Whether the page has removed the text that was entered, without showing it anywhere else. */
export const isEmptied = (entered: Entered, content: FieldContent): boolean =>
  content.kind === 'text' &&
  content.length === 0 &&
  !content.isTaken &&
  typeof entered === 'string' &&
  entered.trim() !== ''

/** A sentence about a field that has something else than what was entered; undefined for one that has it. The value of a secret field, or
 * with `isSecret` of any field, is not in it. */
export function describeOtherContent(
  name: string,
  entered: Entered,
  content: FieldContent,
  isSecret: boolean,
): string | undefined {
  if (hasEntered(entered, content)) return undefined
  switch (content.kind) {
    case 'check':
      return `${name} is ${content.checked ? '' : 'not '}checked.`
    case 'select':
      return `${name} has ${quoteAll(content.options.map(({ label }) => label)) || 'nothing'} selected.`
    case 'files':
      return content.names.length === 0
        ? `${name} has no files: the page took or removed them.`
        : `${name} has ${quoteAll(content.names)}.`
    case 'text':
      if (content.length === 0) return `${name} is empty: the page shows the text elsewhere.`
      return isSecret || isSecretField(content.field)
        ? `${name} has another value than the one that was entered.`
        : `${name} has ${quote(content.start)}.`
  }
}

// --- internal ---

const VALUE_LIMIT_CHARS = 100

const quote = (value: string): string => showPageText(clip(value, VALUE_LIMIT_CHARS), 'quoted')
const quoteAll = (values: readonly string[]): string =>
  clip(values.map(quote).join(', '), VALUE_LIMIT_CHARS * 3)

function hasEntered(entered: Entered, content: FieldContent): boolean {
  switch (content.kind) {
    case 'check':
      return String(entered) === String(content.checked)
    case 'select': {
      const { options } = content
      const values = [entered].flat().map(String).map(normalizeSpace)
      return (
        values.length === options.length &&
        options.every((option) =>
          [option.value, option.label].some((text) => values.includes(normalizeSpace(text))),
        )
      )
    }
    case 'files':
      return String([entered].flat().toSorted()) === String(content.names.toSorted())
    case 'text':
      return hasText(String(entered), content)
  }
}

/** Fields whose values the browser itself writes in its own way. */
const FORMATTED_TYPE = /^(number|range|email|url|color|date|time|datetime-local|month|week)$/

function hasText(entered: string, { start, length, field }: TextContent): boolean {
  const text = entered.replace(/\r\n?/g, '\n')
  if (text.length === length && text.startsWith(start)) return true
  if (!FORMATTED_TYPE.test(field.type)) return false
  const trimmed = text.trim().toLowerCase()
  return start.toLowerCase() === trimmed || (start !== '' && Number(start) === Number(trimmed))
}
