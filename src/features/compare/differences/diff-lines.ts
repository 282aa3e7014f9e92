// The lines that differ between two lists, by a longest common subsequence. Lines that stand in each other's place and have the same first
// word, which is a role, are one change.

interface TextLine {
  readonly text: string
}

/** A line of the base, of the other list, or both. It is about the base from `from` to before `to`; an addition stands before that line. */
export interface LineChange<L extends TextLine> {
  readonly before?: L
  readonly after?: L
  readonly from: number
  readonly to: number
}

export function diffLines<L extends TextLine>(
  base: readonly L[],
  other: readonly L[],
): readonly LineChange<L>[] {
  const sharedCount = Math.min(base.length, other.length)
  let start = 0
  while (start < sharedCount && base[start]?.text === other[start]?.text) start += 1
  let end = 0
  while (end < sharedCount - start && base.at(-1 - end)?.text === other.at(-1 - end)?.text) end += 1
  const middle = base.slice(start, base.length - end)
  const otherMiddle = other.slice(start, other.length - end)
  return blocksOf(middle, otherMiddle).flatMap((block) =>
    pairLines(middle, otherMiddle, block).map(({ from, to, ...lines }) => ({
      ...lines,
      from: from + start,
      to: to + start,
    })),
  )
}

// --- internal ---

/** Lines without a counterpart that stand at the same place in both lists. */
interface Block {
  readonly baseStart: number
  readonly baseEnd: number
  readonly start: number
  readonly end: number
}

/** The table has this many cells at most; longer lists are one block. */
const CELL_LIMIT = 9_000_000

function blocksOf(base: readonly TextLine[], other: readonly TextLine[]): readonly Block[] {
  if (base.length === 0 && other.length === 0) return []
  const whole = { baseStart: 0, baseEnd: base.length, start: 0, end: other.length }
  if (base.length * other.length > CELL_LIMIT) return [whole]
  const width = other.length + 1
  // The length of the longest common subsequence of what follows each pair of positions.
  const lengths = new Uint16Array((base.length + 1) * width)
  for (let row = base.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        base[row]?.text === other[column]?.text
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0)
  const blocks: Block[] = []
  let [row, column, baseStart, start] = [0, 0, 0, 0]
  const close = () => {
    if (row > baseStart || column > start) blocks.push({ baseStart, baseEnd: row, start, end: column })
  }
  while (row < base.length && column < other.length) {
    if (base[row]?.text === other[column]?.text) {
      close()
      row += 1
      column += 1
      baseStart = row
      start = column
    } else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0))
      row += 1
    else column += 1
  }
  row = base.length
  column = other.length
  close()
  return blocks
}

function pairLines<L extends TextLine>(
  base: readonly L[],
  other: readonly L[],
  { baseStart, baseEnd, start, end }: Block,
): readonly LineChange<L>[] {
  const changes: LineChange<L>[] = []
  // The first of each role is at the end of its list.
  const free = new Map<string | undefined, L[]>()
  for (const line of other.slice(start, end).toReversed()) {
    const list = free.get(roleOf(line))
    if (list) list.push(line)
    else free.set(roleOf(line), [line])
  }
  const paired = new Set<L>()
  base.slice(baseStart, baseEnd).forEach((before, index) => {
    const after = free.get(roleOf(before))?.pop()
    if (after) paired.add(after)
    changes.push({ before, ...(after && { after }), from: baseStart + index, to: baseStart + index + 1 })
  })
  for (const after of other.slice(start, end))
    if (!paired.has(after)) changes.push({ after, from: baseStart, to: baseEnd })
  return changes
}

const roleOf = (line: TextLine | undefined): string | undefined => line && /^[^\s:]+/.exec(line.text)?.[0]
