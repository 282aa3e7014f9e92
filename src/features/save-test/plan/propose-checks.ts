// Checks for what an action changed on the page, for a test whose author made none.

import type { RecordedElement } from '../../../core/sessions/types/recorded-step.ts'
import type { SnapshotLine } from '../../../core/sessions/types/snapshot.ts'
import { clipName } from '../../../core/snapshot/snapshot-lines.ts'
import type { PageChange, ProposedCheck } from './insert-checks.ts'
import {
  announcingRole,
  CHECKED_TEXT_LIMIT_CHARS,
  includesText,
  isEnteredIn,
  isStable,
  linesInAnnouncements,
} from './texts.ts'

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

/** A row or item with its lines, its text, and the choices in it. */
interface Item {
  readonly role: string
  readonly lines: readonly SnapshotLine[]
  readonly content: string
  readonly choices: readonly string[]
}

/** Roles of what is one of several. */
const itemRole = /^(row|listitem|article|treeitem)$/

/** The rows and items in the order of the page, also those within others. */
const itemsOf = (lines: readonly SnapshotLine[]): readonly Item[] =>
  lines.flatMap(({ role, depth }, index) => {
    if (!itemRole.test(role)) return []
    const end = lines.findIndex((other, position) => position > index && other.depth <= depth)
    const ownLines = lines.slice(index, end < 0 ? lines.length : end)
    // The text of an element has all options of a choice in it, whichever is selected.
    const content = ownLines.flatMap((line) => (isChoice(line) ? [] : line.name)).join(' ')
    return [{ role, lines: ownLines, content, choices: ownLines.filter(isChoice).map(({ text }) => text) }]
  })

/** The first text in an item that names it: no number, no name of a field, which may be no text, and none of all that is in it. */
const keyTextOf = ({ lines }: Item): string | undefined =>
  lines
    .filter(({ role }) => !fieldRole.test(role) && (!itemRole.test(role) || lines.length === 1))
    .map(({ name }) => name.trim())
    .find((name) => /\p{L}{2}/u.test(name) && name.length <= KEY_LIMIT_CHARS)

const KEY_LIMIT_CHARS = 60

const fieldRole = /^(option|combobox|listbox|checkbox|radio|switch|textbox|searchbox|spinbutton|slider|img)$/

const isChoice = ({ role }: SnapshotLine): boolean => /^(option|combobox|listbox)$/.test(role)

/** The rows and items with something new in them (`added`) that have what was entered: found by the longest text, checked for the others. */
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
      .filter((text) => text.length > 1 && text.length <= CHECKED_TEXT_LIMIT_CHARS && content.includes(text))
      .filter((text) => !choices.some((choice) => choice.includes(text)))
      .toSorted((a, b) => b.length - a.length)
    const [main, ...others] = texts
    if (main === undefined) return []
    const sameItem = itemsBefore.find((item) => item.role === role && item.content.includes(main))
    const newTexts = others.filter((text) => !sameItem?.content.includes(text))
    const selector = `internal:role=${role} >> internal:has-text=${JSON.stringify(main)}i`
    const facts = { relation: 'entered', isAnnounced: false } as const
    if (newTexts.length > 0)
      return newTexts.map((text) => ({ ...facts, selector, check: { kind: 'text', text }, text }))
    const check = { kind: 'state', state: 'visible' } as const
    return sameItem ? [] : [{ ...facts, selector, check, text: main }]
  })
}

const ITEM_LIMIT_CHARS = 300

/** The state of elements whose name or text can be expected in every run: what was entered first, then by role and length. */
const proposeLines = (
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
const proposeMatches = (
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
    return [{ selector: `internal:role=${role}`, check, text: '', relation: 'other', isAnnounced: false }]
  })
}

/** Whether the locator of a line finds the other one too. */
function isMatchedToo(line: SnapshotLine, other: SnapshotLine): boolean {
  const isOfKind = isPlainText(line) ? !omittedRole.test(other.role) : line.role === other.role
  return isOfKind && !other.isHidden && includesText(other.name, line.name)
}

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

