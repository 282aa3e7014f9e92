// Checks for what an action changed on the page, for a test whose author made none.

import type { SnapshotLine } from '../snapshot/snapshot-lines.ts'
import { REDACTED } from '../redaction/spans.ts'

/** What should be visible after an action and was not before, or the reverse. `selector` is Playwright's. */
export interface ProposedCheck {
  readonly selector: string
  readonly state: 'visible' | 'hidden'
}

/** The best checks first: what has a text that was entered, then what announces a result, then other content. Contents that differ from one
 * run to the next, such as times, are left out. */
export function proposeChecks(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
  enteredTexts: readonly string[],
): readonly ProposedCheck[] {
  const added = linesMissingIn(before, after)
  const removed = linesMissingIn(after, before)
  const isReplaced = removed.length > before.length / 2
  const proposals = [
    ...added.map((line) => ({ line, state: 'visible' as const })),
    ...(isReplaced ? [] : removed.map((line) => ({ line, state: 'hidden' as const }))),
  ]
  return proposals
    .map(({ line, state }) => ({
      selector: selectorOf(line),
      state,
      rank: rankOf(line, state, enteredTexts),
    }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ selector, state }) => ({ selector, state }))
}

/** The path of a URL as a check of it, if an action has led there and it is the same in every run. */
export function proposePath(urlBefore: string, urlAfter: string): string | undefined {
  if (!URL.canParse(urlBefore) || !URL.canParse(urlAfter)) return undefined
  const [before, after] = [new URL(urlBefore), new URL(urlAfter)]
  const isOther = before.origin === after.origin && before.pathname !== after.pathname
  return isOther && after.pathname.length > 1 && !/\d/.test(after.pathname) ? after.pathname : undefined
}

// --- internal ---

const NAME_LIMIT_CHARS = 80

/** Roles whose accessible name is their content, so that `getByRole` finds them by it. */
const namedRole =
  /^(heading|button|link|cell|gridcell|columnheader|rowheader|option|tab|checkbox|radio|switch|menuitem\w*|treeitem|img)$/
const announcingRole = /^(alert|status|heading|dialog|alertdialog)$/
const contentRole = /^(listitem|cell|gridcell|row|article|text|paragraph|link|option|tab|note|log)$/
const omittedRole =
  /^(list|table|rowgroup|generic|group|navigation|main|banner|contentinfo|form|region|iframe)$/
/** Times, dates, ages, ids, and what is shown while something loads. */
const variableText =
  /\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b(ago|just now|today|loading|saving|please wait)\b|…$|\.\.\.$|[\da-f]{8}-[\da-f]{4}|\d{5,}|\b[\da-f]{12,}\b/i

const contentKeyOf = ({ role, name }: SnapshotLine): string => `${role} ${name}`

// An element that was built anew with the same content has not changed.
function linesMissingIn(
  others: readonly SnapshotLine[],
  lines: readonly SnapshotLine[],
): readonly SnapshotLine[] {
  const known = new Set(others.map(contentKeyOf))
  return lines.filter((line) => !line.isHidden && !known.has(contentKeyOf(line)))
}

function rankOf(
  { role, name }: SnapshotLine,
  state: 'visible' | 'hidden',
  enteredTexts: readonly string[],
): number {
  const isUsable = name.length > 1 && name.length <= NAME_LIMIT_CHARS && !name.includes('\n')
  if (!isUsable || omittedRole.test(role) || variableText.test(name) || name.includes(REDACTED)) return 0
  const hasEnteredText = enteredTexts.some((text) => text.trim().length > 1 && name.includes(text.trim()))
  const isAnnouncing = announcingRole.test(role)
  const base = isAnnouncing ? 30 : contentRole.test(role) ? 20 : 10
  // A field shows what was entered in any case.
  const isField = /^(textbox|searchbox|combobox|spinbutton)$/.test(role)
  if (isField) return 0
  return base + (hasEnteredText ? 40 : 0) - (state === 'hidden' ? 15 : 0) - name.length / NAME_LIMIT_CHARS
}

function selectorOf({ role, name }: SnapshotLine): string {
  const text = JSON.stringify(name)
  if (role === 'text' || role === 'paragraph') return `internal:text=${text}i`
  if (namedRole.test(role)) return `internal:role=${role}[name=${text}i]`
  return `internal:role=${role} >> internal:has-text=${text}i`
}
