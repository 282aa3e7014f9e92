// Whether an editor holds what was put into it.

/** How an editor treats its text: one of code keeps it as it is, one of prose has spaces and line ends of its own. */
export type EditorKind = 'code' | 'prose'

/** Whether `held` is `text`. */
export const hasExactText = (kind: EditorKind, editorText: string, text: string): boolean =>
  normalizeText(kind, editorText) === normalizeText(kind, text)

/** Whether `text` came to what was held before: after all of it, or where the caret was. */
export function hasAddedText(
  kind: EditorKind,
  editorText: string,
  before: string,
  text: string,
  at: 'caret' | 'end',
): boolean {
  const [current, previous, added] = [
    normalizeText(kind, editorText),
    normalizeText(kind, before),
    normalizeText(kind, text),
  ]
  if (added === '') return true
  const isPresent = kind === 'code' && at === 'end' ? current.endsWith(added) : current.includes(added)
  return isPresent && current !== previous
}

// --- internal ---

function normalizeText(kind: EditorKind, text: string): string {
  if (kind === 'prose') return text.replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, '')
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
}
