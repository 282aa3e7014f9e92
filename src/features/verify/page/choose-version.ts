// Which of the texts that a URL had each of its scripts is. V8 names the length of a script; of two texts of that length the order must tell.

import type { CountedFunction } from './reading.ts'

export interface Version {
  readonly text: string
  readonly mapUrl?: string
}

interface Unbound {
  readonly key: string
  readonly length: number | undefined
}

/** The length of a script; undefined where V8 does not count its outermost code. */
export function lengthOf(functions: readonly CountedFunction[]): number | undefined {
  const range = functions.find(
    ({ functionName, ranges }) => functionName === '' && ranges[0]?.startOffset === 0,
  )?.ranges[0]
  const isOutermost = functions.every(({ ranges }) =>
    ranges.every(({ endOffset }) => endOffset <= (range?.endOffset ?? 0)),
  )
  return isOutermost ? range?.endOffset : undefined
}

/** The texts by key. `versions`: in the order in which they came; undefined stands for one that is not known, which the only new script is not
 * if another came after it. */
export function chooseVersion(
  scripts: readonly Unbound[],
  versions: readonly (Version | undefined)[],
): ReadonlyMap<string, Version> {
  const chosen = new Map<string, Version>()
  const isKnown = scripts.length === 1 ? versions.at(-1) !== undefined : !versions.includes(undefined)
  if (!isKnown) return chosen
  for (const [length, group] of Map.groupBy(scripts, (script) => script.length)) {
    if (length === undefined) continue
    const texts = withoutRepeats(
      versions.flatMap((version) => (version?.text.length === length ? version : [])),
    )
    const [only, ...others] = texts
    group.forEach(({ key }, index) => {
      const version = others.length === 0 ? only : group.length === texts.length ? texts[index] : undefined
      if (version) chosen.set(key, version)
    })
  }
  return chosen
}

// --- internal ---

const withoutRepeats = (versions: readonly Version[]): readonly Version[] =>
  versions.filter(({ text }, index) => versions.findIndex((other) => other.text === text) === index)
