// The code of a script without its comments, and its strings apart.

export interface SplitCode {
  /** In the place of each string its index: `"3"`; a space for each comment and regular expression. */
  readonly code: string
  readonly strings: readonly string[]
}

export function splitCode(text: string): SplitCode {
  const strings: string[] = []
  let code = ''
  /** For each template literal that is open: how many braces are open in its expression. */
  const depths: number[] = []
  const take = (pattern: RegExp, start: number): string => {
    pattern.lastIndex = start
    return pattern.exec(text)?.[0] ?? text.slice(start)
  }
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? ''
    const isTemplateEnd = character === '}' && depths.at(-1) === 0
    if (text.startsWith('//', at)) at += take(LINE_COMMENT, at).length
    else if (text.startsWith('/*', at)) at += take(BLOCK_COMMENT, at).length
    else if (character === "'" || character === '"') {
      const literal = take(character === "'" ? SINGLE_QUOTED : DOUBLE_QUOTED, at)
      code += `"${strings.push(unescape(literal.slice(1, -1))) - 1}"`
      at += literal.length
    } else if (character === '`' || isTemplateEnd) {
      if (isTemplateEnd) depths.pop()
      const literal = take(TEMPLATE_PART, at)
      const isOpen = literal.endsWith('${')
      if (isOpen) depths.push(0)
      const content = literal.slice(1, isOpen ? -2 : -1)
      code += `${isTemplateEnd ? ')+' : ''}"${strings.push(unescape(content)) - 1}"${isOpen ? '+(' : ''}`
      at += literal.length
    } else if (character === '/' && BEFORE_REGULAR_EXPRESSION.test(code)) {
      code += ' '
      at += take(REGULAR_EXPRESSION, at).length
    } else {
      const depth = depths.at(-1)
      if (depth !== undefined && (character === '{' || character === '}'))
        depths[depths.length - 1] = depth + (character === '{' ? 1 : -1)
      code += character
      at += 1
    }
  }
  return { code, strings }
}

// --- internal ---

const LINE_COMMENT = /\/\/[^\n]*/y
const BLOCK_COMMENT = /\/\*[^]*?\*\//y
const SINGLE_QUOTED = /'(?:\\[^]|[^'\\\n])*'/y
const DOUBLE_QUOTED = /"(?:\\[^]|[^"\\\n])*"/y
const TEMPLATE_PART = /[`}](?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y

/** After a value a slash divides. */
const BEFORE_REGULAR_EXPRESSION = /(?:^|[([{,;:=!&|?+\-*%~^<>]|=>|\b(?:return|typeof|case|in|of))\s*$/

const unescape = (text: string): string => text.replaceAll(/\\([^])/g, '$1')
