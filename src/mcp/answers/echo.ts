import type { Data } from './plain-lines.ts'
import { parseUrl } from '../../core/network/parse-url.ts'

const TEXT_LIMIT_CHARS = 4000
const LIST_LIMIT = 50
/** More than a tool has. */
const FIELD_LIMIT = 100

/** The fields of an input that a result could repeat: short texts, numbers and lists of them. An input may be of any size and depth. */
export const repeatableFieldsOf = (input: Data): Data =>
  Object.fromEntries(
    Object.entries(input)
      .slice(0, FIELD_LIMIT)
      .filter(([, value]) =>
        Array.isArray(value) ? value.length <= LIST_LIMIT && value.every(isShortValue) : isShortValue(value),
      ),
  )

/** Whether the caller sent this value: the same data, or another spelling of the same URL. */
export function isEcho(value: unknown, sent: unknown): boolean {
  if (value === undefined || sent === undefined) return false
  if (JSON.stringify(value) === JSON.stringify(sent)) return true
  return typeof value === 'string' && typeof sent === 'string' && parseUrl(sent)?.href === value
}

const isShortValue = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= TEXT_LIMIT_CHARS : typeof value !== 'object'
