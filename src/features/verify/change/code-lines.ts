// Which of the lines of a file that no page has loaded can have code. What a page has loaded says that itself.

import type { ChangedText } from './changed-text.ts'
import { fileKindOf } from './file-kind.ts'

/** The lines without those that are blank, comments, brackets, imports of types or declarations of types. */
export function linesWithCode(content: string, lines: readonly number[]): readonly number[] {
  const texts = withoutComments(content).split('\n')
  const types = typeLines(texts)
  return lines.filter((line) => {
    const text = texts[line - 1]?.trim() ?? ''
    return /[\p{L}\p{N}$_]/u.test(text) && !types.has(line) && !/^(import|export) type\b/.test(text)
  })
}

/** Whether nothing of a change can run, such as types. */
export const hasNoCode = ({ path, content, lines }: ChangedText): boolean =>
  fileKindOf(path).kind === 'none' ||
  (fileKindOf(path).kind === 'script' && content !== undefined && linesWithCode(content, lines).length === 0)

// --- internal ---

/** The text with blanks in place of comments; a mark in a string that looks like one takes lines away at most. */
const withoutComments = (content: string): string =>
  content.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?![*/])(?<=(?:[=(,:[!&|?{};>]\s*|\breturn\s+)\/)(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/)|\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<![:\\])\/\/[^\n]*/g,
    (text: string, quoted: string | undefined) => quoted ?? text.replace(/[^\n]/g, ' '),
  )

const TYPE_START =
  /^(export\s+|declare\s+)*(interface\s+[\p{L}$_]|type\s+[\p{L}$_][\p{L}\p{N}$_]*\s*(<[^=]*>)?\s*=)/u

/** The lines of interfaces and types, up to the end of their brackets. */
function typeLines(texts: readonly string[]): ReadonlySet<number> {
  const lines = new Set<number>()
  for (let index = 0; index < texts.length; index++) {
    if (!TYPE_START.test(texts[index]?.trim() ?? '')) continue
    let depth = 0
    for (; index < texts.length; index++) {
      const text = texts[index] ?? ''
      lines.add(index + 1)
      for (const character of text)
        depth += '{(['.includes(character) ? 1 : '})]'.includes(character) ? -1 : 0
      const isOpen = depth > 0 || /[=|&,:<]\s*$/.test(text) || /^\s*[|&]/.test(texts[index + 1] ?? '')
      if (!isOpen) break
    }
  }
  return lines
}
