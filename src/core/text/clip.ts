/** The text, cut to `maximum` characters and marked with `…` if it was longer. The redactor finds a known secret before this mark also if
 * only its beginning is left. */
export const clip = (text: string, maximum: number): string =>
  text.length > maximum ? `${text.slice(0, maximum)}…` : text

/** Removes the characters that match `unwanted` from the end of a text, in linear time, unlike /[…]+$/. */
export function trimTrailing(text: string, unwanted: RegExp): string {
  let end = text.length
  while (end > 0 && unwanted.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}
