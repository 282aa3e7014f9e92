/** The title of the document, cut to a length in characters. */
export function readTitle(length: number): string {
  const title = String(document.title)
  return title.length > length ? `${title.slice(0, length)}…` : title
}
