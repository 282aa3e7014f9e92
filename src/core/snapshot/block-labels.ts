// Tells controls apart that have the same role and name: each is labelled with a heading or text of the block that it is in, such as its list
// item, row or card. A block is the largest element without another such control. A label that may belong to another control is left out.

import { normalizeSpace } from '../base/text/clip.ts'
import type { Place, SnapshotLine } from '../sessions/types/snapshot.ts'
import { clipName } from './snapshot-lines.ts'

export interface BlockLabel {
  readonly text: string
  readonly block: Place
  /** The element that contains the block and those of the other controls. */
  readonly group: Place
  /** The keys of the lines that the text comes from. */
  readonly sources: readonly string[]
}

/** The labels by the key of the line. */
export type BlockLabels = ReadonlyMap<string, BlockLabel>

/** The words between a control and its label. */
export const placePhrase = ({ block }: BlockLabel): string => (block.role === 'row' ? ' in row' : ' in')

/** The control of a line, without what it contains now; undefined if the line is no control. */
export function controlOf({ isUseful, ref, role, name, text }: SnapshotLine): string | undefined {
  if (!isUseful || ref === undefined || otherRole.test(role)) return undefined
  // The name of a field without a label is its value.
  const start = name === '' ? role : `${role} ${JSON.stringify(clipName(name))}`
  return fieldRole.test(role) && !text.startsWith(start) ? role : start
}

export function labelControls(lines: readonly SnapshotLine[]): BlockLabels {
  const page = readPage(lines)
  const labels = new Map<string, BlockLabel>()
  for (const likes of page.likes.values())
    if (likes.length > 1) for (const [key, label] of labelLikes(likes, page)) labels.set(key, label)
  return labels
}

// --- internal ---

const otherRole = /^(heading|alert\w*|status|iframe|tabpanel|dialog)$/
const fieldRole = /^(textbox|searchbox|combobox|spinbutton|slider|listbox)$/
/** Their names are those of their content, or tell nothing. */
const unsuitableRole = /^(row|rowgroup|option|listbox|combobox|textbox|searchbox|spinbutton|slider|iframe)$/
const namedByContentRole = /^(cell|gridcell|columnheader|rowheader|treeitem|tab|button|link|menuitem\w*)$/

/** What is said in such an element is about it; of another one only its heading is, unless most of its siblings are like it. */
const itemRole = /^(listitem|row|article|group|radiogroup|treeitem|definition|gridcell|cell)$/
const listRole = /^(list|navigation|menu|menubar|table|grid|tree)$/

const LABEL_LIMIT_CHARS = 40
const LABEL_END_CHARS = 13
/** The maximum number of lines that are searched for the label of a block. */
const SEARCH_LIMIT_LINES = 20
const JOINED_TEXTS_LIMIT = 3
/** With fewer blocks, one that contains a control of the same role may be something else, such as a navigation. */
const LIST_MINIMUM_BLOCKS = 3

interface Page {
  readonly lines: readonly SnapshotLine[]
  /** The lines whose names say something about their blocks. */
  readonly suitable: ReadonlySet<SnapshotLine>
  /** The controls with the same role and name. */
  readonly likes: ReadonlyMap<string, readonly SnapshotLine[]>
  /** The indexes of the first and the last line in an element. */
  readonly first: ReadonlyMap<Place, number>
  readonly last: ReadonlyMap<Place, number>
  /** How many children of each role an element has. */
  readonly children: ReadonlyMap<Place, ReadonlyMap<string, number>>
}

interface Candidate {
  readonly text: string
  readonly key: string
}

interface Block {
  readonly place: Place
  readonly candidates: readonly Candidate[]
}

type Group = ReadonlyMap<Place, Omit<BlockLabel, 'group'>>

function readPage(lines: readonly SnapshotLine[]): Page {
  const first = new Map<Place, number>()
  const last = new Map<Place, number>()
  const controls = new Map<SnapshotLine, string>()
  const likes = new Map<string, SnapshotLine[]>()
  for (const [index, line] of lines.entries()) {
    for (let place = line.place; place && !first.has(place); place = place.parent) first.set(place, index)
    const control = controlOf(line)
    if (control === undefined || !line.place) continue
    controls.set(line, control)
    const others = likes.get(control)
    if (others) others.push(line)
    else likes.set(control, [line])
  }
  for (let index = lines.length - 1; index >= 0; index -= 1)
    for (let place = lines[index]?.place; place && !last.has(place); place = place.parent)
      last.set(place, index)
  return {
    lines,
    suitable: findSuitable(lines, controls, likes),
    likes,
    first,
    last,
    children: countChildren(first.keys()),
  }
}

function countChildren(places: Iterable<Place>): Page['children'] {
  const children = new Map<Place, Map<string, number>>()
  for (const { parent, role } of places) {
    if (!parent) continue
    const counts = children.get(parent) ?? new Map<string, number>()
    children.set(parent, counts.set(role, (counts.get(role) ?? 0) + 1))
  }
  return children
}