/** The order of the rows or items, where two of them stood in the other order when the page last showed both. */
function proposeOrder({ before, after, history = [], isOtherPage = false }: PageChange) {
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

/** The new name or state of the element, and the new texts beside it. Nothing on another page. */
function proposeOwnChanges(change: PageChange): readonly ProposedCheck[] {
  const { before, after, element, isOtherPage = false } = change
  if (!element || element.role === '' || isOtherPage) return []
  return [...proposeElement(before, after, element), ...proposeTextsBeside(before, after, element)]
}

const facts = { relation: 'own', isAnnounced: false } as const
const visible = { kind: 'state', state: 'visible' } as const

/** What can be told about an element: its name, and whether it is pressed or checked. */
interface Appearance {
  readonly name: string
  readonly state: string
}

const STATES = ['pressed', 'checked'] as const

/** Fields whose action sets their state, and verifies it. */
const settingType = /^(checkbox|radio)$/

function proposeElement(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
  element: RecordedElement,
): readonly ProposedCheck[] {
  const { role, name, type } = element
  const newOnes = appearancesOf(after, role).filter(
    (appearance) => countOf(after, role, appearance) > countOf(before, role, appearance),
  )
  const isGone = appearancesOf(before, role).some(
    (appearance) =>
      appearance.name === name && countOf(after, role, appearance) < countOf(before, role, appearance),
  )
  const [first, ...others] = newOnes
  if (!first || !isGone || others.length > 0 || !isStable(first.name)) return []
  const isState = first.name === name
  if (isState && settingType.test(type)) return []
  const state = isState ? stateSelectorOf(first, before, element) : ''
  // Its old name must not match.
  const mode = !isState && includesText(name, first.name) ? 's' : 'i'
  const end = `internal:role=${role}[name=${JSON.stringify(first.name)}${mode}]${state}`
  const scope = scopeOf(element)
  // A new name without a place may be that of any other element.
  const relation = isState || scope !== '' ? 'own' : 'other'
  const text = isState ? '' : first.name
  return [{ ...facts, selector: `${scope}${end}`, check: visible, text, relation }]
}

/** Where the element is, as its locators name it; empty if they do without. */
function scopeOf({ locators, role, name }: RecordedElement): string {
  const ends = ['i', 's'].map((mode) => `internal:role=${role}[name=${JSON.stringify(name)}${mode}]`)
  const scopes = locators.flatMap(({ selector }) =>
    ends.filter((end) => selector.endsWith(end)).map((end) => selector.slice(0, -end.length)),
  )
  return scopes.find((scope) => scope !== '' && !/nth/.test(scope)) ?? ''
}

function stateSelectorOf(
  { name, state }: Appearance,
  before: readonly SnapshotLine[],
  { role }: RecordedElement,
): string {
  const earlier = appearancesOf(before, role).find((one) => one.name === name && one.state !== state)
  return STATES.filter((word) => state.includes(word) !== (earlier?.state ?? '').includes(word))
    .map((word) => `[${word}=${state.includes(word)}]`)
    .join('')
}

const appearanceOf = ({ name, text }: SnapshotLine): Appearance => {
  const words = text.replace(JSON.stringify(clipName(name)), '').split(/[ :]/)
  return { name, state: STATES.filter((state) => words.includes(state)).join(' ') }
}

function appearancesOf(lines: readonly SnapshotLine[], role: string): readonly Appearance[] {
  const all = lines.filter((line) => line.role === role && !line.isHidden).map(appearanceOf)
  return all.filter((one, index) => all.findIndex((other) => areEqual(one, other)) === index)
}

const countOf = (lines: readonly SnapshotLine[], role: string, appearance: Appearance): number =>
  lines.filter((line) => line.role === role && !line.isHidden && areEqual(appearanceOf(line), appearance))
    .length

const areEqual = (a: Appearance, b: Appearance): boolean => a.name === b.name && a.state === b.state

/** The texts of its row or item that were others before; the row is found by its first text. */
function proposeTextsBeside(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
  { role, name }: RecordedElement,
): readonly ProposedCheck[] {
  const earlierItems = itemsOf(before).filter(({ lines }) =>
    lines.some((line) => line.role === role && line.name === name),
  )
  const items = itemsOf(after)
  const changes = items.flatMap((item): readonly ProposedCheck[] => {
    const key = keyTextOf(item)
    const isOnly = (list: readonly Item[]) =>
      list.filter((one) => one.role === item.role && includesText(one.content, key ?? '')).length === 1
    const earlier = earlierItems.find((one) => one.role === item.role && keyTextOf(one) === key)
    if (key === undefined || !earlier || !isOnly(items) || !isOnly(earlierItems)) return []
    const line = item.lines.find((one) => isTextual(one) && isNewIn(earlier, one.name) && isStable(one.name))
    if (!line) return []
    const row = `internal:role=${item.role} >> internal:has-text=${JSON.stringify(key)}i`
    const text = line.name.trim()
    if (!/cell$/.test(line.role)) return [{ ...facts, selector: row, check: { kind: 'text', text }, text }]
    const selector = `${row} >> internal:role=${line.role}[name=${JSON.stringify(text)}s]`
    return [{ ...facts, selector, check: visible, text }]
  })
  return changes.length === 1 ? changes : []
}

const isTextual = ({ role, isHidden }: SnapshotLine): boolean =>
  !isHidden && /^(text|paragraph|cell|gridcell|note|strong|emphasis)$/.test(role)

// The text of an element is that of all parts of it without a space between them.
const isNewIn = ({ lines, content }: Item, text: string): boolean =>
  text.trim() !== '' &&
  !includesText(content, text) &&
  !includesText(lines.map(({ name }) => name).join(''), text)
