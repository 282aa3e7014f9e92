// Checks the URL of a page against the host rules, and asks the user where the rules allow that.

import type { Action, NavigationResult } from '../../base/action.ts'
import type { Outcome } from '../../base/failure.ts'
import { type Denial, originOf } from '../../base/network/host-rules.ts'
import { accessDenied, checkUrl, isExtensionPage } from '../../base/network/page-url.ts'
import { err, map, ok } from '../../base/result.ts'
import { race } from '../../base/system/race-deadline.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import type { AskUser } from '../../tool/tool-call.ts'
import type { CallSteps, PendingAnswer, SessionCall } from '../types/call-steps.ts'
import type { EgressProxy } from '../types/egress-proxy.ts'
import type { OwnedSession } from '../types/owned-session.ts'
import { failureOfStopped } from './stop-failures.ts'

const GRANT_DURATION_MS = 600_000

/** The canonical form of `url` if a page may open it; fails with INVALID_PARAMETERS or ACCESS_DENIED. */
export function checkPermission(
  url: string,
  { proxy, page }: Pick<OwnedSession, 'proxy' | 'page'>,
): Outcome<string> {
  const { extensionId } = page
  const canonical = checkUrl(url, proxy !== undefined, extensionId)
  if (!canonical.ok || !proxy || canonical.value === 'about:blank') return canonical
  if (isExtensionPage(new URL(canonical.value), extensionId)) return canonical
  const { username, password } = new URL(canonical.value)
  const denial = proxy.check(canonical.value)
  if (denial) return err(accessDenied(canonical.value, denial))
  return username || password
    ? err(accessDenied(canonical.value, credentialsDenial(canonical.value)))
    : canonical
}

// Without a question to the user the decision takes milliseconds, and the call keeps its place in the queue.
const RULES_TIMEOUT_MS = 1000

/** Checks whether the call may open its URL, and asks the user where the rules require that. While the user has not answered, the call
 * leaves its turn: the result is a pending answer. */
export async function askPermission(
  steps: CallSteps,
  call: SessionCall,
  owned: OwnedSession,
): Promise<Outcome<void> | PendingAnswer> {
  const { opensUrl, session } = call
  if (opensUrl === undefined) return ok(undefined)
  const ask = async (): Promise<Outcome<void>> => {
    const result = await race(undefined, [call.signal, session.endSignal], () =>
      decide(opensUrl, owned, call.ask),
    )
    return 'value' in result
      ? result.value
      : err(failureOfStopped(steps, result.stopReason, call, call.description))
  }
  const answer = ask()
  const immediate = await race(RULES_TIMEOUT_MS, [], () => answer)
  return 'value' in immediate ? immediate.value : { answer }
}

// A grant is limited to this session, to a duration, and to the addresses that the user was asked about.
async function decide(url: string, session: OwnedSession, ask: AskUser | undefined): Promise<Outcome<void>> {
  const permission = checkPermission(url, session)
  const { proxy, record, page } = session
  const isPromptable =
    permission.ok || (permission.error.code === 'ACCESS_DENIED' && permission.error.promptable)
  const { href } = parseUrl(url) ?? { href: 'about:blank' }
  const isOwn = href === 'about:blank' || isExtensionPage(new URL(href), page.extensionId)
  if (!proxy || !ask || !isPromptable || isOwn) return map(permission, () => undefined)
  const inspection = await proxy.inspect(href)
  if ('unreachable' in inspection)
    return err({ code: 'NAVIGATION_FAILED', url: href, reason: inspection.unreachable })
  if ('allowed' in inspection) return map(checkPermission(url, session), () => undefined)
  const { denial, addresses } = inspection
  const origin = { host: denial.host, port: denial.port }
  if (!addresses || !(await ask({ ...origin, addresses }, record.name)))
    return err(accessDenied(href, denial))
  proxy.grant({ ...origin, addresses }, GRANT_DURATION_MS)
  return map(checkPermission(url, session), () => undefined)
}

/** The outcome of an action; ACCESS_DENIED if the proxy denied the page that it navigated to, or a redirect. To the browser such a page is
 * an ordinary response. `denialsBefore` is the number of denials before the action. */
export function applyProxyDenial<T>(
  action: Action,
  outcome: Outcome<T>,
  proxy: EgressProxy | undefined,
  denialsBefore: number,
): Outcome<T> {
  if (!proxy || action.kind !== 'navigate') return outcome
  const { url, status } = outcome.ok && isNavigation(outcome.value) ? outcome.value : { ...action, status: 0 }
  if (outcome.ok && ![403, 502].includes(status)) return outcome
  const failure = outcome.ok ? undefined : outcome.error
  const redirects = failure?.code === 'NAVIGATION_FAILED' ? (failure.redirects ?? []) : []
  for (const visitedUrl of [...redirects.toReversed(), url]) {
    const parsedUrl = parseUrl(visitedUrl)
    const denial = parsedUrl && proxy.findDenial(originOf(parsedUrl), denialsBefore)
    if (denial) return err(accessDenied(visitedUrl, denial))
    // The page is the proxy's own error response; without a proxy the browser would have failed.
    const reason = parsedUrl && status === 502 ? proxy.findConnectError(originOf(parsedUrl)) : undefined
    if (reason !== undefined) return err({ code: 'NAVIGATION_FAILED', url: visitedUrl, reason })
  }
  return outcome
}

const isNavigation = (value: unknown): value is NavigationResult =>
  typeof value === 'object' && value !== null && 'url' in value && 'status' in value

const credentialsDenial = (url: string): Denial => ({
  ...originOf(new URL(url)),
  rule: 'a user name or password in the URL',
  promptable: false,
})