function labelLikes(likes: readonly SnapshotLine[], page: Page): ReadonlyMap<string, BlockLabel> {
  const groups = findGroups(likes)
  const blocks = new Set([...groups.values()].flatMap((group) => [...group]))
  const labelled = new Map<Place, Group>()
  const likeCounts = countLikes(likes)
  for (const [group, places] of groups) {
    const hasList = places.size >= LIST_MINIMUM_BLOCKS
    // What is in another block belongs to the control there.
    const accepts = (line: SnapshotLine, container: Place) =>
      page.suitable.has(line) &&
      (hasList || line.role !== likes[0]?.role) &&
      findAround(line, (place) => place === container || blocks.has(place)) === container
    // A text outside of a block may belong to one of several controls in it.
    const isShared = [...places].some((place) => (likeCounts.get(place) ?? 0) > 1)
    labelled.set(group, labelGroup(group, places, isShared, accepts, page))
  }
  const choices = likes.map((like) => ({ key: like.key, labels: labelsAround(like, labelled) }))
  const counts = countTexts(choices.map(({ labels: [inner] }) => inner?.text ?? ''))
  return new Map(
    choices.flatMap(({ key, labels: [inner, outer] }) => {
      if (!inner) return []
      const isUnique = counts.get(inner.text) === 1 || !outer
      return [[key, isUnique ? inner : { ...inner, text: `${outer.text} › ${inner.text}` }]]
    }),
  )
}

/** From the innermost block outwards. */
function labelsAround({ place }: SnapshotLine, groups: ReadonlyMap<Place, Group>): readonly BlockLabel[] {
  const labels: BlockLabel[] = []
  for (let block = place; block?.parent; block = block.parent) {
    const label = groups.get(block.parent)?.get(block)
    if (label) labels.push({ ...label, group: block.parent })
  }
  return labels
}

/** The elements that contain several of the controls, each with its children in which they are. */
function findGroups(likes: readonly SnapshotLine[]): ReadonlyMap<Place, ReadonlySet<Place>> {
  const groups = new Map<Place, Set<Place>>()
  for (const [index, { place }] of likes.entries()) {
    const common = commonPlace(place, likes[index + 1]?.place)
    if (common) groups.set(common, new Set())
  }
  for (const { place } of likes)
    for (let block = place; block?.parent; block = block.parent) groups.get(block.parent)?.add(block)
  return groups
}

/** How many of the controls are in each element. */
function countLikes(likes: readonly SnapshotLine[]): ReadonlyMap<Place, number> {
  const counts = new Map<Place, number>()
  for (const like of likes)
    for (let { place } = like; place; place = place.parent) counts.set(place, (counts.get(place) ?? 0) + 1)
  return counts
}

function commonPlace(one: Place | undefined, other: Place | undefined): Place | undefined {
  let [a, b] = [one, other]
  while (a && b && a !== b) {
    const isDeeper = a.level >= b.level
    if (b.level >= a.level) b = b.parent
    if (isDeeper) a = a.parent
  }
  return a && b
}

type Accepts = (line: SnapshotLine, container: Place) => boolean

function findAround({ place }: SnapshotLine, matches: (place: Place) => boolean): Place | undefined {
  let container = place
  while (container && !matches(container)) container = container.parent
  return container
}

function labelGroup(
  group: Place,
  places: ReadonlySet<Place>,
  isShared: boolean,
  accepts: Accepts,
  page: Page,
): Group {
  const roleCounts = countTexts([...places].map(({ role }) => role))
  const isMostOf = ({ role }: Place) =>
    (roleCounts.get(role) ?? 0) * 2 >= (page.children.get(group)?.get(role) ?? 0)
  const blocks = [...places]
    .filter(({ role }) => (roleCounts.get(role) ?? 0) > 1)
    .map((place) => {
      const [first = 0, last = -1] = [page.first.get(place), page.last.get(place)]
      const isShort = last - first < SEARCH_LIMIT_LINES && !listRole.test(place.role)
      const isRecord = itemRole.test(place.role) || (isShort && isMostOf(place))
      const titles = (line: SnapshotLine) => isRecord || line.role === 'heading' || line.place === place
      const lines = page.lines.slice(first, Math.min(last + 1, first + SEARCH_LIMIT_LINES))
      return {
        place,
        candidates: findCandidates(lines.filter((line) => titles(line) && accepts(line, place))),
      }
    })
  const isFlat =
    !isShared && blocks.length === places.size && blocks.every(({ candidates }) => candidates.length === 0)
  return chooseLabels(isFlat ? findTextsBetween(group, blocks, accepts, page) : blocks)
}

