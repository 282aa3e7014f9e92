// Whether the lines of a text ran, those without a position of their own too: each has the state of the innermost part around it.

import { memoize } from '../../../core/base/memoize.ts'
import type { ContentRuns } from '../ledger/runs-of-content.ts'
import { chainsOf } from '../source/part-chain.ts'
import type { SourcePart, SourceStructure } from '../source/structure.ts'

export type LineState = 'ran' | 'partly' | 'not run' | 'not loaded'

export interface LineStates {
  of(line: number): LineState
  /** Of the innermost function that has this line and the one before it; of the whole text at its top level. */
  around(line: number): LineState
}

export function createLineStates(runs: ContentRuns, structure: SourceStructure | undefined): LineStates {
  const { own, best } = readRuns(runs)
  const chainOf = chainsOf(structure?.parts ?? [])
  const stateIn = memoize((part: SourcePart): LineState | undefined => {
    if (part.kind === 'element') return own(part.firstLine)
    const within = linesBetween(part.firstLine + 1, part.lastLine)
    // Of some rules, such as those of fonts, nobody tells whether they are used.
    if (part.kind === 'rule') return own(part.firstLine) ?? best(within)
    if (part.kind === 'branch') return best(within) ?? 'not run'
    return own(part.firstLine) ?? 'not run'
  })
  const whole = memoize((_: 'whole'): LineState => {
    if (!runs.isLoaded) return 'not loaded'
    const top = structure && linesOfMarkup(structure, chainOf)
    return top ? (best(top) ?? 'not run') : 'ran'
  })
  const functionAround = (line: number) =>
    chainOf(line).find(({ kind, firstLine }) => kind === 'function' && firstLine < line)
  const stateOfFunction = memoize((part: SourcePart): LineState => {
    const lines = linesBetween(part.firstLine + 1, part.lastLine)
    const ownLines = lines.filter((line) => functionAround(line) === part)
    return best(ownLines) ?? own(part.firstLine) ?? (runs.isLoaded ? 'not run' : 'not loaded')
  })
  return {
    of(line) {
      const known = own(line)
      if (known) return known
      if (!runs.isLoaded) return 'not loaded'
      // What has no parser, or was left out by a compiler, is not known to have run.
      if (!structure) return 'not run'
      for (const part of chainOf(line)) {
        const state = stateIn(part)
        if (state) return state
      }
      return whole('whole')
    },
    around(line) {
      const part = functionAround(line)
      return part ? stateOfFunction(part) : whole('whole')
    },
  }
}

// --- internal ---

const ORDER = ['ran', 'partly', 'not run'] as const

function readRuns({ lines }: ContentRuns) {
  const own = (line: number): LineState | undefined => {
    const run = lines.get(line)
    if (!run) return undefined
    const isOpen = run.state === 'partly' && (run.hasIdleFunction || run.entry.isCutOff === true)
    return isOpen ? 'not run' : run.state
  }
  const best = (some: readonly number[]): LineState | undefined => {
    const states = new Set(some.map(own))
    return ORDER.find((state) => states.has(state))
  }
  return { own, best }
}

/** The lines at the top level of a component, which is shown as a whole; undefined for a module, which runs when it is loaded. */
function linesOfMarkup(
  { parts, codeLines }: SourceStructure,
  chainOf: (line: number) => readonly SourcePart[],
): readonly number[] | undefined {
  const isTop = (line: number) => chainOf(line).every(({ kind }) => kind !== 'function' && kind !== 'branch')
  const isMarkup = parts.some(({ kind, firstLine }) => kind === 'element' && isTop(firstLine))
  return isMarkup ? [...codeLines].filter(isTop) : undefined
}

const linesBetween = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
