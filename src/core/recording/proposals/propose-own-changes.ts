// Checks of what an action changed where it acted: of its element, and of the row or item that this is in.

import { clipName } from '../../snapshot/node-states.ts'
import type { SnapshotLine } from '../../snapshot/snapshot-lines.ts'
import type { RecordedElement } from '../recorded-step.ts'
import { itemsOf, keyTextOf, type Item } from './items.ts'
import type { PageChange, ProposedCheck } from './proposed-check.ts'
import { includesText, isStable } from './texts.ts'

/** The new name or state of the element, and the new texts beside it. Nothing on another page. */
export function proposeOwnChanges(change: PageChange): readonly ProposedCheck[] {
  const { before, after, element, isOtherPage = false } = change
  if (!element || element.role === '' || isOtherPage) return []
  return [...proposeElement(before, after, element), ...proposeTextsBeside(before, after, element)]
}

// --- internal ---

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
