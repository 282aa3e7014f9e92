// Checks for what an action changed on the page, for a test whose author made none.

import type { SnapshotLine } from '../../snapshot/snapshot-lines.ts'
import { linesInAnnouncements } from './announcements.ts'
import { itemRole } from './items.ts'
import { proposeItems } from './propose-items.ts'
import { isMatchedToo, proposeCounts, proposeLines, proposeMatches } from './propose-lines.ts'
import { proposeOrder } from './propose-order.ts'
import { proposeOwnChanges } from './propose-own-changes.ts'
import type { PageChange, ProposedCheck } from './proposed-check.ts'

/** The best checks first: of the row or item that has what was entered, of what the action changed where it acted, of what announces a
 * result, of other content, of how many there are. Contents that differ from one run to the next, such as times, are left out. On another
 * page than before, what is gone says nothing. */
export function proposeChecks(change: PageChange): readonly ProposedCheck[] {
  const { before, after, enteredTexts, isOtherPage = false, isEntry = false } = change
  const added = linesMissingIn(before, after)
  const removed = linesMissingIn(after, before)
  const newLines = added.filter((line) => !before.some((other) => isMatchedToo(line, other)))
  const isNarrower = isEntry || countItems(after) < countItems(before)
  const announcements = linesInAnnouncements(after)
  const proposals = [
    ...proposeItems(before, after, new Set(added), enteredTexts),
    ...proposeOwnChanges(change),
    ...proposeOrder(change),
    ...proposeLines(newLines, 'visible', enteredTexts, announcements),
    ...(isOtherPage ? [] : proposeLines(removed, 'hidden', []).slice(0, HIDDEN_LIMIT)),
    ...(isOtherPage || removed.length === 0 || !isNarrower ? [] : proposeMatches(after, enteredTexts)),
    ...(isOtherPage ? [] : proposeCounts(before, after)),
  ]
  const keyOf = ({ selector, check, order }: ProposedCheck) => JSON.stringify([selector, check, order])
  const keys = proposals.map(keyOf)
  return proposals.filter((proposal, index) => keys.indexOf(keyOf(proposal)) === index)
}

/** The path of a URL as a check of it, if an action has led there and it is the same in every run. */
export function proposePath(urlBefore: string, urlAfter: string): string | undefined {
  if (!URL.canParse(urlBefore) || !URL.canParse(urlAfter)) return undefined
  const [before, after] = [new URL(urlBefore), new URL(urlAfter)]
  const isOther = before.origin === after.origin && before.pathname !== after.pathname
  return isOther && after.pathname.length > 1 && !/\d/.test(after.pathname) ? after.pathname : undefined
}

// --- internal ---

const HIDDEN_LIMIT = 3

const countItems = (lines: readonly SnapshotLine[]): number =>
  lines.filter(({ role, isHidden }) => itemRole.test(role) && !isHidden).length

const contentKeyOf = ({ role, name }: SnapshotLine): string => `${role} ${name}`

// An element that was built anew with the same content has not changed.
function linesMissingIn(
  others: readonly SnapshotLine[],
  lines: readonly SnapshotLine[],
): readonly SnapshotLine[] {
  const known = new Set(others.map(contentKeyOf))
  return lines.filter((line) => !line.isHidden && !known.has(contentKeyOf(line)))
}
