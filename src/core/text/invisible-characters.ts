// Characters that cannot be seen, or that turn the text around them, are shown as escapes such as `\u{202e}`: a page could hide words in
// them, or show other words than it has. Where a script or an emoji needs one it stays, so that harmless text reads as it is.

/** The text with its invisible characters as escapes. Tabs and line breaks stay; of the others those that their neighbours need. */
export const escapeInvisible = (text: string): string =>
  ONLY_PRINTABLE_ASCII.test(text)
    ? text
    : text.replace(INVISIBLE_RUN, (run, offset: number) =>
        isNeeded(run, characterBefore(text, offset), characterAt(text, offset + run.length))
          ? run
          : Array.from(run, escapeCharacter).join(''),
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

// --- internal ---

const LAST_CODE_POINT = 0x10ffff
const ONLY_PRINTABLE_ASCII = /^[\t\n\x20-\x7e]*$/
// Control characters, line and paragraph separators, annotations, and what Unicode says is not shown: zero-width and direction characters,
// fillers, variation selectors, tags.
const INVISIBLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/u
const INVISIBLE_RUN =
  /\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}+/gu
const ESCAPE = /\\u\{([0-9a-f]{1,6})\}/gi

const escapeCharacter = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

const characterBefore = (text: string, offset: number): string =>
  Array.from(text.slice(Math.max(0, offset - 2), offset)).at(-1) ?? ''

const characterAt = (text: string, offset: number): string =>
  Array.from(text.slice(offset, offset + 2)).at(0) ?? ''

interface Need {
  readonly run: RegExp
  readonly before?: RegExp
  readonly after?: RegExp
}

const LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Syriac}\p{scx=Thaana}]/u
const JOINED_SCRIPT =
  /[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Nko}\p{scx=Mongolian}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Khmer}\p{scx=Tibetan}\p{scx=Myanmar}]/u

// One character each, or the flags of England, Scotland and Wales: in longer runs words could be hidden.
const needs: readonly Need[] = [
  { run: /^\u00ad$/, before: LETTER, after: LETTER },
  // Whatever follows: a text may be cut after it.
  { run: /^\ufe0f?\u200d$/, before: /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u },
  { run: /^[\ufe0e\ufe0f]$/, before: /\p{Emoji}/u },
  { run: /^[\ufe00-\ufe02]$/, before: /\p{Sm}|\p{sc=Han}/u },
  { run: /^[\u{e0100}-\u{e010f}]$/u, before: /\p{sc=Han}/u },
  { run: /^[\u200c\u200d]$/, before: JOINED_SCRIPT },
  { run: /^[\u180b-\u180f]$/, before: /\p{sc=Mongolian}/u },
  { run: /^[\u061c\u200e\u200f]$/, before: RIGHT_TO_LEFT },
  { run: /^[\u061c\u200e\u200f]$/, after: RIGHT_TO_LEFT },
  {
    run: /^\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}$/u,
    before: /\u{1f3f4}/u,
  },
]

const isNeeded = (run: string, before: string, after: string): boolean =>
  needs.some(
    (need) => need.run.test(run) && (need.before?.test(before) ?? true) && (need.after?.test(after) ?? true),
  )

function escapeValue(value: unknown): unknown {
  if (typeof value === 'string') return escapeInvisible(value)
  if (Array.isArray(value)) return value.map(escapeValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [escapeInvisible(key), escapeValue(item)]),
  )
}
