// The body of an error response as a person reads it, on one line.

const HTML_START = /^\s*<(?:!doctype|html|head|meta|title|style|body|main|h[1-6]|pre|p|div|center)\b/i
const UNSHOWN_ELEMENTS = /<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi
const TAGS = /<[^<>]*>?/g
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
  amp: '&',
}

/** The text of a page without its markup; another body as it is. */
export function readableBodyOf(body: string): string {
  const text = HTML_START.test(body)
    ? body
        .replace(UNSHOWN_ELEMENTS, ' ')
        .replace(TAGS, ' ')
        .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    : body
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
