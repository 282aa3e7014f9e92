// Where a source text has the path of a page: in a link, a form or a call of the router.

/** More than one line with a path cannot tell which of them led there, a few still can. */
export const PATH_LINE_LIMIT = 2

/** The numbers of the lines, counted from 1, that have this path as a whole string, attribute or argument. A query or a fragment may follow. */
export function linesWithPath(text: string, path: string): number[] {
  if (!text.includes(path)) return []
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = new RegExp(`["'\`(=]${literal}(?=["'\`)?#\\s>])`)
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
}
