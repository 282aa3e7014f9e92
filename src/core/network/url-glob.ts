/** A glob of addresses as the source of a regular expression: `**` is any text, `*` any without a slash, `{a,b}` one of these, `\` takes
 * the next character as it is. Undefined where a brace is nested or left open. As Playwright reads it. */
export function globToRegExpSource(glob: string): string | undefined {
  const parts: string[] = []
  let inGroup = false
  for (let at = 0; at < glob.length; at++) {
    const one = glob[at] ?? ''
    const next = glob[at + 1]
    if (one === '\\' && next !== undefined) {
      parts.push(escapeCharacter(next))
      at += 1
    } else if (one === '*') {
      const before = glob[at - 1]
      const from = at
      while (glob[at + 1] === '*') at += 1
      const directories = at > from && glob[at + 1] === '/'
      if (at === from) parts.push('[^/]*')
      else if (!directories) parts.push('.*')
      else parts.push(before === '/' ? '(?:.+/)?' : '.*/')
      if (directories) at += 1
    } else if (one === '{' || one === '}') {
      if (inGroup === (one === '{')) return undefined
      inGroup = !inGroup
      parts.push(inGroup ? '(?:' : ')')
    } else parts.push(one === ',' && inGroup ? '|' : escapeCharacter(one))
  }
  return inGroup ? undefined : `^${parts.join('')}$`
}

const escapeCharacter = (character: string): string =>
  /[\w\s]/.test(character) || character.charCodeAt(0) > 127 ? character : `\\${character}`
