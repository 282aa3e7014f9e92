import { quickHash } from '../../../core/base/text/quick-hash.ts'

/** Tells texts apart: 106 bits, for texts that nobody makes to deceive. Line endings and a byte order mark do not count. */
export function hashText(text: string): string {
  const normal = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return quickHash(normal, 0) + quickHash(normal, 0x9e3779b9)
}

/** Of bytes, each of which counts. */
export const hashBytes = (bytes: Buffer): string => {
  const text = bytes.toString('latin1')
  return quickHash(text, 0) + quickHash(text, 0x9e3779b9)
}
