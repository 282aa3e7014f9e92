// The selector of the rule that a line of a style sheet stands in, found in one pass over its text.

/** What is before an open bracket, inside of others. */
interface Rule {
  readonly selector: string
  readonly around: Rule | undefined
  readonly depth: number
}

/** Returns a function that tells the selector at the end of a line: of the innermost bracket that is open there, together with those around it
 * that are selectors too. */
export function selectorsAround(content: string): (line: number) => string | undefined {
  const lines = content.split('\n')
  const open = rulesAtEnds(withoutComments(content))
  return (line) => {
    // A rule that ends on this line is closed already.
    const isClosed = /^[^{}]*\{[^{}]*\}$/.test((lines[line - 1] ?? '').trim())
    const rule = open[Math.min(line, open.length) - 1]
    if (isClosed || !rule || rule.depth > DEPTH_LIMIT) return undefined
    const selector = selectorOf(rule)
    return selector.length > 0 && selector.length <= SELECTOR_LIMIT_CHARS ? selector : undefined
  }
}

// --- internal ---

const SELECTOR_LIMIT_CHARS = 500
const DEPTH_LIMIT = 50

// Lines stay where they are.
function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    const end = start === -1 ? -1 : text.indexOf('*/', start + 2)
    if (end === -1) return [...parts, text.slice(at)].join('')
    parts.push(text.slice(at, start), text.slice(start, end).replace(/[^\n]+/g, ''))
    at = end + 2
  }
}

function rulesAtEnds(text: string): readonly (Rule | undefined)[] {
  const ends: (Rule | undefined)[] = []
  let rule: Rule | undefined
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\n') ends.push(rule)
    if (char === '{')
      rule = { selector: cleanSelector(text.slice(start, at)), around: rule, depth: (rule?.depth ?? 0) + 1 }
    if (char === '}') rule = rule?.around
    if (char === '{' || char === '}' || char === ';') start = at + 1
  }
  ends.push(rule)
  return ends
}

// In a component the first rule comes after the tag of the style.
function cleanSelector(text: string): string {
  const tag = text.lastIndexOf('<style')
  const end = tag === -1 ? -1 : text.indexOf('>', tag)
  return text.slice(end + 1).trim()
}

function selectorOf({ selector, around }: Rule): string {
  const outer = around ? selectorOf(around) : ''
  return selector === '' || selector.startsWith('@') ? outer : joinSelectors(outer, selector)
}

const joinSelectors = (around: string, own: string): string => {
  if (around === '') return own
  return own.includes('&') ? own.replaceAll('&', around) : `${around} ${own}`
}
