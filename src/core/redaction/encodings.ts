// Decodes percent signs, entities and escapes and maps each character to its source position; and computes the encoded forms of a value
// that decoding a text does not find.

/** A text with its escapes resolved. Character `i` of it came from `from[i]` up to `from[i + 1]` of the original. */
export interface DecodedText {
  readonly text: string
  readonly from: Uint32Array
}

/** The kinds of escapes. Each is decoded separately, because one may be literal text inside another. */
const ESCAPE_PATTERNS: readonly RegExp[] = [
  /%[0-9a-f]{2}|%u[0-9a-f]{4}/gi,
  /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}[1-4]?);/gi,
  /\\(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|[^ux])/gi,
]

// The names of punctuation, and of the second half of Latin-1 in its order.
const punctuation =
  'excl! quot" num# dollar$ percnt% amp& apos\' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace} euro€ hyphen‐ ndash– mdash—'
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const entities: ReadonlyMap<string, string> = new Map([
  ...punctuation.split(' ').map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const),
  ...latin1.split(' ').map((name, index) => [name, String.fromCharCode(160 + index)] as const),
])
const ESCAPED_LETTERS: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The decoded forms of a text, up to three levels deep, at most twelve. `hasDoubledQuotes`: quotes that are written twice, as in SQL,
 * are decoded too. */
export function decodeAll(text: string, hasDoubledQuotes: boolean): readonly DecodedText[] {
  const decodedTexts = new Set([text])
  const readings: DecodedText[] = []
  const decodeFurther = (source: string, origin: DecodedText | undefined, depth: number): void => {
    if (depth > 3) return
    for (const escape of hasDoubledQuotes ? [...ESCAPE_PATTERNS, /''|""/g] : ESCAPE_PATTERNS) {
      const reading = decode(source, escape, origin)
      if (!reading || decodedTexts.has(reading.text) || readings.length >= 12) continue
      decodedTexts.add(reading.text)
      readings.push(reading)
      decodeFurther(reading.text, reading, depth + 1)
    }
  }
  decodeFurther(text, undefined, 1)
  return readings
}

// --- internal ---

function decode(text: string, escape: RegExp, origin: DecodedText | undefined): DecodedText | undefined {
  escape.lastIndex = 0
  if (!escape.test(text)) return undefined
  const from = new Uint32Array(text.length + 1)
  const positionOf = (at: number) => origin?.from[at] ?? at
  const parts: string[] = []
  let length = 0
  const append = (part: string, at: number, isSource: boolean) => {
    for (let index = 0; index < part.length; index++)
      from[length + index] = positionOf(isSource ? at + index : at)
    parts.push(part)
    length += part.length
  }
  let lastEnd = 0
  let pendingBytes: number[] = []
  let pendingStart = 0
  const flush = () => {
    if (pendingBytes.length > 0) append(decodeUtf8(pendingBytes), pendingStart, false)
    pendingBytes = []
  }
  escape.lastIndex = 0
  for (let match = escape.exec(text); match; match = escape.exec(text)) {
    if (match.index > lastEnd) flush()
    append(text.slice(lastEnd, match.index), lastEnd, true)
    lastEnd = match.index + match[0].length
    const byte = percentByteOf(match[0])
    if (byte === undefined) {
      flush()
      append(unescapeCharacter(match[0]), match.index, false)
    } else if (byte < 0x80) {
      flush()
      append(String.fromCharCode(byte), match.index, false)
    } else {
      if (pendingBytes.length === 0) pendingStart = match.index
      pendingBytes.push(byte)
    }
  }
  flush()
  append(text.slice(lastEnd), lastEnd, true)
  from[length] = positionOf(text.length)
  return { text: parts.join(''), from: from.subarray(0, length + 1) }
}

/** The encoded forms that may be part of a longer run: base64 in its three alignments and both alphabets, and hexadecimal. */
export function encodedFormsOf(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value)
  if (bytes.length < 6) return []
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64Forms = [0, 1, 2].map((shift) => base64CoreOf(bytes, shift)).filter((core) => core.length >= 8)
  const urlSafeForms = base64Forms.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([...base64Forms, ...urlSafeForms, hex, hex.toUpperCase()])]
}

/** The decoded text of a run of base64; undefined if it is not base64 or not text. */
export function decodeBase64(run: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(run.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /^[^\u0000-\u0008\u000e-\u001f\u007f]*$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}

// The characters of the encoding that depend only on the value, if `shift` bytes precede it.
function base64CoreOf(bytes: Uint8Array, shift: number): string {
  const padded = new Uint8Array(shift + bytes.length)
  padded.set(bytes, shift)
  const wholeGroups = padded.slice(0, padded.length - (padded.length % 3))
  const start = shift === 0 ? 0 : shift + 1
  return btoa(String.fromCharCode(...wholeGroups)).slice(start)
}

const percentByteOf = (escape: string): number | undefined =>
  /^%[0-9a-f]{2}$/i.test(escape) ? Number.parseInt(escape.slice(1), 16) : undefined

function unescapeCharacter(escape: string): string {
  const body = escape.slice(1)
  if (escape[0] === '&') {
    const name = body.slice(0, -1)
    if (name[0] !== '#') return entities.get(name) ?? escape
    return characterOf(
      name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)),
    )
  }
  if (escape[0] === "'" || escape[0] === '"') return escape[0]
  const code = /^(?:u\{?|x)([0-9a-f]+)\}?$/i.exec(body)?.[1]
  if (code !== undefined && (escape[0] === '%' || /^[ux]/i.test(body)))
    return characterOf(Number.parseInt(code, 16))
  return ESCAPED_LETTERS[body] ?? body
}

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

const decodeUtf8 = (bytes: readonly number[]): string => new TextDecoder().decode(Uint8Array.from(bytes))
