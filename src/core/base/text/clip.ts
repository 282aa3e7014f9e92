/** The text, cut to `maximum` characters and marked with `…` if it was longer. The redactor finds a known secret before this mark also if
 * only its beginning is left. */
export const clip = (text: string, maximum: number): string =>
  text.length > maximum ? `${text.slice(0, maximum)}…` : text

const MARK = ' … '

/** The text, without its middle if it was longer. */
export function clipMiddle(text: string, maximum: number): string {
  const half = Math.floor((maximum - MARK.length) / 2)
  return text.length > maximum ? `${text.slice(0, half)}${MARK}${text.slice(-half)}` : text
}

export const normalizeSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Removes the characters that match `unwanted` from the end of a text, in linear time, unlike /[…]+$/. */
export function trimTrailing(text: string, unwanted: RegExp): string {
  let end = text.length
  while (end > 0 && unwanted.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

const FILE_NAME_LIMIT_CHARS = 120

/** Turns a name from a page or a client into a safe file name: no folders, no control or reserved characters, never hidden or empty. */
export function sanitizeFileName(name: string, fallback = 'download'): string {
  const baseName = name.split(/[/\\]/).at(-1) ?? ''
  const safe = baseName
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '')
  const trimmed = trimTrailing(safe, /[.\s]/)
  const isReserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(trimmed)
  const result = isReserved ? `_${trimmed}` : trimmed
  if (result === '') return fallback
  if (result.length <= FILE_NAME_LIMIT_CHARS) return result
  const dot = result.lastIndexOf('.')
  const extension = dot > 0 && result.length - dot <= 12 ? result.slice(dot) : ''
  return `${result.slice(0, FILE_NAME_LIMIT_CHARS - extension.length)}${extension}`
}

/** One page of a long text, cut at a line end if there is one. `next` is the offset of the next page. */
export function takePage(text: string, from: number, maxChars: number): { text: string; next?: number } {
  const remainingText = text.slice(from)
  if (remainingText.length <= maxChars) return { text: remainingText }
  const line = remainingText.lastIndexOf('\n', maxChars - 1) + 1
  const end = line > 0 ? line : maxChars
  return { text: remainingText.slice(0, end), next: from + end }
}
