// A dialog, a menu or a list may hide the rest of the page while it is open. The rest is still there, and its refs still work afterwards.

import type { SnapshotLine } from './snapshot-lines.ts'

const layerRole = /^(dialog|alertdialog|listbox|menu)$/

/** The lines with those behind an open layer counted only. Hidden ones without a layer are shown: nothing stands in front of them. */
export function visibleLines(lines: readonly SnapshotLine[]): readonly SnapshotLine[] {
  const open = lines.find((line) => isLayer(line))
  if (!open || !lines.some(({ isHidden }) => isHidden)) return lines
  const shown: SnapshotLine[] = []
  let count = 0
  for (const [index, line] of lines.entries()) {
    if (!line.isHidden) shown.push(line)
    else if ((count += 1) && !lines[index + 1]?.isHidden) {
      const text = `… ${count} ${count === 1 ? 'line' : 'lines'} hidden behind ${titleOf(open)}`
      shown.push({
        key: `${line.key}/hidden`,
        depth: 0,
        text,
        role: 'text',
        name: '',
        isUseful: true,
        isHidden: true,
        isPassive: false,
      })
      count = 0
    }
  }
  return shown
}

/** What to say of lines that were hidden or came back, one sentence each. */
export function describeLayerChanges(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
): readonly string[] {
  const old = new Map(before.map((line) => [line.key, line]))
  const known = after.filter(({ key }) => old.has(key))
  const hidden = known.filter((line) => line.isHidden && !old.get(line.key)?.isHidden)
  const back = known.filter((line) => !line.isHidden && old.get(line.key)?.isHidden)
  const isFresh = (line: SnapshotLine) =>
    isLayer(line) && (!old.has(line.key) || old.get(line.key)?.isHidden === true)
  const fresh = after.find(isFresh)
  const open = fresh ?? after.find(isLayer)
  const behind = open ? ` behind ${titleOf(open)}` : ''
  const closing = fresh ? undefined : hidden.find(({ role }) => layerRole.test(role))
  const told = (some: readonly SnapshotLine[], most: number) =>
    some.length * 2 > most
      ? 'the rest of the page is'
      : some.length === 1
        ? '1 line is'
        : `${some.length} lines are`
  return [
    ...(closing ? [`${titleOf(closing)} is hidden`] : []),
    ...(hidden.length > 0 && !closing
      ? [`${told(hidden, before.filter((line) => !line.isHidden).length)} hidden${behind}`]
      : []),
    ...(back.length > 0 ? [`${told(back, before.filter((line) => line.isHidden).length)} back`] : []),
  ]
}

/** Whether a layer just opens or closes: it may still be moving into its place, and take no clicks. Not on another page. */
export function isLayerChanging(before: readonly SnapshotLine[], after: readonly SnapshotLine[]): boolean {
  const old = new Map(before.map((line) => [line.key, line]))
  if (!after.some(({ key }) => old.has(key))) return false
  return after.some((line) => {
    const known = old.get(line.key)
    if (!known)
      return layerRole.test(line.role) || (line.isControl === true && !line.isUseful && !line.isHidden)
    return (
      known.isHidden !== line.isHidden ||
      known.expanded !== line.expanded ||
      known.isPassive !== line.isPassive
    )
  })
}

// --- internal ---

const isLayer = ({ role, isHidden }: SnapshotLine): boolean => !isHidden && layerRole.test(role)
const titleOf = ({ role, name }: SnapshotLine): string =>
  `${role}${name ? ` ${JSON.stringify(name.slice(0, 60))}` : ''}`
