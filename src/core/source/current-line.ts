// The line of an old text in the current one. Frameworks keep the position that an element had when it was made, also after an edit that the
// page has applied without loading again.

/** The line, counted from 1, that a line of `previous` has in `current`; undefined if that is not certain. */
export function findCurrentLine(previous: string, current: string, line: number): number | undefined {
  if (previous === current) return line
  const [oldLines, newLines] = [linesOf(previous), linesOf(current)]
  const text = oldLines[line - 1]
  if (text === undefined) return undefined
  const sharedCount = Math.min(oldLines.length, newLines.length)
  let prefix = 0
  while (prefix < sharedCount && oldLines[prefix] === newLines[prefix]) prefix += 1
  if (line <= prefix) return line
  let suffix = 0
  while (suffix < sharedCount - prefix && oldLines.at(-1 - suffix) === newLines.at(-1 - suffix)) suffix += 1
  if (line > oldLines.length - suffix) return line + newLines.length - oldLines.length
  return countOf(oldLines, text) === 1 && countOf(newLines, text) === 1
    ? newLines.indexOf(text) + 1
    : undefined
}

// --- internal ---

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/)

const countOf = (lines: readonly string[], text: string): number =>
  lines.filter((line) => line === text).length
