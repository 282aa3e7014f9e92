// What the host rules say of a page's address, and asking the user where they may decide.

import { race } from './deadline.ts'
import type { RunningCall } from './running-call.ts'
import { failureOfStopped } from './stop-failures.ts'
import type { Unanswered } from './wait-for-turn.ts'
import type { EgressProxy } from '../ports/egress-proxy.ts'
import type { Arrived } from '../ports/page.ts'
import type { AskUser } from '../ports/tool-call.ts'
import type { ReadyResources } from '../resources/session-resources.ts'
import { accessDenied } from '../../core/network/access-denied.ts'
import type { Outcome } from '../../core/failure.ts'
import { originOf, type Denial } from '../../core/network/host-rules.ts'
import { err, map, ok } from '../../core/result.ts'
import { checkUrl } from '../../core/network/page-url.ts'
import { parseUrl } from '../../core/network/parse-url.ts'
import type { Session } from '../../core/session/session.ts'

const GRANT_MS = 600_000

/** Whether a page may be sent to `url`: its canonical form, or INVALID_PARAMETERS or ACCESS_DENIED. */
export function checkPermission(url: string, proxy: EgressProxy | undefined): Outcome<string> {
  const checked = checkUrl(url, proxy !== undefined)
  if (!checked.ok || !proxy || checked.value === 'about:blank') return checked
  const { username, password } = new URL(checked.value)
  const denial = proxy.check(checked.value)
  if (denial) return err(accessDenied(checked.value, denial))
  return username || password ? err(accessDenied(checked.value, withCredentials(checked.value))) : checked
}

// What needs no person is known soon, and calls sent at once keep their order. A person takes any time, so that does not count.
const RULES_TIMEOUT_MS = 1000

/** Whether the call may open its address, after asking the user where the rules leave it to them. Where the user takes longer than the
 * rules, the call leaves its turn. */
export async function askPermission<T>(
  running: RunningCall<T>,
  { proxy }: ReadyResources,
): Promise<Outcome<void> | Unanswered> {
  const { call, record, ended } = running
  const { opensUrl } = call
  if (opensUrl === undefined) return ok(undefined)
  const ask = async (): Promise<Outcome<void>> => {
    const asked = await race(undefined, [call.signal, ended], () => decide(opensUrl, proxy, record, call.ask))
    return 'value' in asked ? asked.value : err(failureOfStopped(asked.stopped, running, call.description))
  }
  const answer = ask()
  const early = await race(RULES_TIMEOUT_MS, [], () => answer)
  return 'value' in early ? early.value : { answer }
}

// A yes holds for this session, for a while, and for the addresses that were shown.
async function decide(
  url: string,
  proxy: EgressProxy | undefined,
  { id, name }: Session,
  ask: AskUser | undefined,
): Promise<Outcome<void>> {
  const permission = checkPermission(url, proxy)
  const isOpen = permission.ok || (permission.error.code === 'ACCESS_DENIED' && permission.error.promptable)
  const { href } = parseUrl(url) ?? { href: 'about:blank' }
  if (!proxy || !ask || !isOpen || href === 'about:blank') return map(permission, () => undefined)
  const inspected = await proxy.inspect(href)
  if ('unreachable' in inspected)
    return err({ code: 'NAVIGATION_FAILED', url: href, reason: inspected.unreachable })
  if ('allowed' in inspected) return map(checkPermission(url, proxy), () => undefined)
  const { denial, addresses } = inspected
  const origin = { host: denial.host, port: denial.port }
  if (!addresses || !(await ask({ ...origin, addresses }, name ?? id))) return err(accessDenied(href, denial))
  proxy.grant({ ...origin, addresses }, GRANT_MS)
  return map(checkPermission(url, proxy), () => undefined)
}

/** What came of a navigation, where the proxy refused it on the way: to the browser a refused page is an answer. `denials` is how many
 * there were before it. */
export function denialOnTheWay(
  outcome: Outcome<Arrived>,
  url: string,
  proxy: EgressProxy | undefined,
  denials: number,
): Outcome<Arrived> {
  if (!proxy || (outcome.ok && ![403, 502].includes(outcome.value.status))) return outcome
  const failure = outcome.ok ? undefined : outcome.error
  const redirects = failure?.code === 'NAVIGATION_FAILED' ? (failure.redirects ?? []) : []
  const places = outcome.ok ? [outcome.value.url] : [...redirects.toReversed(), url]
  for (const place of places) {
    const parsed = parseUrl(place)
    const denial = parsed && proxy.denied(originOf(parsed), denials)
    if (denial) return err(accessDenied(place, denial))
    // The proxy's own page, where the browser would have shown none.
    const reason =
      outcome.ok && parsed && outcome.value.status === 502 ? proxy.unreachable(originOf(parsed)) : undefined
    if (reason !== undefined) return err({ code: 'NAVIGATION_FAILED', url: place, reason })
  }
  return outcome
}

const withCredentials = (url: string): Denial => ({
  ...originOf(new URL(url)),
  rule: 'a user name or password in the URL',
  promptable: false,
})
