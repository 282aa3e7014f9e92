// The freshness of one session, and what its answers say of it.

import { race } from '../../core/base/system/race-deadline.ts'
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

/** What a look at an old page may take while an action settles. */
const ACTION_LIMIT_MS = 500
/** Ages are rounded, and taken at different moments. */
const SAME_EDIT_MS = 500

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
  describeAction: describeOnce(),
})

// --- internal ---

/** A navigation has each line; another action says of each edit once that the page is older. */
function describeOnce(): NonNullable<SessionFeature['describeAction']> {
  const editTimes = new Map<string, number>()
  return async ({ call, session }) => {
    if (call.timeoutKind === 'navigation') return [freshnessLineOf(await session.freshness()) ?? []].flat()
    const reading = await race(ACTION_LIMIT_MS, [], () => session.freshness())
    if (!('value' in reading) || !('file' in reading.value) || reading.value.state === 'pending') return []
    const { file, ageMs } = reading.value
    const editedAt = Date.now() - ageMs
    const isRepeated = Math.abs((editTimes.get(file) ?? 0) - editedAt) < SAME_EDIT_MS
    editTimes.set(file, editedAt)
    return isRepeated ? [] : [freshnessLineOf(reading.value) ?? []].flat()
  }
}
