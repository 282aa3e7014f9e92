// A tag of markup whose attributes may have expressions in brackets, as those of Svelte and Astro. All in one pass.

export interface Tag {
  readonly name: string
  /** Behind it. */
  readonly end: number
  readonly isClosing: boolean
  readonly isSelfClosing: boolean
}

/** The tag whose `<` is at an offset. One that has no end takes the rest of the text. */
export function readTag(text: string, start: number): Tag {
  NAME.lastIndex = start
  const [opening = '<', slash, name = ''] = NAME.exec(text) ?? []
  let at = start + opening.length
  for (let char = text[at]; at < text.length && char !== '>'; char = text[at])
    if (char === '{' || char === '`') at = readExpressionEnd(text, at)
    else at = char === '"' || char === "'" ? endOf(text, char, at) : at + 1
  const end = Math.min(text.length, at + 1)
  return { name, end, isClosing: slash === '/', isSelfClosing: text[at - 1] === '/' }
}

/** The offset behind the end of the brackets, or of the template literal, that begin at `start`; that of the text where they have none. */
export function readExpressionEnd(text: string, start: number): number {
  const open: string[] = []
  let at = start
  do {
    const char = text[at] ?? ''
    const isLiteral = open.at(-1) === '`'
    if (isLiteral && char === '\\') at += 1
    else if (isLiteral && char === '`') open.pop()
    else if (isLiteral && text.startsWith('${', at)) {
      open.push('{')
      at += 1
    } else if (!isLiteral) at = readCode(text, at, open)
    at += 1
  } while (open.length > 0 && at < text.length)
  return Math.min(at, text.length)
}

// --- internal ---

const NAME = /<(\/?)([!A-Za-z][^\s/>{]*)?/y
const STRING = /(["'])(?:[^\\\n]|\\.)*?\1/y
const STRING_LIMIT_CHARS = 1000

/** Takes a bracket in or out. Returns the offset of the last character of what it has read: a string, a comment, or one character. */
function readCode(text: string, at: number, open: string[]): number {
  const char = text[at] ?? ''
  if (char === '{' || char === '`') open.push(char)
  if (char === '}') open.pop()
  if (char === '"' || char === "'") {
    STRING.lastIndex = 0
    const [string = char] = STRING.exec(text.slice(at, at + STRING_LIMIT_CHARS)) ?? []
    return at + string.length - 1
  }
  if (text.startsWith('/*', at)) return endOf(text, '*/', at + 1) - 1
  return text.startsWith('//', at) && text[at - 1] !== ':' ? endOf(text, '\n', at) - 1 : at
}

const endOf = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from + 1)
  return at < 0 ? text.length : at + mark.length
}
