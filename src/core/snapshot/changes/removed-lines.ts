// The lines of elements that are gone.

import { standaloneTextOf } from '../outline.ts'
import type { SnapshotLine } from '../snapshot-lines.ts'

/** The texts of the lines without a key in `keysAfter`. Elements of the same role that followed each other are counted, and so are the
 * descendants of one, but an item is known by its first text. */
export function describeRemoved(before: readonly SnapshotLine[], keysAfter: ReadonlySet<string>): string[] {
  const runs: [RemovedElement, ...RemovedElement[]][] = []
  for (const element of findRemovedElements(before, keysAfter)) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const isNext =
      last?.line.role === element.line.role &&
      last.line.depth === element.line.depth &&
      last.index + last.descendants.length + 1 === element.index
    if (run && isNext) run.push(element)
    else runs.push([element])
  }
  return runs.flatMap((run) => {
    const [first] = run
    const last = run.at(-1) ?? first
    if (run.length < REMOVED_RUN_MINIMUM) return run.map(describeElement)
    return [`${run.length} × ${first.line.role} ${labelOf(first)} … ${labelOf(last)}`]
  })
}

// --- internal ---

const REMOVED_LINE_LIMIT = 3
const REMOVED_RUN_MINIMUM = 3

interface RemovedElement {
  readonly line: SnapshotLine
  readonly index: number
  /** The lines in it, all removed with it. */
  readonly descendants: readonly SnapshotLine[]
}

function findRemovedElements(
  before: readonly SnapshotLine[],
  keysAfter: ReadonlySet<string>,
): readonly RemovedElement[] {
  const elements: RemovedElement[] = []
  for (let index = 0; index < before.length; index += 1) {
    const line = before[index]
    if (!line || keysAfter.has(line.key)) continue
    const count = countRemovedInside(before, index, keysAfter)
    const descendants = before.slice(index + 1, index + 1 + count)
    const isFolded = count > REMOVED_LINE_LIMIT || isItem(line, descendants)
    elements.push({ line, index, descendants: isFolded ? descendants : [] })
    if (isFolded) index += count
  }
  return elements
}

const isItem = ({ role, name }: SnapshotLine, descendants: readonly SnapshotLine[]): boolean =>
  name === '' && /^(row|listitem)$/.test(role) && descendants.some((line) => line.name !== '')

const firstTextOf = ({ line, descendants }: RemovedElement): string =>
  (line.name || (descendants.find(({ name }) => name !== '')?.name ?? '')).slice(0, 40)

const labelOf = (element: RemovedElement): string => JSON.stringify(firstTextOf(element))

function describeElement(element: RemovedElement): string {
  const { line, descendants } = element
  if (descendants.length === 0) return standaloneTextOf(line)
  const size = isItem(line, descendants) ? '' : ` and ${descendants.length} lines in it`
  const start = line.name === '' ? firstTextOf(element) : ''
  return `${line.text}${size}${start && `: ${start}${descendants.length > 1 ? ' …' : ''}`}`
}

// The number of removed lines directly after a removed one that were inside it.
function countRemovedInside(
  before: readonly SnapshotLine[],
  index: number,
  keysAfter: ReadonlySet<string>,
): number {
  const depth = before[index]?.depth ?? 0
  let end = index + 1
  for (let line = before[end]; line && line.depth > depth && !keysAfter.has(line.key); line = before[end])
    end += 1
  return end - index - 1
}
