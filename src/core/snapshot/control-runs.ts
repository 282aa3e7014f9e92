// Many controls that are alike become one line: `40 × button "Edit" in: Ada [e6], Grace [e9], …`. One that is too long for its share of the
// room leaves out its middle, so that what follows it is shown.

import { controlOf, placePhrase, type BlockLabel, type BlockLabels } from './block-labels.ts'
import { SIBLING_ROLES } from './compact-lines.ts'
import type { Place, SnapshotLine } from './snapshot-lines.ts'

/** One line of an outline. */
export interface OutlineItem {
  readonly lines: readonly SnapshotLine[]
  /** The elements that its labels stand for. */
  readonly blocks: readonly Place[]
  /** In at most `maxChars`, if that is possible. */
  text(maxChars: number): string
}

export const itemOfLine = (line: SnapshotLine, text: string): OutlineItem => ({
  lines: [line],
  blocks: [],
  text: () => text,
})

/** The lines as items, each where its first line is. Headings that are labels in the items have none. Without `acrossBlocks` a run ends with
 * the element that contains its blocks. */
export function collapseRuns(
  lines: readonly SnapshotLine[],
  labels: BlockLabels,
  asItem: (line: SnapshotLine) => OutlineItem,
  acrossBlocks = false,
): readonly OutlineItem[] {
  const runs = findLabelledRuns(lines, labels, acrossBlocks)
  const sources = new Set([...runs.keys()].flatMap(({ key }) => labels.get(key)?.sources ?? []))
  const groups: SnapshotLine[][] = []
  let named: SnapshotLine[] = []
  for (const line of lines) {
    const run = runs.get(line)
    if (run?.[0] === line) groups.push(run)
    const isSaid = line.role === 'heading' && (line.name === '' || sources.has(line.key))
    if (run || isSaid) continue
    const isNext = !labels.has(line.key) && isLike(named[0], line)
    if (!isNext) groups.push((named = []))
    named.push(line)
  }
  return groups.flatMap((group) =>
    group.length < RUN_MINIMUM ? group.map(asItem) : [createRun(group, labels)],
  )
}

// --- internal ---

const RUN_MINIMUM = 3
const PREFIX_MINIMUM_CHARS = 4
const namedRole = new RegExp(`^(?:link|${SIBLING_ROLES})$`)
const containerRole =
  /^(list|table|grid|treegrid|tree|navigation|main|banner|contentinfo|complementary|region|form|search|dialog|iframe)$/

interface Entry {
  readonly label: string
  readonly ref: string
  /** The states and the value. */
  readonly tail: string
}

/** The runs of controls that only their labels tell apart, by each of their lines. */
function findLabelledRuns(
  lines: readonly SnapshotLine[],
  labels: BlockLabels,
  acrossBlocks: boolean,
): ReadonlyMap<SnapshotLine, SnapshotLine[]> {
  const runsByGroup = new Map<Place | undefined, Map<string, SnapshotLine[]>>()
  for (const line of lines) {
    const label = labels.get(line.key)
    const control = controlOf(line)
    if (!label || control === undefined) continue
    const group = acrossBlocks ? undefined : label.group
    const runs = runsByGroup.get(group) ?? new Map<string, SnapshotLine[]>()
    const run = runs.get(control)
    if (run) run.push(line)
    else runsByGroup.set(group, runs.set(control, [line]))
  }
  const runs = [...runsByGroup.values()].flatMap((byControl) => [...byControl.values()])
  return new Map(
    runs.filter(({ length }) => length >= RUN_MINIMUM).flatMap((run) => run.map((line) => [line, run])),
  )
}

// Other controls are told apart by their names.
const isLike = (line: SnapshotLine | undefined, other: SnapshotLine): boolean =>
  line?.role === other.role &&
  namedRole.test(other.role) &&
  [line, other].every(isNamed) &&
  containerOf(line) === containerOf(other)

const isNamed = ({ role, name, text }: SnapshotLine): boolean => name !== '' && text.startsWith(`${role} "`)

function containerOf({ place }: SnapshotLine): Place | undefined {
  let container = place?.parent
  while (container && !containerRole.test(container.role)) container = container.parent
  return container
}

function createRun(lines: readonly SnapshotLine[], labels: BlockLabels): OutlineItem {
  const entries = lines.map((line) => entryOf(line, labels.get(line.key)))
  const prefix = commonPrefix(entries.map(({ label }) => label))
  const [{ tail }] = entries as [Entry, ...Entry[]]
  const isTailCommon = entries.every((entry) => entry.tail === tail)
  const texts = entries.map(
    (entry) =>
      `${quoteIfAmbiguous(entry.label.slice(prefix.length))} [${entry.ref}]${isTailCommon ? '' : entry.tail}`,
  )
  const title = `${lines.length} × ${titleOf(lines, labels, prefix, isTailCommon ? tail : '')}:`
  return {
    lines,
    blocks: lines.flatMap(({ key }) => labels.get(key)?.block ?? []),
    text(maxChars) {
      const count = countShown(title, texts, maxChars)
      if (count === texts.length) return `${title} ${texts.join(', ')}`
      const start = texts.slice(0, count - 1).join(', ')
      return `${title} ${start}, ${omissionText(texts.length - count)} ${texts.at(-1)}`
    },
  }
}

const omissionText = (count: number): string => `… ${count} more like these (pattern finds one) …`

/** The number of entries from the start, and the last one, that there is room for; at least two, and all if the rest is as short as the
 * word for it. */
function countShown(title: string, texts: readonly string[], maxChars: number): number {
  const sizes = texts.map(({ length }) => length + 2)
  const total = sizes.reduce((sum, size) => sum + size, title.length - 1)
  if (total <= maxChars) return texts.length
  let remaining = maxChars - title.length - omissionText(texts.length).length - (sizes.at(-1) ?? 0) - 2
  const end = sizes.findIndex((size) => (remaining -= size) < 0)
  const count = Math.max(end, 1) + 1
  const omitted = sizes.slice(count - 1, -1).reduce((sum, size) => sum + size, 0)
  return omitted > omissionText(texts.length).length ? count : texts.length
}

function titleOf(
  [first]: readonly SnapshotLine[],
  labels: BlockLabels,
  prefix: string,
  tail: string,
): string {
  if (!first) return ''
  const label = labels.get(first.key)
  const start = prefix === '' ? '' : ` ${JSON.stringify(`${prefix}…`)}`
  if (!label) return `${first.role}${start}${tail}`
  return `${controlOf(first) ?? first.role}${tail}${placePhrase(label)}${start}`
}

function entryOf(line: SnapshotLine, label: BlockLabel | undefined): Entry {
  const { ref = '', role, text } = line
  const end = text.indexOf(` [${ref}]`) + ref.length + 3
  const rest = text.slice(end)
  const tail = role === 'link' ? (rest.split(' → ')[0] ?? '') : rest
  return { label: label?.text ?? line.name, ref, tail }
}

/** What all texts begin with, up to the end of a word. */
function commonPrefix(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const text of others) while (!text.startsWith(first.slice(0, length))) length -= 1
  const prefix = /^.*[^\p{L}\p{N}]/su.exec(first.slice(0, length))?.[0] ?? ''
  return prefix.length >= PREFIX_MINIMUM_CHARS && texts.every((text) => text.length > prefix.length)
    ? prefix
    : ''
}

// A label must not look like the next entry.
const quoteIfAmbiguous = (text: string): string =>
  /[,;:"[\]…]|^\s|\s$/.test(text) ? JSON.stringify(text) : text
