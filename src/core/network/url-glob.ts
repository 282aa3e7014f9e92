/** Converts a URL glob, in Playwright's syntax, into the source of a regular expression: `**` is any text, `*` any text without a slash,
 * `{a,b}` an alternative, `\` escapes the next character. Undefined if a brace is nested or unclosed. */
export function globToRegExpSource(glob: string): string | undefined {
  const parts: string[] = []
  let inGroup = false
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? ''
    const nextCharacter = glob[at + 1]
    if (character === '\\' && nextCharacter !== undefined) {
      parts.push(escapeCharacter(nextCharacter))
      at += 1
    } else if (character === '*') {
      const previousCharacter = glob[at - 1]
      const starsStart = at
      while (glob[at + 1] === '*') at += 1
      const isDirectoryGlob = at > starsStart && glob[at + 1] === '/'
      if (at === starsStart) parts.push('[^/]*')
      else if (!isDirectoryGlob) parts.push('.*')
      else parts.push(previousCharacter === '/' ? '(?:.+/)?' : '.*/')
      if (isDirectoryGlob) at += 1
    } else if (character === '{' || character === '}') {
      if (inGroup === (character === '{')) return undefined
      inGroup = !inGroup
      parts.push(inGroup ? '(?:' : ')')
    } else parts.push(character === ',' && inGroup ? '|' : escapeCharacter(character))
  }
  return inGroup ? undefined : `^${parts.join('')}$`
}

const escapeCharacter = (character: string): string =>
  /[\w\s]/.test(character) || character.charCodeAt(0) > 127 ? character : `\\${character}`
