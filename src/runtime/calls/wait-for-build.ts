// Some dev servers compile a route when it is first requested. What an action leads to is then known only once that has ended.

import { createDeferred } from './deferred.ts'
import { race, type ProlongableDeadline } from './deadline.ts'
import type { OpenSession } from '../ports/open-session.ts'
import type { Page } from '../ports/page/page.ts'
import { compilesRoutes, readBuildState } from '../../core/freshness/build-lines.ts'
import { parseUrl } from '../../core/network/parse-url.ts'

const BUILD_TIMEOUT_MS = 5000
const LINE_LIMIT = 200

interface Action {
  readonly page: Page
  readonly session: OpenSession
  readonly deadline: ProlongableDeadline
  /** Milliseconds that the call has left; without a limit if its caller named no timeout. */
  readonly remaining: number
  /** The newest journal entry before the action. */
  readonly seq: number
}

/** Waits for requests to the session's own server that are without a response because it may still compile what answers them: it has said so
 * since the action, or it compiles routes and this is the first request for one. Returns the requests without a response then, as method
 * and URL. */
export async function waitForBuild(
  unanswered: readonly string[],
  { page, session, deadline, remaining, seq }: Action,
): Promise<readonly string[]> {
  const { server, journal } = session
  if (unanswered.length === 0 || !server) return unanswered
  const { origin } = new URL(server.info().url)
  const routes = unanswered.map((request) => routeOf(request.replace(/^\S+ /, '')))
  const ownRoutes = routes.filter((route) => route.startsWith(`${origin}/`))
  if (ownRoutes.length === 0) return unanswered
  server.sync()
  const linesSince = (since: number) => journal.read({ kinds: ['server'], since, limit: LINE_LIMIT }).entries
  const readState = () => readBuildState(linesSince(seq), 0)
  const mayCompile =
    readState().isRunning || (compilesRoutes(linesSince(0)) && hasNewRoute(ownRoutes, session))
  if (!mayCompile) return unanswered

  const timeoutMs = Math.min(BUILD_TIMEOUT_MS, remaining)
  deadline.prolong(timeoutMs)
  const completion = createDeferred()
  const unwatch = journal.watch(['server'], () => {
    const { completedAt, isRunning } = readState()
    if (completedAt !== undefined && !isRunning) completion.resolve()
  })
  const end = race(timeoutMs, [deadline.signal], () => completion.promise)
  const rest = await page.settle(
    deadline,
    end.then(() => {}),
  )
  unwatch()
  completion.resolve()
  return rest.length > 0 && 'value' in (await end) ? page.settle(deadline) : rest
}

// --- internal ---

const routeOf = (url: string): string => {
  const page = parseUrl(url)
  return page ? page.origin + page.pathname : url
}

const hasNewRoute = (routes: readonly string[], { network }: OpenSession): boolean => {
  const endedRoutes = new Set(
    network
      .read({ limit: Infinity })
      .entries.filter(({ state }) => state !== 'pending')
      .map(({ url }) => routeOf(url)),
  )
  return routes.some((route) => !endedRoutes.has(route))
}
