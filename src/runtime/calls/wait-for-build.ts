// Some dev servers compile a route when it is first requested. What an action leads to is then known only once that has ended.

import { createDeferred } from './deferred.ts'
import { race, type ProlongableDeadline } from './deadline.ts'
import type { OpenSession } from '../ports/open-session.ts'
import type { Page } from '../ports/page/page.ts'
import { mentionsCompiler, readBuildState } from '../../core/freshness/build-lines.ts'

/** The end of the build that an action waits for, whatever time the call has left. */
const BUILD_TIMEOUT_MS = 5000
// Next prints that it compiles when it has done so for half a second.
const START_LINE_TIMEOUT_MS = 300
const LINE_LIMIT = 200

interface Action {
  readonly page: Page
  readonly session: OpenSession
  readonly deadline: ProlongableDeadline
  /** Milliseconds that the call has left. */
  readonly remaining: number
  /** The newest journal entry before the action. */
  readonly seq: number
}

/** Waits for requests to the session's own server that are without a response because it compiles since the action. Returns the requests
 * without a response then, as method and URL. */
export async function waitForBuild(
  unanswered: readonly string[],
  { page, session, deadline, remaining, seq }: Action,
): Promise<readonly string[]> {
  const { server, journal } = session
  if (unanswered.length === 0 || !server) return unanswered
  const { origin } = new URL(server.info().url)
  if (!unanswered.some((request) => request.includes(` ${origin}/`))) return unanswered
  server.sync()
  const linesSince = (since: number) => journal.read({ kinds: ['server'], since, limit: LINE_LIMIT }).entries
  const isBuilding = () => readBuildState(linesSince(seq), 0).isRunning
  if (!isBuilding() && !mentionsCompiler(linesSince(0))) return unanswered

  const waitFor = async (isReached: () => boolean, timeoutMs: number): Promise<boolean> => {
    if (isReached()) return true
    const reached = createDeferred()
    const unwatch = journal.watch(['server'], () => isReached() && reached.resolve())
    const result = await race(timeoutMs, [deadline.signal], () => reached.promise)
    unwatch()
    return 'value' in result
  }
  let hasBuilt = false
  const waitForEnd = async () => {
    if (!(await waitFor(isBuilding, START_LINE_TIMEOUT_MS))) return
    const timeoutMs = Math.min(BUILD_TIMEOUT_MS, remaining)
    deadline.prolong(timeoutMs)
    hasBuilt = await waitFor(() => !isBuilding(), timeoutMs)
  }
  const rest = await page.settle(deadline, waitForEnd())
  return rest.length > 0 && hasBuilt ? page.settle(deadline) : rest
}
