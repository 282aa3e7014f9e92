import type { SnapshotLine } from '../../snapshot/snapshot-lines.ts'
import { itemsOf } from './items.ts'
import type { ProposedCheck } from './proposed-check.ts'
import { NAME_LIMIT_CHARS } from './texts.ts'

/** The rows and items with something new in them (`added`) that have what was entered: found by the longest text, checked for the others. */
export function proposeItems(
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
    const facts = { relation: 'entered', isAnnounced: false } as const
    if (newTexts.length > 0)
      return newTexts.map((text) => ({ ...facts, selector, check: { kind: 'text', text }, text }))
    const check = { kind: 'state', state: 'visible' } as const
    return sameItem ? [] : [{ ...facts, selector, check, text: main }]
  })
}

// --- internal ---

const ITEM_LIMIT_CHARS = 300
