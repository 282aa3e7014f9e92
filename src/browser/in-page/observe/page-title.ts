/** Reads the title of the document, truncated to `maxChars`. */
export function readTitle(maxChars: number): string {
  const title = String(document.title)
  return title.length > maxChars ? `${title.slice(0, maxChars)}…` : title
}
