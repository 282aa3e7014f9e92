// Redacts bytes, such as bodies of protobuf and gRPC. In what is no text each byte of a secret becomes an asterisk, so that the lengths in it
// stay right.

import { innerTokenStart } from './detect/token-shapes.ts'
import { decodeBase64 } from './encodings.ts'
import { replaceSpans, type Span } from './spans.ts'

/** The bytes, encoded as base64 again, without their secrets; what is no base64 is redacted as a text. */
export function redactBytes(
  base64: string,
  redactText: (text: string) => string,
  findEmbedded: (text: string) => readonly Span[],
): string {
  const text = decodeBase64(base64)
  if (text !== undefined) {
    const redacted = redactText(text)
    return redacted === text ? base64 : btoa(toByteString(redacted))
  }
  const bytes = decodeByteString(base64)
  if (bytes === undefined) return redactText(base64)
  const masked = bytes.replace(textRun, (run) => {
    const runText = decodeUtf8(run)
    return runText === undefined
      ? run.replace(asciiRun, (part) => maskRun(part, findEmbedded))
      : toByteString(maskRun(runText, findEmbedded))
  })
  return masked === bytes ? base64 : btoa(masked)
}

// --- internal ---

// Of a byte string, which has one character a byte.
const textRun = /[ -~\x80-\xff]{4,}/g
const asciiRun = /[ -~]{4,}/g

// The byte before a token may be its length and look like a letter of it.
function maskRun(run: string, findEmbedded: (text: string) => readonly Span[]): string {
  const mask = (text: string) =>
    replaceSpans(
      text,
      findEmbedded(text).map(({ start, end }) => ({
        start,
        end,
        replacement: '*'.repeat(toByteString(text.slice(start, end)).length),
      })),
    )
  return mask(run).split(innerTokenStart).map(mask).join('')
}

const toByteString = (text: string): string => {
  const parts: string[] = []
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + BLOCK_BYTES)))
  return parts.join('')
}

const BLOCK_BYTES = 8192

function decodeUtf8(bytes: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    )
  } catch {
    return undefined
  }
}

function decodeByteString(base64: string): string | undefined {
  try {
    return atob(base64)
  } catch {
    return undefined
  }
}
