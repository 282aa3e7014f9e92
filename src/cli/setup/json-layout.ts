// How a JSON text is laid out: what stands after a value on its line, and how far it is indented.

import { createScanner, type SyntaxKind } from 'jsonc-parser'

// jsonc-parser declares SyntaxKind as a const enum, which cannot be imported as a value here.
const COMMA = 5 as SyntaxKind.CommaToken
const COMMENTS: readonly SyntaxKind[] = [
  12 as SyntaxKind.LineCommentTrivia,
  13 as SyntaxKind.BlockCommentTrivia,
]
const WHITESPACE = 15 as SyntaxKind.Trivia

/** The offset behind the comma that follows `from`, or undefined where none does. */
export function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  return scanner.scan() === COMMA ? scanner.getTokenOffset() + 1 : undefined
}

/** The offset behind the comments that stand on the same line as `from`; `from` itself where none do. */
export function afterComment(text: string, from: number): number {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  let end = from
  for (;;) {
    const kind = scanner.scan()
    if (COMMENTS.includes(kind)) {
      if (text.slice(scanner.getTokenOffset(), scanner.getPosition()).includes('\n')) return end
      end = scanner.getPosition()
    } else if (kind !== WHITESPACE) return end
  }
}

/** The step of indentation: that of the first line that has one, else two spaces. */
export function indentUnit(text: string): { tabSize: number; insertSpaces: boolean } {
  const [, whitespace = '  '] = /^([ \t]+)["}\]]/m.exec(text) ?? []
  return whitespace.startsWith('\t')
    ? { tabSize: 1, insertSpaces: false }
    : { tabSize: whitespace.length, insertSpaces: true }
}

/** Whether a text holds nothing but white space. */
export const isEmpty = (text: string): boolean => text.trim() === ''
