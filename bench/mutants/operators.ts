// What may be changed in a line of source: each operator gives the changed line, or nothing where it does not apply.

type Operator = (line: string) => string | undefined

const replaceWith =
  (pattern: RegExp, text: string | ((found: string) => string)): Operator =>
  (line) => {
    const changed = line.replace(pattern, text as string)
    return changed === line ? undefined : changed
  }

export const operators: Readonly<Record<string, Operator>> = {
  'negate a condition': negateCondition,
  'move a bound': (line) =>
    replaceWith(/ (<|>) (?=[^'"]*$)/, ' $1= ')(line) ?? replaceWith(/ (<|>)= (?=[^'"]*$)/, ' $1 ')(line),
  'swap equal': (line) => replaceWith(/ === /, ' !== ')(line) ?? replaceWith(/ !== /, ' === ')(line),
  'and to or': replaceWith(/ && /, ' || '),
  'or to and': replaceWith(/ \|\| /, ' && '),
  'drop a negation': replaceWith(/(?<=[ (])!(?=\w)/, ''),
  'drop a statement': (line) => (/^(await )?[a-z][\w.?]*\([^'"]*\)$/.test(line) ? 'void 0' : undefined),
  'return early': (line) =>
    /^return [^`]+$/.test(line) && isBalanced(line) ? 'return undefined as never' : undefined,
  // Larger numbers are limits: nobody counts to them in a test.
  'add one': replaceWith(/(?<![\w.'"#:/-])\d{1,2}(?![\w.'"%:/\\-])/, (found) => String(Number(found) + 1)),
  'swap true': (line) => replaceWith(/\btrue\b/, 'false')(line) ?? replaceWith(/\bfalse\b/, 'true')(line),
  'swap every': (line) =>
    replaceWith(/\.every\(/, '.some(')(line) ?? replaceWith(/\.some\(/, '.every(')(line),
  'swap ends': (line) =>
    replaceWith(/Math\.min\(/, 'Math.max(')(line) ?? replaceWith(/Math\.max\(/, 'Math.min(')(line),
  'swap plus': (line) =>
    replaceWith(/ \+ (?=[\w(])/, ' - ')(line) ?? replaceWith(/ - (?=[\w(])/, ' + ')(line),
  'swap strings': swapStrings,
}

function negateCondition(line: string): string | undefined {
  const start = /^(?:\} else )?if \(/.exec(line)?.[0].length
  if (start === undefined) return undefined
  let depth = 1
  let end = start
  for (; end < line.length && depth > 0; end += 1)
    depth += Number(line[end] === '(') - Number(line[end] === ')')
  return depth === 0
    ? `${line.slice(0, start)}!(${line.slice(start, end - 1)})${line.slice(end - 1)}`
    : undefined
}

/** The first two strings exchanged; where there is one, it is emptied. */
function swapStrings(line: string): string | undefined {
  const [first, second] = line.match(/'[^'\\]+'/g) ?? []
  if (!first) return undefined
  if (!second) return line.replace(first, "''")
  return line.replace(first, '\0').replace(second, first).replace('\0', second)
}

function isBalanced(line: string): boolean {
  const count = (chars: RegExp) => (line.match(chars) ?? []).length
  return count(/[([{]/g) === count(/[)\]}]/g)
}
