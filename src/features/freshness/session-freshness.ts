// The freshness of one session, and what its answers say of it.

import type { Freshness } from '../../core/sessions/types/freshness.ts'
import type { SessionFeature } from '../../core/sessions/types/session-feature.ts'
import { freshnessLineOf } from './describe-freshness.ts'
import { readFreshness, readLastEdit, waitUntilFresh } from './read-freshness.ts'
import { waitForBuild } from './wait-for-build.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    /** Whether the page shows the source files of the dev server as they are now. */
    freshness(): Promise<Freshness>
    /** When a source file of the dev server was edited last, in Unix milliseconds; undefined where that cannot be known. */
    lastEditAt(): Promise<number | undefined>
  }
}

export const addFreshness = (): SessionFeature => ({
  open(session) {
    const { server } = session
    const freshness = () => readFreshness(server, session)
    return {
      freshness,
      lastEditAt: () => readLastEdit(server),
      waitUntilFresh: (deadline) => waitUntilFresh(freshness, deadline),
    }
  },
  settle: waitForBuild,
  async describeAction({ call, session }) {
    if (call.timeoutKind !== 'navigation') return []
    return [freshnessLineOf(await session.freshness()) ?? []].flat()
  },
})
