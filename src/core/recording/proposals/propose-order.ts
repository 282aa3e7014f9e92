import type { SnapshotLine } from '../../snapshot/snapshot-lines.ts'
import { itemRole, itemsOf, keyTextOf } from './items.ts'
import type { PageChange, ProposedCheck } from './proposed-check.ts'
import { isStable } from './texts.ts'

/** The order of the rows or items, where two of them stood in the other order when the page last showed both. */
export function proposeOrder({ before, after, history = [], isOtherPage = false }: PageChange) {
  if (isOtherPage) return []
  const views = [...history, before].toReversed()
  const roles = [...new Set(after.map(({ role }) => role).filter((role) => itemRole.test(role)))]
  return roles.flatMap((role): readonly ProposedCheck[] => {
    const keys = keysOf(after, role)
    const start = keys[0] === undefined ? 1 : 0
    const texts = keys.slice(start)
    if (texts.length < 2 || texts.length > ITEM_LIMIT || !areDistinct(texts)) return []
    const earlierOrders = views.map((lines) => keysOf(lines, role))
    if (!isReordered(texts, earlierOrders)) return []
    const order = { texts, start }
    return [{ selector: `internal:role=${role}`, order, text: '', relation: 'own', isAnnounced: false }]
  })
}

// --- internal ---

const ITEM_LIMIT = 6

/** The first texts of all items; undefined for those that cannot be told from others. */
const keysOf = (lines: readonly SnapshotLine[], role: string): readonly (string | undefined)[] =>
  itemsOf(lines.filter(({ isHidden }) => !isHidden))
    .filter((item) => item.role === role)
    .map((item) => (isHeader(item.lines) ? undefined : keyTextOf(item)))

const isHeader = (lines: readonly SnapshotLine[]): boolean =>
  lines.some(({ role }) => role === 'columnheader')

const areDistinct = (texts: readonly (string | undefined)[]): texts is readonly string[] =>
  texts.every(
    (text) =>
      text !== undefined && isStable(text) && texts.filter((other) => other?.includes(text)).length === 1,
  )

/** `orders`: the latest first. */
const isReordered = (
  texts: readonly string[],
  orders: readonly (readonly (string | undefined)[])[],
): boolean =>
  texts.some((first, index) =>
    texts.slice(index + 1).some((second) => {
      const latest = orders.find((order) => order.includes(first) && order.includes(second))
      return latest !== undefined && latest.indexOf(first) > latest.indexOf(second)
    }),
  )
