/** The distinct identifiers of a TypeScript source: comments, strings, regular expressions and the text of templates are left out. */
export const identifiersIn = (source: string): string[] => [
  ...new Set(tokensIn(source).filter((text) => /^[A-Za-z_$]/.test(text))),
]

/** A TypeScript source without comments and the contents of strings, regular expressions and templates. */
export const codeIn = (source: string): string =>
  tokensIn(source)
    .map((text) => (/^(?:\/[/*]|\/.|['"].)/.test(text) ? "''" : text))
    .join('')

/** The tokens of a TypeScript source, without the text of templates. */
function tokensIn(source: string): string[] {
  const tokens: string[] = []
  // One entry for each template that is open: the depth of braces in its current ${…}.
  const templates: number[] = []
  let previous = ''
  for (let rest = source; rest !== '';) {
    const inTemplate = templates.at(-1) === -1
    const pattern = inTemplate ? templateText : isRegexAllowed(previous) ? tokenOrRegex : token
    const text = pattern.exec(rest)?.[0] ?? rest.slice(0, 1)
    rest = rest.slice(text.length)
    if (inTemplate) {
      if (text === '`') templates.pop()
      if (text === '${') templates[templates.length - 1] = 0
      previous = text
      continue
    }
    tokens.push(text)
    if (text === '`') templates.push(-1)
    const depth = templates.at(-1)
    if (depth !== undefined && text === '{') templates[templates.length - 1] = depth + 1
    if (depth !== undefined && text === '}') templates[templates.length - 1] = depth - 1
    if (text.trim() !== '' && !/^\/[/*]/.test(text)) previous = text
  }
  return tokens
}

/** The words of an identifier or a file name, in lower case: `openTabCount` has open, tab and count. */
export const wordsOf = (name: string): string[] =>
  name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase())
    .filter(Boolean)

const plainToken = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[A-Za-z_$][\w$]*|\d[\w.]*|\s+`
const token = new RegExp(`^(?:${plainToken})`)
const tokenOrRegex = new RegExp(
  `^(?:${plainToken}|${String.raw`\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*`})`,
)
const templateText = /^(?:`|\$\{|(?:[^`\\$]|\\[\s\S]|\$(?!\{))+)/

const isRegexAllowed = (previous: string): boolean =>
  previous === '' || /^(?:[-(,=:[!&|?{};+*<>~^%]|return|typeof|case|in|of)$/.test(previous)
