// What the host rules say of a page's address, and asking the user where they may decide.

import type { Failure, Outcome } from '../core/failure.ts'
import { originOf, type Denial, type Origin } from '../core/hosts.ts'
import { err, ok } from '../core/result.ts'
import { checkUrl, parseUrl } from '../core/url.ts'
import type { Room } from '../runtime/ports/desk.ts'
import type { Arrived } from '../runtime/ports/page.ts'

/** Asks the user about one origin; false where nobody can be asked. */
export type Ask = (origin: Origin, session: string) => Promise<boolean>

const GRANT = 600_000

/** Whether a page may be sent to `url`: its canonical form, or why not. */
export function permitted(url: string, { gate }: Room): Outcome<string> {
  const checked = checkUrl(url, gate !== undefined)
  if (!checked.ok || !gate || checked.value === 'about:blank') return checked
  const { username, password } = new URL(checked.value)
  const denial = gate.check(checked.value)
  if (denial) return err(denied(checked.value, denial))
  return username || password ? err(denied(checked.value, withCredentials(checked.value))) : checked
}

/** The same after asking the user, where the rules leave it to them. What is granted holds for this session, for a while. */
export async function permit(url: string, room: Room, ask: Ask): Promise<Outcome<void>> {
  const first = permitted(url, room)
  if (first.ok) return ok(undefined)
  const { error } = first
  if (error.code !== 'ACCESS_DENIED' || !error.promptable || error.host === undefined) return first
  const origin = { host: error.host, port: error.port ?? 0 }
  if (!(await ask(origin, room.session.name ?? room.session.id))) return first
  room.gate?.grant(origin, GRANT)
  const again = permitted(url, room)
  return again.ok ? ok(undefined) : again
}

/** What came of a navigation, where the gate refused it on the way: a refused page is an answer to the browser, and none to us. */
export function refusedOnTheWay(
  outcome: Outcome<Arrived>,
  url: string,
  { gate }: Room,
  since: number,
): Outcome<Arrived> {
  if (!gate || (outcome.ok && ![403, 502].includes(outcome.value.status))) return outcome
  const failure = outcome.ok ? undefined : outcome.error
  const redirects = failure?.code === 'NAVIGATION_FAILED' ? failure.redirects : []
  const places = outcome.ok ? [outcome.value.url] : [...redirects.toReversed(), url]
  for (const place of places) {
    const parsed = parseUrl(place)
    const denial = parsed && gate.denied(originOf(parsed), since)
    if (denial) return err(denied(place, denial))
    // The gate's own page, where the browser would have shown none.
    const reason =
      outcome.ok && parsed && outcome.value.status === 502 ? gate.unreachable(originOf(parsed)) : undefined
    if (reason !== undefined) return err({ code: 'NAVIGATION_FAILED', url: place, reason, redirects: [] })
  }
  return outcome
}

const withCredentials = (url: string): Denial => ({
  ...originOf(new URL(url)),
  rule: 'a user name or password in the address',
  promptable: false,
})

const denied = (subject: string, { host, port, rule, promptable }: Denial): Failure => ({
  code: 'ACCESS_DENIED',
  subject: subject.slice(0, 300),
  rule,
  allowed: promptable
    ? `the hosts of --allowed-hosts and of create_session's allowedDomains; add ${host} to them`
    : "the dev server of the session, and what --allowed-hosts and create_session's allowedDomains name",
  host,
  port,
  ...(promptable && { promptable }),
})
