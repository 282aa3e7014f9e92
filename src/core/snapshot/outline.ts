// Selections of snapshot lines: the outline of a long page, and the lines that match a pattern.

import { clip } from '../base/text/clip.ts'
import type { AriaNode, AriaTree, Place, SnapshotLine } from '../sessions/types/snapshot.ts'
import { type BlockLabel, type BlockLabels, controlOf, labelControls, placePhrase } from './block-labels.ts'
import { compactLines, SIBLING_ROLES } from './compact-lines.ts'
import { chooseIconName } from './icon-name.ts'
import { textOf } from './snapshot-lines.ts'

/** The text of a line outside of its context: a control in a table row also names its row. */
export const standaloneTextOf = ({ text, isUseful, row }: SnapshotLine): string =>
  isUseful && row !== undefined && !text.includes(row)
    ? `${text} in row ${JSON.stringify(row.slice(0, 40))}`
    : text

/** The text of a line outside of its context: a control that has its like on the page also names its block. */
export function labelledTextOf(line: SnapshotLine, labels: BlockLabels): string {
  const label = line.isJoined ? undefined : labels.get(line.key)
  if (!label) return standaloneTextOf(line)
  if (line.text.includes(label.text)) return line.text
  // A value, at the end of a line, is text of the page.
  const end = line.text.indexOf(`[${line.ref}]`) + `[${line.ref}]`.length
  return `${line.text.slice(0, end)}${placePhrase(label)} ${JSON.stringify(label.text)}${line.text.slice(end)}`
}

/** A page that is too long: its interactive elements and headings, then as much text as fits within `maxChars`, in document order. A page
 * that is short enough is whole. */
export function createOutline(lines: readonly SnapshotLine[], maxChars: number): string {
  const compact = compactLines(lines)
  const whole = textOf(compact)
  if (whole.length <= maxChars) return whole
  const { form, items } = chooseForm(lines, compact, maxChars - OMISSION_CHARS)
  const order = new Map(form.map((line, index) => [line, index]))
  const selection: { readonly index: number; readonly text: string }[] = []
  let remainingChars = maxChars - OMISSION_CHARS
  const select = (line: SnapshotLine | undefined, text: string) => {
    if (!line || text.length + 1 > remainingChars) return false
    remainingChars -= text.length + 1
    return selection.push({ index: order.get(line) ?? 0, text }) > 0
  }
  const limitOf = allotChars(items, remainingChars)
  const omitted = items.slice(countWhile(items, (item) => select(item.lines[0], item.text(limitOf(item)))))
  const otherLines = omitted.length > 0 ? [] : linesOutside(items, form)
  const shownCount = countWhile(otherLines, (line) => select(line, standaloneTextOf(line)))
  const texts = selection.sort((a, b) => a.index - b.index).map(({ text }) => text)
  const isWhole = items.length + shownCount === form.length
  return isWhole ? texts.join('\n') : [...texts, omissionText(omitted)].join('\n')
}

/** The lines that match, with the controls after a matching text, each below the nearest heading before it. */
export function searchLines(
  lines: readonly SnapshotLine[],
  pattern: Pick<RegExp, 'test'>,
  labels = labelControls(lines),
): readonly SnapshotLine[] {
  const matches = new Set<SnapshotLine>()
  const headings = new Map<SnapshotLine, SnapshotLine>()
  let heading: SnapshotLine | undefined
  for (const [index, line] of lines.entries()) {
    if (line.role === 'heading') heading = line
    if (!pattern.test(labelledTextOf(line, labels))) continue
    if (heading && heading !== line) headings.set(line, heading)
    for (const match of [line, ...findControlsAfter(lines, index)]) matches.add(match)
    heading = undefined
  }
  const shownKeys = new Set([...matches, ...headings.values()].map(({ key }) => key))
  let isBelowHeading = false
  return lines.flatMap((line) => {
    if (!matches.has(line)) return []
    const headingBefore = headings.get(line)
    if (line.role === 'heading') isBelowHeading = false
    if (headingBefore) isBelowHeading = true
    const isLabelShown = labels.get(line.key)?.sources.some((key) => shownKeys.has(key))
    const text = isLabelShown ? standaloneTextOf(line) : labelledTextOf(line, labels)
    const matchLine = { ...line, text, depth: isBelowHeading ? 1 : 0 }
    return headingBefore ? [{ ...headingBefore, depth: 0 }, matchLine] : [matchLine]
  })
}

