// Whether an editor holds what was put into it.

/** How an editor treats its text: one of code keeps it as it is, one of prose has spaces and line ends of its own. */
export type EditorKind = 'code' | 'prose'

/** Whether `held` is `text`. */
export const hasExactText = (kind: EditorKind, held: string, text: string): boolean =>
  normalizeText(kind, held) === normalizeText(kind, text)

/** Whether `text` came to what was held before: after all of it, or where the caret was. */
export function hasAddedText(
  kind: EditorKind,
  held: string,
  before: string,
  text: string,
  at: 'caret' | 'end',
): boolean {
  const [now, old, added] = [
    normalizeText(kind, held),
    normalizeText(kind, before),
    normalizeText(kind, text),
  ]
  if (added === '') return true
  const isThere = kind === 'code' && at === 'end' ? now.endsWith(added) : now.includes(added)
  return isThere && now !== old
}

// --- internal ---

function normalizeText(kind: EditorKind, text: string): string {
  if (kind === 'prose') return text.replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, '')
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
}
