// The last verdict of a session, for what shows it to people.

import type { VerdictAnswer } from './verdict/verdict-answer.ts'
import type { ClaimVerdict } from './verdict/verdict.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly lastVerdict: LastVerdict
  }
}

interface GivenVerdict extends Pick<VerdictAnswer, 'verdict' | 'message'> {
  /** Unix milliseconds. */
  readonly at: number
  /** `detail`: what the check saw instead, or why the claim is not verified. */
  readonly claims: readonly (Pick<ClaimVerdict, 'say' | 'verdict'> & {
    readonly detail: string | undefined
  })[]
}

interface LastVerdict {
  read(): GivenVerdict | undefined
  replace(answer: VerdictAnswer, at: number): void
}

export function createLastVerdict(): LastVerdict {
  let last: GivenVerdict | undefined
  return {
    read: () => last,
    replace({ verdict, message, claims }, at) {
      const details = claims.map(({ say, verdict: word, seen }) => ({ say, verdict: word, detail: seen }))
      last = { at, verdict, message, claims: details }
    },
  }
}
