// The lines of a style sheet whose rules were used, and those of the file that it came from.

/** The lines of all rules of a sheet, counted from 1. `partly`: of several rules on a line some were used. */
export interface StyleLines {
  readonly used: readonly number[]
  readonly partly: readonly number[]
  readonly unused: readonly number[]
}

export interface UsedRange {
  readonly startOffset: number
  readonly endOffset: number
}

/** `used`: what Blink names, which is from the selector of a rule to its end. */
export function readStyleLines(text: string, used: readonly UsedRange[]): StyleLines {
  const starts = new Set(used.map(({ startOffset }) => startOffset))
  const states = new Map<number, boolean | undefined>()
  for (const rule of findRules(text))
    for (const line of rule.lines) {
      const isUsed = starts.has(rule.start)
      states.set(line, states.has(line) && states.get(line) !== isUsed ? undefined : isUsed)
    }
  const linesOf = (state: boolean | undefined) =>
    [...states].flatMap(([line, one]) => (one === state ? line : [])).toSorted((a, b) => a - b)
  return { used: linesOf(true), partly: linesOf(undefined), unused: linesOf(false) }
}

/** How many lines more are before a line in the file than in the sheet, if each line of the sheet is one of the file: compilers add to
 * selectors, and a component has its rules in a block. Undefined if it was made of another content, not line by line, or may be in two places. */
export function findStyleShift(text: string, content: string): number | undefined {
  const all = linesIn(text)
  const first = all.findIndex((line) => line !== '')
  const own = all.slice(first, all.findLastIndex((line) => line !== '') + 1)
  const lines = linesIn(content)
  const isAt = (index: number) => own.every((line, offset) => line === lines[index + offset])
  const [index, ...others] = first < 0 ? [] : [...lines.keys()].filter(isAt)
  return index === undefined || others.length > 0 ? undefined : index - first
}

// --- internal ---

interface Rule {
  readonly start: number
  /** Its own, without those of rules within it. */
  readonly lines: ReadonlySet<number>
}

/** The rules with a selector; not those of `@font-face` or the steps of `@keyframes`, which nobody counts. */
function findRules(text: string): readonly Rule[] {
  const rules: Rule[] = []
  const open: { start: number; name: string; lines: Set<number> }[] = []
  let line = 1
  let start = -1
  let pending = new Set<number>()
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const first = line
    line += token.split('\n').length - 1
    if (/^\s*$/.test(token) || token.startsWith('/*')) continue
    if (token === '{') {
      const name = text.slice(start < 0 ? index : start, index).trim()
      open.push({ start: start < 0 ? index : start, name, lines: pending.add(first) })
    } else {
      if (start < 0) start = index
      for (let one = first; one <= line; one += 1) pending.add(one)
    }
    if (token === '}' || token === ';') for (const one of pending) open.at(-1)?.lines.add(one)
    const rule = token === '}' ? open.pop() : undefined
    if (rule && isCounted(rule.name, open)) rules.push(rule)
    if (!/^[{};]$/.test(token)) continue
    start = -1
    pending = new Set()
  }
  return rules
}

const TOKEN = /\/\*[^]*?\*\/|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\s+|[{};]|[^\s{};"'/]+|["'/]/g

const isCounted = (name: string, around: readonly { name: string }[]): boolean =>
  !name.startsWith('@') && around.every((one) => !/^@(?:-\w+-)?(?:keyframes|font-)/.test(one.name))

const SCOPE = /\[data-v-[\w-]+\]|(?::where\()?\.svelte-[\w-]+\)?/g

const linesIn = (text: string): readonly string[] =>
  text.split(/\r?\n/).map((line) => line.replace(SCOPE, '').trim())
