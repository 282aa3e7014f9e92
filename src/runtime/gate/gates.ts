// One forward proxy in our process with a port of its own for each session: the port says whose page it is, and every connection a page
// can make passes here. Where no rule is set there is none.

import type { Resolve } from './dial.ts'
import type { Gates } from '../ports/gates.ts'
import type { Rule } from '../../core/hosts.ts'

export interface GatesOptions {
  /** The rules of the process, where it has some. */
  readonly list: readonly Rule[] | undefined
  /** Whether private places are refused even where no rule is set. */
  readonly guarded: boolean
  /** Whether private places are allowed although rules are set. */
  readonly open: boolean
  readonly resolve?: Resolve
}

export function createGates({ list, guarded, open: openPlaces, resolve }: GatesOptions): Gates {
  const own = new Set<number>()
  const always = list !== undefined || guarded

  return {
    always,
    async open(session, hooks) {
      if (!always && session === undefined) return undefined
      const lists = [list, session].filter((one) => one !== undefined)
      // Loaded with the first gate: what speaks to the network takes a while to come.
      const { openGate } = await import('./gate.ts')
      return openGate(lists, guarded || !openPlaces, own, resolve, hooks)
    },
  }
}
