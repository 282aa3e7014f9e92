// Some dev servers compile a route when it is first requested. What an action leads to is then known only once that has ended.

import { race } from '../../core/base/system/race-deadline.ts'
import { createDeferred } from '../../core/base/system/settle-within.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { FinishedAction } from '../../core/sessions/types/call-steps.ts'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import { compilesRoutes, readBuilds, type ReportedBuild } from './build-lines.ts'

const BUILD_TIMEOUT_MS = 5000
const LINE_LIMIT = 200

/** Waits for requests to the session's own server that are without a response because it may still compile what answers them: it has said so
 * since the action, or it compiles routes and this is the first request for one. Returns the requests without a response then, as method
 * and URL. */
export async function waitForBuild(
  unanswered: readonly string[],
  { page, session, deadline, remaining, start: { seq } }: FinishedAction,
): Promise<readonly string[]> {
  const { server, journal } = session
  if (unanswered.length === 0 || !server) return unanswered
  const { origin } = new URL(server.info().url)
  const routes = unanswered.map((request) => routeOf(request.replace(/^\S+ /, '')))
  const ownRoutes = routes.filter((route) => route.startsWith(`${origin}/`))
  if (ownRoutes.length === 0) return unanswered
  server.sync()
  const linesSince = (since: number) => journal.read({ kinds: ['server'], since, limit: LINE_LIMIT }).entries
  const read = () => readBuilds(linesSince(seq))
  const isOver = ({ endedAt }: ReportedBuild) => endedAt !== undefined
  const mayCompile =
    !read().every(isOver) || (compilesRoutes(linesSince(0)) && hasNewRoute(ownRoutes, session))
  if (!mayCompile) return unanswered

  const timeoutMs = Math.min(BUILD_TIMEOUT_MS, remaining)
  deadline.prolong(timeoutMs)
  const completion = createDeferred()
  const unwatch = journal.watch(['server'], () => {
    const builds = read()
    if (builds.length > 0 && builds.every(isOver)) completion.resolve()
  })
  const end = race(timeoutMs, [deadline.signal], () => completion.promise)
  const rest = await page.settle(end.then(() => {}))
  unwatch()
  completion.resolve()
  return rest.length > 0 && 'value' in (await end) ? page.settle() : rest
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
