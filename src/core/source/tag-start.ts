// The begin of a tag as Astro notes it: by the end of the opening tag, or, if that closes itself, by its name.

/** The position of the `<tag` whose name begins at a position, or else of the last one before it, counted from 1; undefined if there is none. */
export function findTagStart(
  source: string,
  tag: string,
  end: { readonly line: number; readonly column: number },
): { readonly line: number; readonly column: number } | undefined {
  const lines = source.split('\n').slice(0, end.line)
  const last = lines.pop()
  if (last === undefined || lines.length + 1 < end.line) return undefined
  const named = end.column > 1 ? /^<([\w:.-]+)/.exec(last.slice(end.column - 2))?.[1] : undefined
  if (named === tag) return { line: end.line, column: end.column - 1 }
  // The noted column is up to one behind the tag.
  const text = [...lines, last.slice(0, Math.max(0, end.column - 1))].join('\n')
  const starts = [...text.matchAll(/<([\w:.-]+)/g)].filter(([, name]) => name === tag)
  const start = starts.at(-1)?.index
  if (start === undefined) return undefined
  const before = text.slice(0, start).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
