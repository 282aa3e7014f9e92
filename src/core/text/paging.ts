/** One part of a long text, cut at the end of a line where there is one. `next` is where the part after it begins. */
export function takePage(text: string, from: number, maxChars: number): { text: string; next?: number } {
  const remainingText = text.slice(from)
  if (remainingText.length <= maxChars) return { text: remainingText }
  const line = remainingText.lastIndexOf('\n', maxChars - 1) + 1
  const end = line > 0 ? line : maxChars
  return { text: remainingText.slice(0, end), next: from + end }
}
