// A dialog, a menu or a list may hide the rest of the page while it is open. The rest is still there, and its refs still work afterwards.

import type { Line } from './snapshot-lines.ts'

const layer = /^(dialog|alertdialog|listbox|menu)$/

/** The lines with those behind an open layer counted only. Hidden ones without a layer are shown: nothing stands in front of them. */
export function shownLines(lines: readonly Line[]): readonly Line[] {
  const open = lines.find((line) => isLayer(line))
  if (!open || !lines.some(({ hidden }) => hidden)) return lines
  const shown: Line[] = []
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
export function turnsOf(before: readonly Line[], after: readonly Line[]): readonly string[] {
  const old = new Map(before.map((line) => [line.key, line]))
  const known = after.filter(({ key }) => old.has(key))
  const hidden = known.filter((line) => line.hidden && !old.get(line.key)?.hidden)
  const back = known.filter((line) => !line.hidden && old.get(line.key)?.hidden)
  const isFresh = (line: Line) => isLayer(line) && (!old.has(line.key) || old.get(line.key)?.hidden === true)
  const fresh = after.find(isFresh)
  const open = fresh ?? after.find(isLayer)
  const behind = open ? ` behind ${titleOf(open)}` : ''
  const closing = fresh ? undefined : hidden.find(({ role }) => layer.test(role))
  const told = (some: readonly Line[], most: number) =>
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
export function isTurning(before: readonly Line[], after: readonly Line[]): boolean {
  const old = new Map(before.map((line) => [line.key, line]))
  if (!after.some(({ key }) => old.has(key))) return false
  return after.some((line) => {
    const known = old.get(line.key)
    if (!known) return layer.test(line.role) || (line.usable === true && !line.useful && !line.hidden)
    return known.hidden !== line.hidden || known.expanded !== line.expanded || known.passive !== line.passive
  })
}

// --- internal ---

const isLayer = ({ role, hidden }: Line): boolean => !hidden && layer.test(role)
const titleOf = ({ role, name }: Line): string =>
  `${role}${name ? ` ${JSON.stringify(name.slice(0, 60))}` : ''}`
