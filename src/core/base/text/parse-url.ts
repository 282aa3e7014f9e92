export const parseUrl = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined

/** Whether the URL is that of a browser's own page about a navigation that failed. */
export const isErrorPage = (url: string): boolean => /^(chrome-error|about:neterror):?/.test(url)

/** Whether a JSON value exceeds these limits of depth or number of values. Without recursion, which would overflow the stack. */
export function exceedsJsonLimits(
  value: unknown,
  limits: { readonly depth: number; readonly values: number },
): boolean {
  let level: unknown[] = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const container of level) {
      if (typeof container !== 'object' || container === null) continue
      const children: unknown[] = Array.isArray(container) ? container : Object.values(container)
      count += children.length
      if (count > limits.values) return true
      for (const child of children) next.push(child)
    }
    if (next.length > 0 && depth >= limits.depth) return true
    level = next
  }
  return false
}
