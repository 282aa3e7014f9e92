// The time and the random numbers of the pages.

import { callCode, type Code } from '../print-code.ts'
import type { ActionScope } from './action-scope.ts'

/** `time` is in ISO 8601; undefined lets the clock run again. */
export const clockCode = (time: string | undefined, scope: ActionScope): readonly Code[] => [
  scope.statement(
    time === undefined ? ['.clock.resume()'] : [callCode('.clock.setFixedTime', [scope.text.value(time)])],
  ),
]

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
