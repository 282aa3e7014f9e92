// Selections of snapshot lines: the outline of a long page, and the lines that match a pattern.

import { labelControls, placePhrase, type BlockLabels } from './block-labels.ts'
import { compactLines } from './compact-lines.ts'
import { collapseRuns, itemOfLine, type OutlineItem } from './control-runs.ts'
import { textOf, type Place, type SnapshotLine } from './snapshot-lines.ts'

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

// --- internal ---

const OMISSION_CHARS = 120

function omissionText(items: readonly OutlineItem[]): string {
  const count = items.reduce((total, { lines }) => total + lines.length, 0)
  const omission = count > 0 ? `${count} more interactive elements, and all text` : 'more text'
  return `… ${omission}: use snapshot with cursor or pattern`
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
  const isUseful = (line: SnapshotLine) => line.isUseful
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