const OMISSION_CHARS = 120

/** How a client of MCP reads on. */
export const OMISSION_HINT = ': use snapshot with cursor or pattern'

function omissionText(items: readonly OutlineItem[]): string {
  const count = items.reduce((total, { lines }) => total + lines.length, 0)
  const omission = count > 0 ? `${count} more interactive elements, and all text` : 'more text'
  return `… ${omission}${OMISSION_HINT}`
}

function countWhile<T>(values: readonly T[], accepts: (value: T) => boolean): number {
  const end = values.findIndex((value) => !accepts(value))
  return end < 0 ? values.length : end
}

interface OutlineForm {
  readonly form: readonly SnapshotLine[]
  /** The useful lines of the form. */
  readonly items: readonly OutlineItem[]
}

// Whole rows say most, then a line for each control with the text that tells it from others, then a line for many of them.
function chooseForm(
  lines: readonly SnapshotLine[],
  compact: readonly SnapshotLine[],
  maxChars: number,
): OutlineForm {
  const labels = labelControls(lines)
  const asItem = (line: SnapshotLine) => itemOfLine(line, labelledTextOf(line, labels))
  const reasons = findReasons(lines)
  const isUseful = (line: SnapshotLine) => line.isUseful || reasons.has(line)
  for (const form of [compact, lines]) {
    const items = form.filter(isUseful).map(asItem)
    if (sizeOf(items, Infinity) <= maxChars) return { form, items }
  }
  const useful = lines.filter(isUseful)
  const runs = collapseRuns(useful, labels, asItem)
  if (sizeOf(runs, 0) <= maxChars) return { form: lines, items: runs }
  const asShortItem = (line: SnapshotLine) => itemOfLine(line, labelledTextOf(omitUrl(line), labels))
  return { form: lines, items: collapseRuns(useful, labels, asShortItem, true) }
}

// Why a field is invalid stands beside it.
function findReasons(lines: readonly SnapshotLine[]): ReadonlySet<SnapshotLine> {
  const reasons = new Set<SnapshotLine>()
  for (const [index, field] of lines.entries()) {
    if (!field.isInvalid) continue
    const next = lines.slice(index + 1, index + 1 + REASON_LINES)
    const end = next.findIndex((line) => line.role !== 'text' && line.role !== 'paragraph')
    for (const line of end < 0 ? next : next.slice(0, end)) reasons.add(line)
  }
  return reasons
}

const REASON_LINES = 2

const omitUrl = (line: SnapshotLine): SnapshotLine =>
  line.role === 'link' && line.name !== '' ? { ...line, text: line.text.replace(/ → .*$/, '') } : line

const sizeOf = (items: readonly OutlineItem[], maxChars: number): number =>
  items.reduce((total, item) => total + item.text(maxChars).length + 1, 0)

/** How many characters each item may have: those that can be shortened share what the others leave. */
function allotChars(items: readonly OutlineItem[], maxChars: number): (item: OutlineItem) => number {
  const sizes = new Map(items.map((item) => [item, item.text(Infinity).length]))
  const runs = items.filter((item) => item.lines.length > 1)
  const sizeOfItem = (item: OutlineItem) => sizes.get(item) ?? 0
  let remaining =
    maxChars -
    sizeOf(
      items.filter((item) => item.lines.length === 1),
      Infinity,
    )
  for (const [index, run] of runs.toSorted((a, b) => sizeOfItem(a) - sizeOfItem(b)).entries()) {
    const share = Math.floor(remaining / (runs.length - index)) - 1
    const size = Math.min(share, sizeOfItem(run))
    sizes.set(run, size)
    remaining -= size + 1
  }
  return sizeOfItem
}

/** The lines that say something and are neither in the items nor in the blocks of their runs. */
function linesOutside(items: readonly OutlineItem[], form: readonly SnapshotLine[]): readonly SnapshotLine[] {
  const blocks = new Set(items.flatMap((item) => item.blocks))
  const isInBlock = (line: SnapshotLine) => {
    let place: Place | undefined = line.place
    while (place && !blocks.has(place)) place = place.parent
    return place !== undefined
  }
  return form.filter((line) => !line.isUseful && line.name !== '' && !isInBlock(line))
}

