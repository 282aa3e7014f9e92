import { trimTrailing } from './clip.ts'

const FILE_NAME_LIMIT_CHARS = 120

/** A name that came from a page or an agent as one safe file name: no folders, no control or reserved characters, never hidden or empty. */
export function sanitizeFileName(wanted: string, otherwise = 'download'): string {
  const last = wanted.split(/[/\\]/).at(-1) ?? ''
  const safe = last
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '')
  const clean = trimTrailing(safe, /[.\s]/)
  const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(clean)
  const name = reserved ? `_${clean}` : clean
  if (name === '') return otherwise
  if (name.length <= FILE_NAME_LIMIT_CHARS) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : ''
  return `${name.slice(0, FILE_NAME_LIMIT_CHARS - extension.length)}${extension}`
}
