// The lines of a file whose rules of style a page has used.

import type { DocumentType } from '../../../core/base/files/files.ts'
import { groupBy } from '../../../core/base/group-by.ts'
import { ok } from '../../../core/base/result.ts'
import { isComponent, styleBlocksOf } from '../source/style-blocks.ts'
import { readRules, type StyleRule } from './style-rules.ts'

/** The lines of all rules, counted from 1. `partly`: of several rules on a line some were used. */
export interface StyleLines {
  readonly used: readonly number[]
  readonly partly: readonly number[]
  readonly unused: readonly number[]
}

interface StyleInput {
  readonly sheet: string
  /** Where each used rule begins. */
  readonly used: readonly number[]
  /** The file that the sheet was made from; without it its map tells that. */
  readonly source?: StyleSource
}

interface StyleSource {
  readonly file: string
  readonly content: string
}

/** A place in a sheet where a counted rule or one of its declarations begins. */
interface RulePlace {
  readonly line: number
  readonly column: number
  readonly isUsed: boolean
}

/** The lines of the file, which are undefined if the sheet has none of its rules; or the places in the sheet. */
type StyleAnswer = { readonly lines?: StyleLines | undefined; readonly places?: readonly RulePlace[] }

export const usedStyle: DocumentType<StyleInput, 'read', StyleAnswer, never> = {
  name: 'used-style',
  isSmall: ({ sheet, source }) => sheet.length + (source?.content.length ?? 0) <= SMALL_SHEET_CHARS,
  async open({ sheet, used, source }) {
    const rules = readRules(sheet)
    const starts = new Set(used)
    if (!source) return ok(() => ({ places: placesIn(rules, starts) }))
    const mark = findMark(source, rules)
    return ok(() => ({ lines: linesIn(source, mark === undefined ? rules : readRules(sheet, mark), starts) }))
  },
}

/** What is said of the lines of several rules. */
export function foldLines(notes: Iterable<readonly [line: number, isUsed: boolean]>): StyleLines {
  const states = new Map<number, boolean | undefined>()
  for (const [line, isUsed] of notes)
    states.set(line, states.has(line) && states.get(line) !== isUsed ? undefined : isUsed)
  const linesOf = (state: boolean | undefined) =>
    [...states].flatMap(([line, one]) => (one === state ? line : [])).toSorted((a, b) => a - b)
  return { used: linesOf(true), partly: linesOf(undefined), unused: linesOf(false) }
}

// --- internal ---

/** They take some 30 ms. */
const SMALL_SHEET_CHARS = 40_000

const placesIn = (rules: readonly StyleRule[], starts: ReadonlySet<number>): readonly RulePlace[] =>
  rules.flatMap(({ start, places, isCounted }) =>
    isCounted ? places.map((place) => ({ ...place, isUsed: starts.has(start) })) : [],
  )

/** The only class or attribute of a sheet that its component does not name, if it looks made up. */
function findMark({ file, content }: StyleSource, rules: readonly StyleRule[]): string | undefined {
  if (!isComponent(file)) return undefined
  const added = [...new Set(rules.flatMap(({ names }) => names))].filter((name) => !content.includes(name))
  return added.length === 1 && /\d|^data-/.test(added[0] ?? '') ? added[0] : undefined
}

/** A rule of the file is that of the sheet with the same text in the same conditions. One that the sheet does not have was left out, or has been
 * edited since. */
function linesIn(
  { file, content }: StyleSource,
  rules: readonly StyleRule[],
  starts: ReadonlySet<number>,
): StyleLines | undefined {
  const inSheet = groupBy(rules, ({ key }) => key)
  const notes: (readonly [number, boolean])[] = []
  for (const { text, firstLine } of styleBlocksOf(file, content)) {
    const own = groupBy(readRules(text), ({ key }) => key)
    if (![...own.keys()].some((key) => inSheet.has(key))) continue
    for (const [key, copies] of own) {
      const served = inSheet.get(key) ?? []
      for (const [index, { lines, isCounted }] of copies.entries()) {
        // Which of several like rules one of the sheet is, is known where none is left out.
        const same = served.length === copies.length ? served.slice(index, index + 1) : served
        const isUsed = same.length > 0 && same.every(({ start }) => starts.has(start))
        if (isCounted || same.length === 0)
          for (const line of lines) notes.push([firstLine + line - 1, isUsed])
      }
    }
  }
  return notes.length > 0 ? foldLines(notes) : undefined
}
