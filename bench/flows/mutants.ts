// Single-line mutants of sources: one operator, number, text or statement changed.

export interface Mutant {
  readonly file: string
  readonly line: number
  /** The line as it is. */
  readonly text: string
  /** The whole text with the line changed. */
  readonly mutated: string
}

/** By turns of the rules and at random places, the same for the same seed. */
export function listMutants(
  sources: readonly { readonly file: string; readonly text: string }[],
  count: number,
  seed: number,
): readonly Mutant[] {
  const all = sources.flatMap(({ file, text }) => mutantsOf(file, text))
  let value = seed * 7919 + 17
  const random = () => (value = (value * 16807) % 2147483647) / 2147483647
  const keyed = all.map((mutant) => ({ mutant, key: random() }))
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

const RULES: readonly (readonly [RegExp, string])[] = [
  [/===/, '!=='],
  [/!==/, '==='],
  [/ > /, ' <= '],
  [/ < /, ' >= '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \+ /, ' - '],
  [/\+= /, '-= '],
  [/\b(\d+)\b/, '($1 + 1)'],
  [/'([^']*[a-z][^']*)'/, "'$1x'"],
  [/\breturn ([^;]+)$/, 'return void ($1)'],
  [/>([A-Z][a-z]+)</, '>$1x<'],
  [/^(\s*)(\w+(\.\w+)*\(.*\))$/, '$1void 0'],
  [/!(\w)/, '$1'],
]

function mutantsOf(file: string, text: string): readonly Mutant[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (/^\s*(import|export \{|\/\/|\*|@)|: '.*\|/.test(line)) return []
    return RULES.flatMap(([pattern, replacement]) => {
      const changed = line.replace(pattern, replacement)
      if (changed === line) return []
      const mutated = lines.map((one, at) => (at === index ? changed : one)).join('\n')
      return [{ file, line: index + 1, text: changed, mutated }]
    })
  })
}
