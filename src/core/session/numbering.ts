/** The numbers of the entries of one session: no two have the same. */
export interface Numbering {
  next(): number
  /** The last number that was given; 0 before the first. */
  last(): number
}

export function createNumbering(): Numbering {
  let last = 0
  return {
    next: () => (last += 1),
    last: () => last,
  }
}
