// What the author of a change says that it is meant to change.

/** Whether a difference is within it. `texts` are what both versions show, `selectors` those of the declared ones that match an element around
 * it. */
export const isDeclared = (
  only: readonly string[],
  texts: readonly (string | undefined)[],
  selectors: readonly string[],
): boolean =>
  only.length === 0 ||
  only.some(
    (one) => selectors.includes(one) || texts.some((text) => text !== undefined && hasText(text, one)),
  )

// --- internal ---

/** In the name and the value of an element, not in its role. */
const hasText = (line: string, text: string): boolean => {
  const words = line.replace(/^[\w-]+(?=[ :])/, '').replace(/ \[[^\]]*\]/g, '')
  return words.toLowerCase().includes(text.toLowerCase())
}
