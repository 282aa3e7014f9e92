import { trimTrailing } from './clip.ts'

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
