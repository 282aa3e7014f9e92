// Which of several elements is the one that had a mark.

export interface Mark {
  readonly role: string
  /** A hash. */
  readonly text: string
  readonly isEmpty: boolean
  /** The hash of the path of the address. */
  readonly page: string
  /** How many elements of the page have the same role and text. */
  readonly count: number
  /** Hashes, each behind a letter for its kind: `a` attributes, `n` the text around it, `p` what it is in and beside, `c` classes and tags. */
  readonly signs: readonly string[]
}

/** What is there in place of an element that a locator does not find any more, with what finds it. */
export type Repair = { readonly state: 'offered'; readonly locator: string } | { readonly state: NoRepair }

/** `changed`: nothing has its role and text. `fewer`: not as many as then. `elsewhere`: the page is another one. `several`: which of several
 * elements it is cannot be told. */
export type NoRepair = 'changed' | 'fewer' | 'elsewhere' | 'several'

export const formatMark = ({ role, text, isEmpty, page, count, signs }: Mark): string =>
  [role || '-', text, isEmpty ? 1 : 0, page, count, ...signs].join(' ')

export function parseMark(mark: string): Mark {
  const [role = '', text = '', isEmpty, page = '', count = '1', ...signs] = mark.split(' ')
  return {
    ...{ role: role === '-' ? '' : role, text, isEmpty: isEmpty === '1', page },
    ...{ count: Number(count), signs },
  }
}

/** The index of the one that fits best, or why it is none; all have the same role and text. `page` is that of now. */
export function chooseMark(known: Mark, marks: readonly Mark[], page: string): number | NoRepair {
  if (page !== known.page) return 'elsewhere'
  if (marks.length === 0) return 'changed'
  // One that is gone may be the one that was meant.
  if (Math.max(...marks.map(({ count }) => count)) < known.count) return 'fewer'
  const ranked = marks
    .map((mark, index) => ({ index, score: scoreOf(known, mark) }))
    .toSorted((a, b) => b.score - a.score)
  const [best, next] = ranked
  if (!best || (next && next.score === best.score)) return 'several'
  // Without a text, what it has says which one it is.
  const hasOwn = known.signs.some((sign) => sign.startsWith('a') && marks[best.index]?.signs.includes(sign))
  return known.isEmpty && !hasOwn ? 'several' : best.index
}

// --- internal ---

const WEIGHTS: Readonly<Record<string, number>> = { a: 4, n: 3, p: 1.5, c: 1 }

function scoreOf(known: Mark, { signs }: Mark): number {
  const own = new Set(signs)
  return known.signs.reduce((sum, sign) => sum + (own.has(sign) ? (WEIGHTS[sign.slice(0, 1)] ?? 0) : 0), 0)
}
