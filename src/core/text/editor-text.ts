// Verifies that an editor has the text that was inserted.

/** How an editor treats text: a code editor keeps it unchanged, a prose editor changes white space and line ends. */
export type EditorKind = 'code' | 'prose'

/** Whether the text of the editor is `text`. */
export const hasExactText = (kind: EditorKind, editorText: string, text: string): boolean =>
  normalizeText(kind, editorText) === normalizeText(kind, text)

/** Whether `text` was added to the text before: at its end, or at the caret. */
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
