// Rows and items of a page, with what is in them.

import type { SnapshotLine } from '../../snapshot/snapshot-lines.ts'

/** A row or item with its lines, its text, and the choices in it. */
export interface Item {
  readonly role: string
  readonly lines: readonly SnapshotLine[]
  readonly content: string
  readonly choices: readonly string[]
}

/** Roles of what is one of several. */
export const itemRole = /^(row|listitem|article|treeitem)$/

/** The rows and items in the order of the page, also those within others. */
export const itemsOf = (lines: readonly SnapshotLine[]): readonly Item[] =>
  lines.flatMap(({ role, depth }, index) => {
    if (!itemRole.test(role)) return []
    const end = lines.findIndex((other, position) => position > index && other.depth <= depth)
    const ownLines = lines.slice(index, end < 0 ? lines.length : end)
    // The text of an element has all options of a choice in it, whichever is selected.
    const content = ownLines.flatMap((line) => (isChoice(line) ? [] : line.name)).join(' ')
    return [{ role, lines: ownLines, content, choices: ownLines.filter(isChoice).map(({ text }) => text) }]
  })

/** The first text in an item that names it: no number, no name of a field, which may be no text, and none of all that is in it. */
export const keyTextOf = ({ lines }: Item): string | undefined =>
  lines
    .filter(({ role }) => !fieldRole.test(role) && (!itemRole.test(role) || lines.length === 1))
    .map(({ name }) => name.trim())
    .find((name) => /\p{L}{2}/u.test(name) && name.length <= KEY_LIMIT_CHARS)

// --- internal ---

const KEY_LIMIT_CHARS = 60

const fieldRole = /^(option|combobox|listbox|checkbox|radio|switch|textbox|searchbox|spinbutton|slider|img)$/

const isChoice = ({ role }: SnapshotLine): boolean => /^(option|combobox|listbox)$/.test(role)
