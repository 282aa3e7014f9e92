// Positions in the logs of the dev server, under the numbers of its session: a log is followed by a number like every other list.

import type { Numbering } from './numbering.ts'

export interface LogPositions {
  /** Gives the end of what was read of a log a number. */
  add(log: string, position: number): number
  /** The position that a log had at this number or, where nothing was read then, before it; 0 is its beginning. */
  at(log: string, seq: number): number
}

const POSITION_LIMIT = 1000

export function createLogPositions(numbering: Numbering): LogPositions {
  let positions: readonly { readonly log: string; readonly seq: number; readonly position: number }[] = []
  return {
    add(log, position) {
      const seq = numbering.next()
      positions = [...positions, { log, seq, position }].slice(-POSITION_LIMIT)
      return seq
    },
    at: (log, seq) => positions.findLast((entry) => entry.log === log && entry.seq <= seq)?.position ?? 0,
  }
}
