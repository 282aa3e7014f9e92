// The unused parts of a bundle that esbuild has written: every module is a section below a comment with its path.

/** What is known of a section by its text. */
export interface SectionReader {
  /** The names that it declares for other sections. */
  readonly declaredNames: (section: string) => readonly string[]
  /** The names that it may use: too many keep too much, one that is missing breaks the bundle. */
  readonly usedNames: (section: string) => readonly string[]
}

/** The sections of a bundle, with the text before the first one. A text that does not begin a module belongs to the one before: it is a part
 * of the source of a script for pages, which has such comments too. */
export function splitSections(
  source: string,
  beginsModule: (section: string) => boolean = () => true,
): readonly string[] {
  const sections: string[] = []
  for (const part of source.split(/^(?=\/\/ (?:node_modules|packages)\/)/m)) {
    if (sections.length === 0 || beginsModule(part)) sections.push(part)
    else sections[sections.length - 1] += part
  }
  return sections
}

/** The first section, those that `isEntry` chooses, and all that they need, in their order. */
export function keepReachable(
  sections: readonly string[],
  { declaredNames, usedNames }: SectionReader,
  isEntry: (section: string) => boolean,
): string {
  const owners = new Map(sections.flatMap((section) => declaredNames(section).map((name) => [name, section])))
  const kept = new Set(sections.filter((section, index) => index === 0 || isEntry(section)))
  // A set also goes through what is added meanwhile.
  for (const section of kept)
    for (const name of usedNames(section)) {
      const owner = owners.get(name)
      if (owner !== undefined) kept.add(owner)
    }
  return sections.filter((section) => kept.has(section)).join('')
}

/** All matches of the first group of a pattern. */
export const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])