/** Whether the name of a line says something about its block, for each line. */
function findSuitable(
  lines: readonly SnapshotLine[],
  controls: ReadonlyMap<SnapshotLine, string>,
  likes: Page['likes'],
): ReadonlySet<SnapshotLine> {
  const isRepeated = (line: SnapshotLine) => (likes.get(controls.get(line) ?? '')?.length ?? 0) > 1
  const isNamedByControl = ({ depth, role }: SnapshotLine, index: number) => {
    if (!namedByContentRole.test(role)) return false
    const next = lines.slice(index + 1, index + SEARCH_LIMIT_LINES)
    return next.slice(0, countInside(next, depth)).some((line) => controls.has(line))
  }
  return new Set(
    lines.filter((line, index) => {
      const { role, name, place } = line
      const saysNothing = unsuitableRole.test(role) || !/[\p{L}\p{N}]/u.test(name) || !place
      return !saysNothing && !isRepeated(line) && !isNamedByControl(line, index)
    }),
  )
}

function countInside(lines: readonly SnapshotLine[], depth: number): number {
  const end = lines.findIndex((line) => line.depth <= depth)
  return end < 0 ? lines.length : end
}

// Headings come first.
function findCandidates(lines: readonly SnapshotLine[]): readonly Candidate[] {
  const isHeading = ({ role }: SnapshotLine) => role === 'heading'
  return [...lines.filter(isHeading), ...lines.filter((line) => !isHeading(line))].map(({ name, key }) => ({
    text: clipLabel(name),
    key,
  }))
}

// What differs between two long texts is often at their ends.
function clipLabel(name: string): string {
  const text = normalizeSpace(name)
  return text.length > LABEL_LIMIT_CHARS
    ? `${text.slice(0, LABEL_LIMIT_CHARS - LABEL_END_CHARS - 1)}…${text.slice(-LABEL_END_CHARS)}`
    : text
}

/** The first text of each block that no other block has, or the first few together. */
function chooseLabels(blocks: readonly Block[]): Group {
  const counts = countTexts(
    blocks.flatMap(({ candidates }) => [...new Set(candidates.map(({ text }) => text))]),
  )
  const chosen = blocks.flatMap(({ place, candidates }) => {
    const unique = candidates.findIndex(({ text }) => counts.get(text) === 1)
    const parts = unique < 0 ? candidates.slice(0, JOINED_TEXTS_LIMIT) : withName(candidates.slice(unique))
    if (parts.length === 0) return []
    const text = [...new Set(parts.map((part) => part.text))].join(' ')
    return [[place, { text, block: place, sources: parts.map(({ key }) => key) }] as const]
  })
  const texts = new Set(chosen.map(([, { text }]) => text))
  return new Map(texts.size > 1 || chosen.length === 1 ? chosen : [])
}

// A number says little, and the text after it may be the name.
function withName([first, ...others]: readonly Candidate[]): readonly Candidate[] {
  if (!first) return []
  const name = /\p{L}/u.test(first.text)
    ? undefined
    : others.slice(0, 2).find(({ text }) => /\p{L}/u.test(text))
  return name ? [first, name] : [first]
}

/** The blocks with the texts before or after them, if it is certain which of both belong to them. */
function findTextsBetween(
  group: Place,
  blocks: readonly Block[],
  accepts: Accepts,
  { lines, first, last }: Page,
): readonly Block[] {
  const starts = blocks.map(({ place }) => first.get(place) ?? 0)
  const ends = blocks.map(({ place }) => (last.get(place) ?? -1) + 1)
  const from = [first.get(group) ?? 0, ...ends]
  const to = [...starts, (last.get(group) ?? -1) + 1]
  const gapLines = from.map((start, index) => lines.slice(start, to[index]))
  const [intro = [], ...inner] = gapLines
  const outro = inner.pop() ?? []
  if (inner.some(({ length }) => length > SEARCH_LIMIT_LINES)) return []
  const nearLines = [intro.slice(-SEARCH_LIMIT_LINES), ...inner, outro.slice(0, SEARCH_LIMIT_LINES)]
  // The text around a link may be a sentence.
  const isSentence = ({ role }: SnapshotLine) =>
    role === 'text' && blocks.some(({ place }) => place.role === 'link')
  const gaps = nearLines.map((gap) => gap.filter((line) => accepts(line, group) && !isSentence(line)))
  const shapes = gaps.map((gap) => gap.map(({ role }) => role))
  const [before = [], between = []] = shapes
  const after = shapes.at(-1) ?? []
  const shape = between.join()
  if (shape === '' || shapes.slice(1, -1).some((other) => other.join() !== shape)) return []
  const precedes = before.slice(-between.length).join() === shape
  const follows = after.slice(0, between.length).join() === shape
  if (precedes === follows) return []
  return blocks.map(({ place }, index) => {
    const gap = precedes ? gaps[index]?.slice(-between.length) : gaps[index + 1]?.slice(0, between.length)
    return { place, candidates: findCandidates(gap ?? []) }
  })
}

function countTexts(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
