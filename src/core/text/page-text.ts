// Text of a page, or of another program, in an answer. A page that writes several lines must not write lines of the answer.

import { escapeInvisible } from './invisible-characters.ts'

/** How a text stands in an answer: `quoted` in one line; `indented`, each of its lines after a space; `continued` after words of the answer,
 * so that only its other lines are indented. */
export type PageTextForm = 'quoted' | 'indented' | 'continued'

/** The text in one of these forms, with its invisible characters as escapes. A line of the answer never begins with one of the text. */
export function showPageText(text: string, form: PageTextForm): string {
  const visibleText = escapeInvisible(text)
  // The escapes stay as they are elsewhere, so that a name reads the same wherever it stands.
  if (form === 'quoted') return JSON.stringify(visibleText).replaceAll('\\\\u{', '\\u{')
  const lines = visibleText.replaceAll(/\r?\n/g, '\n ')
  return form === 'indented' ? ` ${lines}` : lines
}
