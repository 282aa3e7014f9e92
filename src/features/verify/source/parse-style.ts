// The structure of a style sheet, of CSS and the languages that have its brackets: each rule is a part.

import type { SourcePart, SourceStructure } from './structure.ts'

/** `hasLineComments`: whether `//` begins a comment, as in SCSS and Less. */
export function parseStyle(text: string, hasLineComments: boolean): SourceStructure {
  const visible = withoutComments(text, hasLineComments)
  const parts: { kind: 'rule'; firstLine: number; lastLine: number }[] = []
  const open: (typeof parts)[number][] = []
  let [line, start] = [1, 1]
  let isBlank = true
  for (const [mark] of visible.matchAll(MARK)) {
    if (mark === '\n') line += 1
    else if (mark === '{') {
      const part = { kind: 'rule' as const, firstLine: isBlank ? line : start, lastLine: line }
      parts.push(part)
      open.push(part)
    } else if (mark === '}') {
      const part = open.pop()
      if (part) part.lastLine = line
    } else if (isBlank && mark !== ';') start = line
    isBlank = mark === '\n' ? isBlank : /^[{};]/.test(mark)
  }
  for (const part of open) part.lastLine = line
  const texts = visible.split('\n')
  const lines = texts.flatMap((one, index) => (one.trim() === '' ? [] : index + 1))
  return {
    parts: parts satisfies readonly SourcePart[],
    codeLines: new Set(lines),
    bracketLines: new Set(lines.filter((one) => /^[\s{};]*$/.test(texts[one - 1] ?? ''))),
    imports: [],
    startsPart: () => false,
    describe: () => visible.replace(/\s+/g, ' ').trim(),
  }
}

// --- internal ---

/** A bracket that ends or begins a rule, a string, or other text. */
const MARK = /\n|[{};]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#\{|[^\s{};"'#]+|["'#]/g

function withoutComments(text: string, hasLineComments: boolean): string {
  const parts: string[] = []
  const comment = hasLineComments ? /\/\*|(?<!:)\/\//g : /\/\*/g
  let at = 0
  for (let match = comment.exec(text); match; match = comment.exec(text)) {
    const mark = match[0] === '/*' ? '*/' : '\n'
    const close = text.indexOf(mark, match.index + 2)
    const end = close < 0 ? text.length : mark === '\n' ? close : close + mark.length
    parts.push(text.slice(at, match.index), text.slice(match.index, end).replace(/[^\n]/g, ' '))
    at = comment.lastIndex = end
  }
  return [...parts, text.slice(at)].join('').replace(/\r\n?/g, '\n')
}
