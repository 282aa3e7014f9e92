// The begin of a tag whose end is known. Astro notes where the opening tag of an element ends.

/** The position of the last `<tag` before a position, counted from 1; undefined if there is none. */
export function findTagStart(
  source: string,
  tag: string,
  end: { readonly line: number; readonly column: number },
): { readonly line: number; readonly column: number } | undefined {
  const lines = source.split('\n').slice(0, end.line)
  const last = lines.pop()
  if (last === undefined || lines.length + 1 < end.line) return undefined
  // The noted column is up to one behind the tag.
  const text = [...lines, last.slice(0, Math.max(0, end.column - 1))].join('\n')
  for (let start = text.length; (start = text.lastIndexOf(`<${tag}`, start - 1)) >= 0;) {
    if (/[\w:.-]/.test(text[start + tag.length + 1] ?? '')) continue
    const before = text.slice(0, start).split('\n')
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
  }
  return undefined
}
