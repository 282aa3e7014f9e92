// The last verdict of a session, for what shows it to people.

import type { VerdictAnswer } from './verdict/verdict-answer.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly lastVerdict: LastVerdict
  }
}

/** `at`: when it was given, in Unix milliseconds. */
type GivenVerdict = VerdictAnswer & { readonly at: number }

interface LastVerdict {
  read(): GivenVerdict | undefined
  replace(verdict: GivenVerdict): void
}

export function createLastVerdict(): LastVerdict {
  let last: GivenVerdict | undefined
  return { read: () => last, replace: (verdict) => void (last = verdict) }
}
