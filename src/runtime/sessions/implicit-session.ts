// A session that is created by the first call without a session id. Calls that arrive meanwhile wait for it, as for create_session, and run
// in order of arrival.

import type { OpenSession } from '../ports/open-session.ts'
import type { Outcome } from '../../core/failure.ts'

export interface ImplicitSessions {
  /** Creates the owner's first session, or joins its creation; undefined if the owner has a session. */
  createFirst(
    owner: string,
    hasSession: boolean,
    create: () => Promise<Outcome<OpenSession>>,
  ): Promise<Outcome<OpenSession>> | undefined
}

export function createImplicitSessions(): ImplicitSessions {
  const creations = new Map<string, Promise<Outcome<OpenSession>>>()
  return {
    createFirst(owner, hasSession, create) {
      const pending = creations.get(owner)
      if (pending || hasSession) return pending
      const creation = create()
      creations.set(owner, creation)
      const remove = () => void creations.delete(owner)
      creation.then(remove, remove)
      return creation
    },
  }
}
