import { parseUrl } from '../../core/network/parse-url.ts'

/** Whether the caller sent this value: the same data, or another spelling of the same URL. */
export function isEcho(value: unknown, sent: unknown): boolean {
  if (value === undefined || sent === undefined) return false
  if (JSON.stringify(value) === JSON.stringify(sent)) return true
  return typeof value === 'string' && typeof sent === 'string' && parseUrl(sent)?.href === value
}
