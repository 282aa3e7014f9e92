// The time and the random numbers of the pages.

import type { Code } from '../print-code.ts'
import type { ActionScope } from './action-scope.ts'

/** `time` is in Unix milliseconds; undefined lets the clock run again, which Playwright cannot do. */
export function clockCode(time: number | undefined, scope: ActionScope): readonly Code[] {
  if (time === undefined) return ['// Not repeated here: the clock ran again.']
  return [scope.statement([`.clock.setFixedTime('${new Date(time).toISOString()}')`])]
}

/** The random numbers that a session has with this seed, except those of `crypto`. */
export function seedCode(seed: number | undefined, scope: ActionScope): readonly Code[] {
  if (seed === undefined) return ['// Not repeated here: the end of the random numbers of a seed.']
  const target = scope.routed === 'context' ? scope.use('context') : scope.page
  const random: Code = {
    statements: [
      'state = (state + 0x6d2b79f5) >>> 0;',
      'let bits = Math.imul(state ^ (state >>> 15), state | 1);',
      'bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);',
      'return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;',
    ],
  }
  const body: Code = { statements: ['let state = seed >>> 0;', ['Math.random = () => ', random, ';']] }
  return [
    '// The same random numbers in every run.',
    [`await ${target}.addInitScript((seed) => `, body, `, ${seed});`],
  ]
}
