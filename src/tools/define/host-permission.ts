// What the host rules say of a page's address, and asking the user where they may decide.

import { accessDenied } from '../../core/network/access-denied.ts'
import type { Outcome } from '../../core/failure.ts'
import { originOf, type Denial, type Origin } from '../../core/network/host-rules.ts'
import { err, map } from '../../core/result.ts'
import { checkUrl, parseUrl } from '../../core/network/page-url.ts'
import type { OpenSession } from '../../runtime/ports/session-manager.ts'
import type { Arrived } from '../../runtime/ports/page.ts'

/** What the user is asked about: an origin, and where its name leads now. */
export interface Question extends Origin {
  readonly addresses: readonly string[]
}

/** Asks the user; only a clear yes is true. */
export type Ask = (question: Question, session: string) => Promise<boolean>

const GRANT = 600_000

/** Whether a page may be sent to `url`: its canonical form, or why not. */
export function checkPermission(url: string, { proxy }: OpenSession): Outcome<string> {
  const checked = checkUrl(url, proxy !== undefined)
  if (!checked.ok || !proxy || checked.value === 'about:blank') return checked
  const { username, password } = new URL(checked.value)
  const denial = proxy.check(checked.value)
  if (denial) return err(accessDenied(checked.value, denial))
  return username || password ? err(accessDenied(checked.value, withCredentials(checked.value))) : checked
}

/** The same after asking the user, where the rules leave it to them and there is a way to. A yes holds for this session, for a while,
 * and for the addresses that were shown. */
export async function askPermission(
  url: string,
  session: OpenSession,
  ask: Ask | undefined,
): Promise<Outcome<void>> {
  const first = checkPermission(url, session)
  const { proxy } = session
  const open = first.ok || (first.error.code === 'ACCESS_DENIED' && first.error.promptable)
  const { href } = parseUrl(url) ?? { href: 'about:blank' }
  if (!proxy || !ask || !open || href === 'about:blank') return map(first, () => undefined)
  const found = await proxy.inspect(href)
  if ('unreachable' in found)
    return err({ code: 'NAVIGATION_FAILED', url: href, reason: found.unreachable, redirects: [] })
  if ('allowed' in found) return map(checkPermission(url, session), () => undefined)
  const { denial, addresses } = found
  const origin = { host: denial.host, port: denial.port }
  if (!addresses || !(await ask({ ...origin, addresses }, session.record.name ?? session.record.id)))
    return err(accessDenied(href, denial))
  proxy.grant({ ...origin, addresses }, GRANT)
  return map(checkPermission(url, session), () => undefined)
}

/** What came of a navigation, where the gate refused it on the way: a refused page is an answer to the browser, and none to us. */
export function refusedOnTheWay(
  outcome: Outcome<Arrived>,
  url: string,
  { proxy }: OpenSession,
  since: number,
): Outcome<Arrived> {
  if (!proxy || (outcome.ok && ![403, 502].includes(outcome.value.status))) return outcome
  const failure = outcome.ok ? undefined : outcome.error
  const redirects = failure?.code === 'NAVIGATION_FAILED' ? failure.redirects : []
  const places = outcome.ok ? [outcome.value.url] : [...redirects.toReversed(), url]
  for (const place of places) {
    const parsed = parseUrl(place)
    const denial = parsed && proxy.denied(originOf(parsed), since)
    if (denial) return err(accessDenied(place, denial))
    // The gate's own page, where the browser would have shown none.
    const reason =
      outcome.ok && parsed && outcome.value.status === 502 ? proxy.unreachable(originOf(parsed)) : undefined
    if (reason !== undefined) return err({ code: 'NAVIGATION_FAILED', url: place, reason, redirects: [] })
  }
  return outcome
}

const withCredentials = (url: string): Denial => ({
  ...originOf(new URL(url)),
  rule: 'a user name or password in the URL',
  promptable: false,
})
