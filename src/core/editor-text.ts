// Whether an editor holds what was put into it.

/** How an editor treats its text: one of code keeps it as it is, one of prose has spaces and line ends of its own. */
export type EditorKind = 'code' | 'prose'

/** Whether `held` is `text`. */
export const holdsExactly = (kind: EditorKind, held: string, text: string): boolean =>
  plain(kind, held) === plain(kind, text)

/** Whether `text` is part of what is held now, and not only of what was held before. */
export function holdsAdded(kind: EditorKind, held: string, before: string, text: string): boolean {
  const [now, old, added] = [plain(kind, held), plain(kind, before), plain(kind, text)]
  return added === '' || (now.includes(added) && now !== old)
}

// --- internal ---

function plain(kind: EditorKind, text: string): string {
  if (kind === 'prose') return text.replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, '')
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
}
