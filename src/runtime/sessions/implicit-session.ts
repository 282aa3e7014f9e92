// A session that is made by the first call that names none. All calls that come meanwhile wait for it, as for create_session, and go on in
// the order in which they came.

import type { OpenSession } from '../ports/open-session.ts'
import type { Outcome } from '../../core/failure.ts'

export interface ImplicitSessions {
  /** Makes the owner's first session, or joins whoever is making it; undefined where it has one. */
  first(
    owner: string,
    has: boolean,
    make: () => Promise<Outcome<OpenSession>>,
  ): Promise<Outcome<OpenSession>> | undefined
}

export function createImplicitSessions(): ImplicitSessions {
  const making = new Map<string, Promise<Outcome<OpenSession>>>()
  return {
    first(owner, has, make) {
      const begun = making.get(owner)
      if (begun || has) return begun
      const made = make()
      making.set(owner, made)
      const forget = () => void making.delete(owner)
      made.then(forget, forget)
      return made
    },
  }
}
