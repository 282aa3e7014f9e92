// Which of the texts that a URL had each of its scripts is. V8 names the length of a script; of two texts of that length the order must tell.

import { groupBy } from '../../../core/base/group-by.ts'
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

/** The texts by key. `scripts`: in the order in which V8 met them; `versions`: in the order in which they came; undefined stands for one that is
 * not known, which the newest script is not if another came after it. */
export function chooseVersion(
  scripts: readonly Unbound[],
  versions: readonly (Version | undefined)[],
): ReadonlyMap<string, Version> {
  const chosen = new Map<string, Version>()
  for (const [length, group] of groupBy(scripts, (script) => script.length)) {
    if (length === undefined) continue
    const fitting = versions.filter((version) => !version || version.text.length === length)
    const unknown = fitting.lastIndexOf(undefined)
    const texts = withoutRepeats(
      fitting.flatMap((version, index) => (version && index > unknown ? version : [])),
    )
    const isSure = texts.length === group.length || (texts.length === 1 && unknown < 0)
    const isNewest = texts.length < group.length && unknown >= 0
    // The newest scripts are the newest versions; which of those before were not read is open.
    const newest = isNewest ? group.slice(-texts.length) : isSure ? group : []
    newest.forEach(({ key }, index) => {
      const version = texts.length === 1 ? texts[0] : texts[index]
      if (version && texts.length > 0) chosen.set(key, version)
    })
  }
  return chosen
}

// --- internal ---

const withoutRepeats = (versions: readonly Version[]): readonly Version[] =>
  versions.filter(({ text }, index) => versions.findIndex((other) => other.text === text) === index)
