// A file's text apart from how it is stored: its byte order mark and line ends are taken off here and put back on.

import { err, ok, type Result } from '../../core/base/result.ts'

/** The ways in which an entry can be put into a text, found there and taken out. Texts are as in the file, line ends included. */
export interface Format {
  /** Errors say where and what is wrong. */
  readonly entry: (
    text: string,
    location: EntryLocation,
  ) => Result<Record<string, unknown> | undefined, string>
  readonly put: (
    text: string,
    location: EntryLocation,
    entry: Record<string, unknown>,
  ) => Result<string, string>
  readonly drop: (text: string, location: EntryLocation) => Result<string, string>
}

export interface EntryLocation {
  /** The key that holds the servers. */
  readonly key: string
  readonly name: string
}

export interface Text {
  readonly bom: boolean
  readonly text: string
}

/** The text of a file; what is no UTF-8 is refused. */
export function decode(bytes: Uint8Array): Result<Text, string> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return ok(text.startsWith('\uFEFF') ? { bom: true, text: text.slice(1) } : { bom: false, text })
  } catch {
    return err('is not UTF-8 text. Save it as UTF-8 and try again')
  }
}

export const encode = ({ bom, text }: Text): Uint8Array =>
  new TextEncoder().encode(bom ? `\uFEFF${text}` : text)

/** The line end that a text uses. */
export const eolOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n')

/** Where an offset lies, as people count: "line 3, column 5". */
export function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

/** The line that `offset` lies on, from its first character. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1
