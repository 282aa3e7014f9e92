// A dialog, a menu or a list may hide the rest of the page while it is open. The rest is still there, and its refs still work afterwards.

import type { SnapshotLine } from './snapshot-lines.ts'

const layerRole = /^(dialog|alertdialog|listbox|menu)$/

/** The lines with those behind an open layer counted only. Hidden ones without a layer are shown: nothing stands in front of them. */
export function visibleLines(lines: readonly SnapshotLine[]): readonly SnapshotLine[] {
  const open = lines.find((line) => isLayer(line))
  if (!open || !lines.some(({ hidden }) => hidden)) return lines
  const shown: SnapshotLine[] = []
  let count = 0
  for (const [index, line] of lines.entries()) {
    if (!line.hidden) shown.push(line)
    else if ((count += 1) && !lines[index + 1]?.hidden) {
      const text = `… ${count} ${count === 1 ? 'line' : 'lines'} hidden behind ${titleOf(open)}`
      shown.push({
        key: `${line.key}/hidden`,
        depth: 0,
        text,
        role: 'text',
        name: '',
        useful: true,
        hidden: true,
        passive: false,
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
  const hidden = known.filter((line) => line.hidden && !old.get(line.key)?.hidden)
  const back = known.filter((line) => !line.hidden && old.get(line.key)?.hidden)
  const isFresh = (line: SnapshotLine) =>
    isLayer(line) && (!old.has(line.key) || old.get(line.key)?.hidden === true)
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
      ? [`${told(hidden, before.filter((line) => !line.hidden).length)} hidden${behind}`]
      : []),
    ...(back.length > 0 ? [`${told(back, before.filter((line) => line.hidden).length)} back`] : []),
  ]
}

/** Whether a layer just opens or closes: it may still be moving into its place, and take no clicks. Not on another page. */
export function isLayerChanging(before: readonly SnapshotLine[], after: readonly SnapshotLine[]): boolean {
  const old = new Map(before.map((line) => [line.key, line]))
  if (!after.some(({ key }) => old.has(key))) return false
  return after.some((line) => {
    const known = old.get(line.key)
    if (!known) return layerRole.test(line.role) || (line.usable === true && !line.useful && !line.hidden)
    return known.hidden !== line.hidden || known.expanded !== line.expanded || known.passive !== line.passive
  })
}

// --- internal ---

const isLayer = ({ role, hidden }: SnapshotLine): boolean => !hidden && layerRole.test(role)
const titleOf = ({ role, name }: SnapshotLine): string =>
  `${role}${name ? ` ${JSON.stringify(name.slice(0, 60))}` : ''}`
