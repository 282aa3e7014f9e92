// Spans of a text that must be hidden. Every detector returns spans of the original text, so that detectors do not see the replacements
// of others and a long text can be cut outside of secrets.

export interface Span {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** The replacement, if it names the kind of the secret. */
  readonly replacement?: string
}

export const REDACTED = '[redacted]'

/** The spans in order, overlapping ones joined. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: Span[] = []
  for (const span of sorted) {
    const last = merged.at(-1)
    if (!last || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { start: last.start, end: span.end }
  }
  return merged
}

/** The text with each span replaced. `spans` are merged. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const parts: string[] = []
  let from = 0
  for (const { start, end, replacement = REDACTED } of spans) {
    parts.push(text.slice(from, start), replacement)
    from = end
  }
  parts.push(text.slice(from))
  return parts.join('')
}

/** The nearest position at or before `at` outside of all spans; the end of the span if that is before `minimum`. */
export function findPositionOutside(spans: readonly Span[], at: number, minimum: number): number {
  const span = spans.find(({ start, end }) => start < at && at < end)
  if (!span) return at
  return span.start > minimum ? span.start : span.end
}
