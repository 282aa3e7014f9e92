/** One page of a long text, cut at a line end if there is one. `next` is the offset of the next page. */
export function takePage(text: string, from: number, maxChars: number): { text: string; next?: number } {
  const remainingText = text.slice(from)
  if (remainingText.length <= maxChars) return { text: remainingText }
  const line = remainingText.lastIndexOf('\n', maxChars - 1) + 1
  const end = line > 0 ? line : maxChars
  return { text: remainingText.slice(0, end), next: from + end }
}
