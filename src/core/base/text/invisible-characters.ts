// Characters that cannot be seen, or that turn the text around them, are shown as escapes such as `\u{202e}`: a page could hide words in
// them, or show other words than it has. Where a script or an emoji needs one it stays, so that harmless text reads as it is.

/** The text with its invisible characters as escapes. Tabs and line breaks stay; of the others those that their neighbours need. */
export const escapeInvisible = (text: string): string =>
  ONLY_PRINTABLE_ASCII.test(text)
    ? text
    : text.replace(INVISIBLE_RUN, (run, offset: number) =>
        isNeeded(run, text, offset) ? run : run.replaceAll(ANY_CHARACTER, escapeCharacter),
      )

/** Every text in a value of lists and records, its keys too, with invisible characters as escapes. */
export const escapeInvisibleIn = <T>(value: T): T => escapeValue(value) as T

/** The text with these escapes as the characters again: what was copied from an answer means what the page has. */
export const unescapeInvisible = (text: string): string =>
  text.includes('\\u{')
    ? text.replace(ESCAPE, (escape, digits: string) => {
        const code = Number.parseInt(digits, 16)
        const character = code <= LAST_CODE_POINT ? String.fromCodePoint(code) : ''
        return INVISIBLE.test(character) ? character : escape
      })
    : text

const LAST_CODE_POINT = 0x10ffff
const ONLY_PRINTABLE_ASCII = /^[\t\n\x20-\x7e]*$/
// Control characters, line and paragraph separators, annotations, and what Unicode says is not shown: zero-width and direction characters,
// fillers, variation selectors, tags.
const INVISIBLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/u
const INVISIBLE_RUN =
  /\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}+/gu
const ANY_CHARACTER = /[^]/gu
const ESCAPE = /\\u\{([0-9a-f]{1,6})\}/gi

const escapeCharacter = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

const LETTER = /\p{L}/u
const EMOJI = /\p{Emoji}/u
const JOINED_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u
const RIGHT_TO_LEFT = /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Syriac}\p{scx=Thaana}]/u
const JOINED_SCRIPT =
  /[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Nko}\p{scx=Mongolian}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Khmer}\p{scx=Tibetan}\p{scx=Myanmar}]/u
const MATH_OR_HAN = /\p{Sm}|\p{sc=Han}/u
const HAN = /\p{sc=Han}/u
const MONGOLIAN = /\p{sc=Mongolian}/u
const BLACK_FLAG = '\u{1f3f4}'
/** England, Scotland and Wales. */
const FLAG_TAGS = new Set(['gbeng', 'gbsct', 'gbwls'].map(tagsOf))
const FLAG_TAGS_LENGTH = 12

/** Whether its neighbours need a run of these characters: one character, or the tags of a flag. In longer runs words could be hidden. */
function isNeeded(run: string, text: string, start: number): boolean {
  if (run.length > 2)
    return run.length === FLAG_TAGS_LENGTH && FLAG_TAGS.has(run) && text.endsWith(BLACK_FLAG, start)
  const before = () => characterBefore(text, start)
  const after = () => String.fromCodePoint(text.codePointAt(start + run.length) ?? 0)
  switch (run) {
    case '\u00ad':
      return LETTER.test(before()) && LETTER.test(after())
    // Whatever follows: a text may be cut after it.
    case '\u200d':
      return JOINED_EMOJI.test(before()) || JOINED_SCRIPT.test(before())
    case '\ufe0f\u200d':
      return JOINED_EMOJI.test(before())
    case '\u200c':
      return JOINED_SCRIPT.test(before())
    case '\ufe0e':
    case '\ufe0f':
      return EMOJI.test(before())
    case '\u061c':
    case '\u200e':
    case '\u200f':
      return RIGHT_TO_LEFT.test(before()) || RIGHT_TO_LEFT.test(after())
    default:
      return isVariationSelector(run, before)
  }
}

function isVariationSelector(run: string, before: () => string): boolean {
  const code = run.codePointAt(0) ?? 0
  if (run.length === 2) return code >= 0xe0100 && code <= 0xe010f && HAN.test(before())
  if (code >= 0xfe00 && code <= 0xfe02) return MATH_OR_HAN.test(before())
  return code >= 0x180b && code <= 0x180f && MONGOLIAN.test(before())
}

function characterBefore(text: string, end: number): string {
  const last = text.charAt(end - 1)
  return last >= '\udc00' && last <= '\udfff' ? text.slice(Math.max(0, end - 2), end) : last
}

function tagsOf(letters: string): string {
  const tags = Array.from(letters, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
  return `${tags.join('')}\u{e007f}`
}

function escapeValue(value: unknown): unknown {
  if (typeof value === 'string') return escapeInvisible(value)
  if (Array.isArray(value)) return value.map(escapeValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [escapeInvisible(key), escapeValue(item)]),
  )
}

/** How a dialog is reported that a page has opened. */
export const dialogNote = (type: string, message: string): string =>
  `A dialog was opened (${type}): ${message}`

// Text of a page, or of another program, in an answer. A page that writes several lines must not write lines of the answer.
/** How a text stands in an answer: `quoted` in one line; `indented`, each of its lines after a space; `continued` after words of the answer,
 * so that only its other lines are indented. */
type PageTextForm = 'quoted' | 'indented' | 'continued'

/** The text in one of these forms, with its invisible characters as escapes. A line of the answer never begins with one of the text. */
export function showPageText(text: string, form: PageTextForm): string {
  const visibleText = escapeInvisible(text)
  // The escapes stay as they are elsewhere, so that a name reads the same wherever it stands.
  if (form === 'quoted') return JSON.stringify(visibleText).replaceAll('\\\\u{', '\\u{')
  const lines = visibleText.replaceAll(/\r?\n/g, '\n ')
  return form === 'indented' ? ` ${lines}` : lines
}
