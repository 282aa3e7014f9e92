// Decodes percent signs, entities and escapes and maps each character to its source position; and computes the encoded forms of a value
// that decoding a text does not find.

/** A text with its escapes resolved. Character `i` of it came from `from[i]` up to `from[i + 1]` of the original. */
interface DecodedText {
  readonly text: string
  readonly from: Uint32Array
}

/** A kind of escapes. `marks` are the first characters of each, `pattern` is tried where one is, and `decode` returns the text of a match, or
 * the byte of one that is part of an encoding of bytes. */
interface EscapeKind {
  readonly marks: readonly string[]
  readonly pattern: RegExp
  decode(match: RegExpExecArray): string | number
}

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

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

/** Each kind is decoded separately, because one may be literal text inside another. */
const ESCAPE_KINDS: readonly EscapeKind[] = [
  {
    marks: ['%'],
    pattern: /%(?:([0-9a-f]{2})|u([0-9a-f]{4}))/iy,
    decode: ([, byte, code = '']) =>
      byte === undefined ? characterOf(Number.parseInt(code, 16)) : Number.parseInt(byte, 16),
  },
  {
    marks: ['&'],
    pattern: /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}[1-4]?));/iy,
    decode([escape, decimal, hexadecimal, name = '']) {
      if (decimal !== undefined) return characterOf(Number(decimal))
      if (hexadecimal !== undefined) return characterOf(Number.parseInt(hexadecimal, 16))
      return entities.get(name) ?? escape
    },
  },
  {
    marks: ['\\'],
    pattern: /\\(?:(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))|([^ux]))/iy,
    decode([, a, b, c, letter]) {
      if (letter !== undefined) return ESCAPED_LETTERS[letter] ?? letter
      return characterOf(Number.parseInt(a ?? b ?? c ?? '', 16))
    },
  },
]
const DOUBLED_QUOTES: EscapeKind = {
  marks: ["'", '"'],
  pattern: /''|""/y,
  decode: ([quotes]) => quotes.charAt(0),
}

/** The decoded forms of a text, up to three levels deep, at most twelve. `hasDoubledQuotes`: quotes that are written twice, as in SQL,
 * are decoded too. */
export function decodeAll(text: string, hasDoubledQuotes: boolean): readonly DecodedText[] {
  const decodedTexts = new Set([text])
  const readings: DecodedText[] = []
  const decodeFurther = (source: string, origin: DecodedText | undefined, depth: number): void => {
    if (depth > 3) return
    for (const kind of hasDoubledQuotes ? [...ESCAPE_KINDS, DOUBLED_QUOTES] : ESCAPE_KINDS) {
      const reading = decode(source, kind, origin)
      if (!reading || decodedTexts.has(reading.text) || readings.length >= 12) continue
      decodedTexts.add(reading.text)
      readings.push(reading)
      decodeFurther(reading.text, reading, depth + 1)
    }
  }
  decodeFurther(text, undefined, 1)
  return readings
}

function decode(
  text: string,
  { marks, pattern, decode: decodeMatch }: EscapeKind,
  origin: DecodedText | undefined,
): DecodedText | undefined {
  const from = new Uint32Array(text.length + 1)
  const parts: string[] = []
  let length = 0
  let lastEnd = 0
  let bytes: number[] = []
  let bytesStart = 0
  const append = (part: string, at: number) => {
    const position = origin?.from[at] ?? at
    for (let end = length + part.length; length < end; length += 1) from[length] = position
    parts.push(part)
  }
  const appendBytes = () => {
    if (bytes.length === 0) return
    append(decodeUtf8(bytes), bytesStart)
    bytes = []
  }
  const appendSource = (end: number) => {
    if (end > lastEnd) appendBytes()
    for (let at = lastEnd; at < end; at += 1) from[length + at - lastEnd] = origin?.from[at] ?? at
    parts.push(text.slice(lastEnd, end))
    length += end - lastEnd
  }
  const find = createMarkFinder(text, marks)
  for (let at = find(0); at >= 0; at = find(Math.max(lastEnd, at + 1))) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) continue
    appendSource(at)
    lastEnd = at + match[0].length
    const decoded = decodeMatch(match)
    if (typeof decoded === 'number' && decoded >= 0x80) {
      if (bytes.length === 0) bytesStart = at
      bytes.push(decoded)
    } else {
      appendBytes()
      append(typeof decoded === 'number' ? String.fromCharCode(decoded) : decoded, at)
    }
  }
  if (parts.length === 0) return undefined
  appendSource(text.length)
  appendBytes()
  from[length] = origin?.from[text.length] ?? text.length
  return { text: parts.join(''), from: from.subarray(0, length + 1) }
}

// Finds the next mark; `start` grows from call to call.
function createMarkFinder(text: string, marks: readonly string[]): (start: number) => number {
  const positions = marks.map((mark) => ({ mark, at: text.indexOf(mark) }))
  return (start) => {
    let first = -1
    for (const position of positions) {
      if (position.at >= 0 && position.at < start) position.at = text.indexOf(position.mark, start)
      if (position.at >= 0 && (first < 0 || position.at < first)) first = position.at
    }
    return first
  }
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

/** The text of a part of a URL; as it is where it cannot be decoded. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
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

const decodeUtf8 = (bytes: readonly number[]): string => new TextDecoder().decode(Uint8Array.from(bytes))
