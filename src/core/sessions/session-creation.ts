// What a session is created with: its request, completed by the server's options.

import { invalidParameter, type Outcome } from '../base/failure.ts'
import { err, ok } from '../base/result.ts'
import type { ToolCall } from '../tool/tool-call.ts'
import { ENDLESS_MS, type Session, type SessionDraft } from './store/session.ts'
import type { SessionRequest } from './types/open-session.ts'
import type { OwnedServer } from './types/servers.ts'
import type { SessionEvent, SessionManagerOptions } from './types/session-options.ts'

/** The request with the server's options as defaults. */
export const withDefaults = (
  request: SessionRequest,
  { ignoreHttpsErrors = false }: SessionManagerOptions,
): SessionRequest => ({
  ...request,
  ignoreHTTPSErrors: request.ignoreHTTPSErrors ?? (ignoreHttpsErrors && !request.attach),
})

/** The draft of a requested session, with a new id. Fails with INVALID_PARAMETERS if its timeout is too long. */
export function draftOf(
  owner: string,
  request: SessionRequest,
  options: SessionManagerOptions,
): Outcome<SessionDraft> {
  const lifetime = request.isEndless ? ENDLESS_MS : options.maxLifetime
  const timeout = request.sessionTimeout ?? (request.isEndless ? ENDLESS_MS : options.sessionTimeout)
  const maximumTimeout = Math.max(lifetime, options.sessionTimeout)
  if (timeout > maximumTimeout) {
    const expected = `at most ${maximumTimeout}, the server's maximum lifetime of a session`
    return err(invalidParameter('sessionTimeout', expected, String(timeout)))
  }
  return ok({
    id: crypto.randomUUID(),
    owner,
    timeout,
    lifetime,
    browser: request.browser ?? (request.attach ? 'chrome' : options.browser),
    ...(request.attach && { isAttached: true as const }),
    ...(request.name !== undefined && { name: request.name }),
    ownLimit: options.clientSessions,
    actionTimeout: request.actionTimeout,
  })
}

/** The timeout in milliseconds of a call without its own. */
export function defaultTimeout(
  session: Session,
  kind: ToolCall['timeoutKind'],
  options: SessionManagerOptions,
): number {
  return session.actionTimeout ?? (kind === 'action' ? options.actionTimeout : options.navigationTimeout)
}

export function openingEvents(
  sessionId: string,
  browser: string,
  server: OwnedServer | undefined,
): SessionEvent[] {
  const info = server?.info()
  const ready = info ? [{ event: 'server_ready' as const, sessionId, url: info.url, mode: info.mode }] : []
  return [...ready, { event: 'session_started', sessionId, browser }]
}
