// An action of a tool on the page of its session: a path becomes a URL, features act around it, the host rules decide on it, the page
// performs it.

import type { Action } from '../../base/action.ts'
import type { Outcome } from '../../base/failure.ts'
import { resolveUrl } from '../../base/network/page-url.ts'
import { map, ok } from '../../base/result.ts'
import type { OwnedSession } from '../types/owned-session.ts'
import type { Page } from '../types/page.ts'
import type { PerformNext } from '../types/session-feature.ts'
import { applyProxyDenial, checkPermission } from './host-permission.ts'

/** The page of a session as its tools use it. */
export function createToolPage(session: OwnedSession): Page {
  const { page, proxy, features } = session
  const around = features.flatMap(({ perform }) => perform ?? [])
  return {
    ...page,
    perform(requested, deadline) {
      const action = resolveUrlOf(requested, session)
      const perform: PerformNext = async () => {
        const permitted = permitAction(action, session)
        if (!permitted.ok) return permitted
        const denialCount = proxy?.denialCount() ?? 0
        const outcome = await page.perform(permitted.value, deadline)
        return applyProxyDenial(permitted.value, outcome, proxy, denialCount)
      }
      const call = { session, deadline }
      const chain = around.reduceRight<PerformNext>((next, wrap) => () => wrap(action, next, call), perform)
      // Each returns the outcome of the next one, or a failure.
      return chain() as ReturnType<typeof page.perform<(typeof requested)['kind']>>
    },
  }
}

/** The absolute URL of `url`, which may be a path of the session's dev server or, without one, of its page. */
export const absoluteUrlOf = (url: string, { page, server }: OwnedSession): string =>
  resolveUrl(url, server?.info().url ?? page.url())

// --- internal ---

const resolveUrlOf = <A extends Action>(action: A, session: OwnedSession): A =>
  action.kind === 'navigate' ? { ...action, url: absoluteUrlOf(action.url, session) } : action

const permitAction = <A extends Action>(action: A, session: OwnedSession): Outcome<A> =>
  action.kind === 'navigate'
    ? map(checkPermission(action.url, session), (url) => ({ ...action, url }))
    : ok(action)
