// Checks of single elements, and of how many there are.

import type { SnapshotLine } from '../../snapshot/snapshot-lines.ts'
import { itemRole } from './items.ts'
import type { ProposedCheck } from './proposed-check.ts'
import { announcingRole, includesText, isEnteredIn, isStable } from './texts.ts'

/** The state of elements whose name or text can be expected in every run: what was entered first, then by role and length. */
export const proposeLines = (
  lines: readonly SnapshotLine[],
  state: 'visible' | 'hidden',
  enteredTexts: readonly string[],
  announced: ReadonlySet<SnapshotLine> = new Set(),
): readonly ProposedCheck[] =>
  lines
    .filter(({ role, name }) => name.length > 1 && !omittedRole.test(role) && isStable(name, enteredTexts))
    .map((line) => {
      const isEntered = isEnteredIn(line.name, enteredTexts)
      return { line, isEntered, rank: rankOf(line) + (isEntered ? 40 : 0) }
    })
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ line, isEntered }) => ({
      selector: selectorOf(line),
      check: { kind: 'state', state },
      text: line.name,
      relation: isEntered ? 'entered' : 'other',
      isAnnounced: announced.has(line),
    }))

/** What a search leaves: lines that have what was entered. */
export const proposeMatches = (
  lines: readonly SnapshotLine[],
  enteredTexts: readonly string[],
): readonly ProposedCheck[] =>
  proposeLines(
    lines.filter(({ name }) =>
      enteredTexts.some((text) => text.trim().length > 1 && includesText(name, text)),
    ),
    'visible',
    [],
  )

/** How many rows or items there are now, where that has changed. */
export function proposeCounts(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
): readonly ProposedCheck[] {
  const countOf = (lines: readonly SnapshotLine[], role: string) =>
    lines.filter((line) => line.role === role && !line.isHidden).length
  const roles = [...new Set(after.map(({ role }) => role).filter((role) => itemRole.test(role)))]
  return roles.flatMap((role) => {
    const count = countOf(after, role)
    if (count === countOf(before, role) || count > COUNT_LIMIT) return []
    const check = { kind: 'count', count } as const
    return [{ selector: `internal:role=${role}`, check, text: '', relation: 'other', isAnnounced: false }]
  })
}

/** Whether the locator of a line finds the other one too. */
export function isMatchedToo(line: SnapshotLine, other: SnapshotLine): boolean {
  const isOfKind = isPlainText(line) ? !omittedRole.test(other.role) : line.role === other.role
  return isOfKind && !other.isHidden && includesText(other.name, line.name)
}

// --- internal ---

const COUNT_LIMIT = 30

/** Roles whose accessible name is their content, so that `getByRole` finds them by it. */
const namedRole =
  /^(heading|button|link|cell|gridcell|columnheader|rowheader|option|tab|checkbox|radio|switch|menuitem\w*|treeitem|img)$/
const contentRole = /^(listitem|cell|gridcell|row|article|link|option|tab|note)$/
const omittedRole =
  /^(list|table|rowgroup|generic|group|navigation|main|banner|contentinfo|form|region|iframe|textbox|searchbox|combobox|spinbutton)$/

const isPlainText = ({ role }: SnapshotLine): boolean => role === 'text' || role === 'paragraph'

// A longer text says more; a badge is on many elements.
const rankOf = ({ role, name }: SnapshotLine): number =>
  (announcingRole.test(role) ? 30 : contentRole.test(role) ? 20 : 10) + Math.min(name.length, 40) / 4

function selectorOf(line: SnapshotLine): string {
  const { role, name } = line
  const text = JSON.stringify(name)
  if (isPlainText(line)) return `internal:text=${text}i`
  if (namedRole.test(role)) return `internal:role=${role}[name=${text}i]`
  return `internal:role=${role} >> internal:has-text=${text}i`
}
