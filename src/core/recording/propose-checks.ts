// Checks for what an action changed on the page, for a test whose author made none.

import type { ElementCheck } from '../checks/element-check.ts'
import type { SnapshotLine } from '../snapshot/snapshot-lines.ts'
import { REDACTED } from '../redaction/spans.ts'

/** What should hold after an action and did not before. `selector` is Playwright's. */
export interface ProposedCheck {
  readonly selector: string
  readonly check: ElementCheck
  /** What must be there, or not. */
  readonly text: string
  /** Whether it is about a text that was entered. */
  readonly isEntered: boolean
}

/** The best checks first: of the row or item that has what was entered, of what announces a result, of other content, of how many there are.
 * Contents that differ from one run to the next, such as times, are left out. On another page than before, what is gone says nothing. */
export function proposeChecks(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
  enteredTexts: readonly string[],
  isOtherPage = false,
): readonly ProposedCheck[] {
  const added = linesMissingIn(before, after)
  const removed = linesMissingIn(after, before)
  const proposals = [
    ...proposeItems(before, after, new Set(added), enteredTexts),
    ...proposeLines(added, 'visible', enteredTexts),
    ...(isOtherPage ? [] : proposeLines(removed, 'hidden', []).slice(0, HIDDEN_LIMIT)),
    ...(isOtherPage || removed.length === 0 ? [] : proposeMatches(after, enteredTexts)),
    ...(isOtherPage ? [] : proposeCounts(before, after)),
  ]
  const keyOf = ({ selector, check }: ProposedCheck) => `${selector} ${JSON.stringify(check)}`
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

const NAME_LIMIT_CHARS = 80
const ITEM_LIMIT_CHARS = 300
const COUNT_LIMIT = 30
const HIDDEN_LIMIT = 3

/** Roles whose accessible name is their content, so that `getByRole` finds them by it. */
const namedRole =
  /^(heading|button|link|cell|gridcell|columnheader|rowheader|option|tab|checkbox|radio|switch|menuitem\w*|treeitem|img)$/
const announcingRole = /^(alert|status|heading|dialog|alertdialog)$/
const itemRole = /^(row|listitem|article|treeitem)$/
const contentRole = /^(listitem|cell|gridcell|row|article|link|option|tab|note|log)$/
const omittedRole =
  /^(list|table|rowgroup|generic|group|navigation|main|banner|contentinfo|form|region|iframe|textbox|searchbox|combobox|spinbutton)$/
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

// The rows and items with something new in them that have what was entered: found by the longest text, checked for the others.
function proposeItems(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
  added: ReadonlySet<SnapshotLine>,
  enteredTexts: readonly string[],
): readonly ProposedCheck[] {
  const itemsBefore = itemsOf(before)
  return itemsOf(after).flatMap(({ role, lines, content, choices }): readonly ProposedCheck[] => {
    if (content.length > ITEM_LIMIT_CHARS || !lines.some((line) => added.has(line))) return []
    const texts = [...new Set(enteredTexts.map((text) => text.trim()))]
      .filter((text) => text.length > 1 && text.length <= NAME_LIMIT_CHARS && content.includes(text))
      .filter((text) => !choices.some((choice) => choice.includes(text)))
      .toSorted((a, b) => b.length - a.length)
    const [main, ...others] = texts
    if (main === undefined) return []
    const sameItem = itemsBefore.find((item) => item.role === role && item.content.includes(main))
    const newTexts = others.filter((text) => !sameItem?.content.includes(text))
    const selector = `internal:role=${role} >> internal:has-text=${JSON.stringify(main)}i`
    if (newTexts.length > 0)
      return newTexts.map((text) => ({ selector, check: { kind: 'text', text }, text, isEntered: true }))
    const check = { kind: 'state', state: 'visible' } as const
    return sameItem ? [] : [{ selector, check, text: main, isEntered: true }]
  })
}

/** A row or item with its lines, its text, and the choices in it. */
interface Item {
  readonly role: string
  readonly lines: readonly SnapshotLine[]
  readonly content: string
  readonly choices: readonly string[]
}

const itemsOf = (lines: readonly SnapshotLine[]): readonly Item[] =>
  lines.flatMap(({ role, depth }, index) => {
    if (!itemRole.test(role)) return []
    const end = lines.findIndex((other, position) => position > index && other.depth <= depth)
    const ownLines = lines.slice(index, end < 0 ? lines.length : end)
    // The text of an element has all options of a choice in it, whichever is selected.
    const isChoice = (line: SnapshotLine) => /^(option|combobox|listbox)$/.test(line.role)
    const content = ownLines.flatMap((line) => (isChoice(line) ? [] : line.name)).join(' ')
    return [{ role, lines: ownLines, content, choices: ownLines.filter(isChoice).map(({ text }) => text) }]
  })

function proposeLines(
  lines: readonly SnapshotLine[],
  state: 'visible' | 'hidden',
  enteredTexts: readonly string[],
): readonly ProposedCheck[] {
  return lines
    .filter(({ role, name }) => {
      const isUsable = name.length > 1 && name.length <= NAME_LIMIT_CHARS && !name.includes('\n')
      return isUsable && !omittedRole.test(role) && !variableText.test(name) && !name.includes(REDACTED)
    })
    .map((line) => {
      const isEntered = enteredTexts.some((text) => text.trim().length > 1 && line.name.includes(text.trim()))
      return { line, isEntered, rank: rankOf(line) + (isEntered ? 40 : 0) }
    })
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ line, isEntered }) => ({
      selector: selectorOf(line),
      check: { kind: 'state', state },
      text: line.name,
      isEntered,
    }))
}

// A longer text says more; a badge is on many elements.
const rankOf = ({ role, name }: SnapshotLine): number =>
  (announcingRole.test(role) ? 30 : contentRole.test(role) ? 20 : 10) + Math.min(name.length, 40) / 4

// What a search leaves: lines that have what was entered.
const proposeMatches = (
  lines: readonly SnapshotLine[],
  enteredTexts: readonly string[],
): readonly ProposedCheck[] =>
  proposeLines(
    lines.filter(({ name }) =>
      enteredTexts.some(
        (text) => text.trim().length > 1 && name.toLowerCase().includes(text.trim().toLowerCase()),
      ),
    ),
    'visible',
    [],
  )

/** How many rows or items there are now, where that has changed. */
function proposeCounts(
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
    return [{ selector: `internal:role=${role}`, check, text: '', isEntered: false }]
  })
}

function selectorOf({ role, name }: SnapshotLine): string {
  const text = JSON.stringify(name)
  if (role === 'text' || role === 'paragraph') return `internal:text=${text}i`
  if (namedRole.test(role)) return `internal:role=${role}[name=${text}i]`
  return `internal:role=${role} >> internal:has-text=${text}i`
}
