/** Whether a JSON value is nested deeper, or holds more values, than these limits. Without recursion, which such a value would end. */
export function exceedsJsonLimits(
  value: unknown,
  limits: { readonly depth: number; readonly values: number },
): boolean {
  let level: unknown[] = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      const inner: unknown[] = Array.isArray(one) ? one : Object.values(one)
      count += inner.length
      if (count > limits.values) return true
      for (const child of inner) next.push(child)
    }
    if (next.length > 0 && depth >= limits.depth) return true
    level = next
  }
  return false
}