/** The maximum distance between a text and its controls. */
const NEIGHBOR_LIMIT_LINES = 3

// In a list of cards the name is a text, and the button does not repeat it.
function findControlsAfter(lines: readonly SnapshotLine[], index: number): readonly SnapshotLine[] {
  const line = lines[index]
  if (!line || line.isUseful) return []
  const nextLines = lines.slice(index + 1, index + 1 + 2 * NEIGHBOR_LIMIT_LINES)
  const first = nextLines.findIndex((candidate) => candidate.isUseful || candidate.depth < line.depth)
  if (first < 0 || first > NEIGHBOR_LIMIT_LINES) return []
  const controls = nextLines.slice(first)
  const end = controls.findIndex((candidate) => !isControl(candidate))
  return end < 0 ? controls : controls.slice(0, end)
}

const isControl = ({ isUseful, ref, role }: SnapshotLine): boolean =>
  isUseful && ref !== undefined && role !== 'heading'

// Limits the depth of an accessibility tree and the length of its texts, because a page can make both arbitrarily large.
const NODE_TEXT_LIMIT_CHARS = 4000
const DEPTH_LIMIT = 500

/** The tree with clipped texts and the names of icons; nodes that are too deep are replaced by `…`. */
export const truncateTree = (tree: AriaTree, depth = 0): AriaTree =>
  tree.map((node) =>
    typeof node === 'string' ? clip(node, NODE_TEXT_LIMIT_CHARS) : truncateNode(node, depth),
  )

function truncateNode(node: AriaNode, depth: number): AriaNode {
  const { icon, ...named } = node
  if (icon) return truncateNode({ ...named, name: chooseIconName(icon) }, depth)
  const clippedFields: [string, string][] = []
  for (const field of ['name', 'text', 'url', 'placeholder'] as const) {
    const text = node[field]
    if (text !== undefined && text.length > NODE_TEXT_LIMIT_CHARS)
      clippedFields.push([field, clip(text, NODE_TEXT_LIMIT_CHARS)])
  }
  const { children = [] } = node
  if (children.length === 0)
    return clippedFields.length === 0 ? node : { ...node, ...Object.fromEntries(clippedFields) }
  const boundedChildren = depth < DEPTH_LIMIT ? truncateTree(children, depth + 1) : ['…']
  return { ...node, ...Object.fromEntries(clippedFields), children: boundedChildren }
}

// Many controls that are alike become one line: `40 × button "Edit" in: Ada [e6], Grace [e9], …`. One that is too long for its share of the
// room leaves out its middle, so that what follows it is shown.
interface OutlineItem {
  readonly lines: readonly SnapshotLine[]
  /** The elements that its labels stand for. */
  readonly blocks: readonly Place[]
  /** In at most `maxChars`, if that is possible. */
  text(maxChars: number): string
}

const itemOfLine = (line: SnapshotLine, text: string): OutlineItem => ({
  lines: [line],
  blocks: [],
  text: () => text,
})

/** The lines as items, each where its first line is. Headings that are labels in the items have none. Without `acrossBlocks` a run ends with
 * the element that contains its blocks. */
function collapseRuns(
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
      return `${title} ${start}, ${runOmissionText(texts.length - count)} ${texts.at(-1)}`
    },
  }
}

const runOmissionText = (count: number): string => `… ${count} more like these (pattern finds one) …`

/** The number of entries from the start, and the last one, that there is room for; at least two, and all if the rest is as short as the
 * word for it. */
function countShown(title: string, texts: readonly string[], maxChars: number): number {
  const sizes = texts.map(({ length }) => length + 2)
  const total = sizes.reduce((sum, size) => sum + size, title.length - 1)
  if (total <= maxChars) return texts.length
  let remaining = maxChars - title.length - runOmissionText(texts.length).length - (sizes.at(-1) ?? 0) - 2
  const end = sizes.findIndex((size) => (remaining -= size) < 0)
  const count = Math.max(end, 1) + 1
  const omitted = sizes.slice(count - 1, -1).reduce((sum, size) => sum + size, 0)
  return omitted > runOmissionText(texts.length).length ? count : texts.length
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
