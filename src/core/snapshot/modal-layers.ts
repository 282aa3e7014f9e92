// A dialog, a menu or a listbox may hide the rest of the page while it is open. The hidden elements keep their refs.

import type { SnapshotLine } from '../sessions/types/snapshot.ts'

const layerRole = /^(dialog|alertdialog|listbox|menu)$/

/** The lines, with those behind an open layer replaced by their count. Without a layer hidden lines are shown. */
export function visibleLines(lines: readonly SnapshotLine[]): readonly SnapshotLine[] {
  const layer = lines.find((line, index) => isLayer(line) && hidesOthers(lines, index))
  if (!layer || !lines.some(({ isHidden }) => isHidden)) return lines
  const result: SnapshotLine[] = []
  let hiddenCount = 0
  for (const [index, line] of lines.entries()) {
    if (!line.isHidden) result.push(line)
    else if ((hiddenCount += 1) && !lines[index + 1]?.isHidden) {
      const text = `… ${hiddenCount} ${hiddenCount === 1 ? 'line' : 'lines'} hidden behind ${titleOf(layer)}`
      result.push({
        key: `${line.key}/hidden`,
        depth: 0,
        text,
        role: 'text',
        name: '',
        isUseful: true,
        isHidden: true,
        isPassive: false,
      })
      hiddenCount = 0
    }
  }
  return result
}

/** Describes which lines were hidden or became visible again, one phrase each. */
export function describeLayerChanges(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
): readonly string[] {
  const linesBefore = new Map(before.map((line) => [line.key, line]))
  const common = after.filter(({ key }) => linesBefore.has(key))
  const nowHidden = common.filter((line) => line.isHidden && !linesBefore.get(line.key)?.isHidden)
  const nowVisible = common.filter((line) => !line.isHidden && linesBefore.get(line.key)?.isHidden)
  const isNewLayer = (line: SnapshotLine) =>
    isLayer(line) && (!linesBefore.has(line.key) || linesBefore.get(line.key)?.isHidden === true)
  const newLayer = after.find(isNewLayer)
  const layer = newLayer ?? after.find(isLayer)
  const layerPhrase = layer ? ` behind ${titleOf(layer)}` : ''
  const closedLayer = newLayer ? undefined : nowHidden.find(({ role }) => layerRole.test(role))
  const describeCount = (lines: readonly SnapshotLine[], total: number) =>
    lines.length * 2 > total
      ? 'the rest of the page is'
      : lines.length === 1
        ? '1 line is'
        : `${lines.length} lines are`
  return [
    ...(closedLayer ? [`${titleOf(closedLayer)} is hidden`] : []),
    ...(nowHidden.length > 0 && !closedLayer
      ? [`${describeCount(nowHidden, before.filter((line) => !line.isHidden).length)} hidden${layerPhrase}`]
      : []),
    ...(nowVisible.length > 0
      ? [`${describeCount(nowVisible, before.filter((line) => line.isHidden).length)} back`]
      : []),
  ]
}

/** Whether a layer is opening or closing, so that it may be animated and receive no clicks. False if the page is another one. */
export function isLayerChanging(before: readonly SnapshotLine[], after: readonly SnapshotLine[]): boolean {
  const linesBefore = new Map(before.map((line) => [line.key, line]))
  if (!after.some(({ key }) => linesBefore.has(key))) return false
  return after.some((line) => {
    const previous = linesBefore.get(line.key)
    if (!previous)
      return layerRole.test(line.role) || (line.isControl === true && !line.isUseful && !line.isHidden)
    return (
      previous.isHidden !== line.isHidden ||
      previous.expanded !== line.expanded ||
      previous.isPassive !== line.isPassive
    )
  })
}

// --- internal ---

const isLayer = ({ role, isHidden }: SnapshotLine): boolean => !isHidden && layerRole.test(role)
// A list may also be a part of a page that has hidden parts of its own.
function hidesOthers(lines: readonly SnapshotLine[], index: number): boolean {
  const { role, depth } = lines[index] as SnapshotLine
  if (/dialog$/.test(role)) return true
  const length = lines.slice(index + 1).findIndex((line) => line.depth <= depth)
  const others = [...lines.slice(0, index), ...(length < 0 ? [] : lines.slice(index + 1 + length))]
  return others.filter(({ isHidden }) => isHidden).length * 2 > others.length
}

const titleOf = ({ role, name }: SnapshotLine): string =>
  `${role}${name ? ` ${JSON.stringify(name.slice(0, 60))}` : ''}`
