/** A foreign text of at most `maximum` characters; the `…` at its end says that there was more. */
export const clip = (text: string, maximum: number): string =>
  text.length > maximum ? `${text.slice(0, maximum)}…` : text

/** What is left of a text without the characters of `unwanted` at its end. Unlike /[…]+$/ it looks at each once. */
export function trimTrailing(text: string, unwanted: RegExp): string {
  let end = text.length
  while (end > 0 && unwanted.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}
