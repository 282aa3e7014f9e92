// The dev server of a session: its start, its events, and what the session's pages may do with it.

import type { Outcome } from '../base/failure.ts'
import { createGrant, originOf } from '../base/network/host-rules.ts'
import { revealingRedactor } from '../base/redaction/redactor.ts'
import { ok } from '../base/result.ts'
import type { Journal } from './journal/journal.ts'
import type { OwnedPage } from './types/browsers.ts'
import type { CheckServerAddress, EgressProxy } from './types/egress-proxy.ts'
import type { SessionRequest, SharedServer } from './types/open-session.ts'
import type { OpeningSession, OwnedSession, SessionPorts } from './types/owned-session.ts'
import type { DevServer, OwnedServer, ServerHooks, ServerRequest } from './types/servers.ts'
import type { SessionFeature } from './types/session-feature.ts'

export interface ServerEvents {
  readonly onProgress: (text: string) => void
  readonly onServerExit: (reason: string) => void
  readonly sessionAt: NonNullable<ServerHooks['sessionAt']>
}

interface ServerSession extends Pick<OwnedSession, 'journal' | 'redactor' | 'features'> {
  readonly proxy: Promise<EgressProxy | undefined>
  readonly ready: OpeningSession['ready']
  /** Aborts when the session ends. */
  readonly signal: AbortSignal
}

/** Starts the server of a session, or joins that of another one; undefined if it has none. The pages of the session may access it wherever it
 * restarts or moves to. */
export function openServer(
  { server, sharedServer, allowedHosts }: SessionRequest,
  { servers, proxies, clock }: Pick<SessionPorts, 'servers' | 'proxies' | 'clock'>,
  { journal, redactor, features, proxy, ready, signal }: ServerSession,
  { onProgress, onServerExit, sessionAt }: ServerEvents,
): Promise<Outcome<OwnedServer>> | undefined {
  const checkServerAddress = proxies.createServerAddressCheck(allowedHosts)
  let session: OwnedSession | undefined
  void ready.then(
    (result) => (session = result.ok ? result.value : undefined),
    () => {},
  )
  // The page of a session that is opening gets its grant when both are open.
  const onStarted: ServerHooks['onStarted'] = async (info, startedServer) => {
    await grantProxy(await proxy, checkServerAddress, info, startedServer)
    if (session) await grantPage(session.page, info)
  }
  const grantAtNewUrl = async (info: DevServer) => {
    await ready
    if (session?.server) await onStarted(info, session.server)
  }
  const hooks: ServerHooks = {
    ...(server && { variables: () => readVariables(server, features) }),
    onProgress,
    sessionAt,
    onStarted,
    ...(redactor !== revealingRedactor && { redact: redactor.redactText }),
    onMove(current, previous) {
      const text = `The dev server moved from ${previous.url} to ${current.url}`
      journal.add({ kind: 'page', at: clock(), text, level: 'warning' })
      void grantAtNewUrl(current)
    },
    onLine: (stream, text) =>
      journal.add({ kind: 'server', at: clock(), text, level: stream === 'stderr' ? 'warning' : 'info' }),
    onExit(reason) {
      journal.add({ kind: 'server', at: clock(), text: `the dev server ${reason}`, level: 'error' })
      onServerExit(reason)
    },
  }
  if (sharedServer) return joinServer(sharedServer, journal, onStarted)
  return server && servers.start(server, hooks, signal, checkServerAddress)
}

/** Lets the server have the HTTP credentials of the session, and its pages read the clipboard if the session owns it. */
export async function grantPage(page: OwnedPage, { isOwned, url }: DevServer): Promise<void> {
  if (!URL.canParse(url)) return
  const { origin } = new URL(url)
  await page.setServerOrigin(origin)
  if (isOwned) await Promise.all([page.allowPasting(origin), page.disableCache()])
}

// --- internal ---

async function readVariables(
  server: ServerRequest,
  features: readonly SessionFeature[],
): Promise<Readonly<Record<string, string>>> {
  const variables = await Promise.all(features.map((feature) => feature.serverVariables?.(server)))
  return Object.assign({}, ...variables)
}

// The pages behind the proxy may access a server that the session owns, if it is on this machine, until another program has its port. For
// other servers the host rules apply.
async function grantProxy(
  proxy: EgressProxy | undefined,
  checkServerAddress: CheckServerAddress | undefined,
  { isOwned, url }: DevServer,
  server: Pick<OwnedServer, 'hasLostPort'>,
): Promise<void> {
  const checked = proxy && isOwned && (await checkServerAddress?.(url))
  if (!checked || !('addresses' in checked) || !checked.ofMachine) return
  const origin = originOf(new URL(url))
  proxy.grant(
    createGrant(origin, checked.addresses),
    Infinity,
    () => server.hasLostPort?.(origin.port) !== true,
  )
}

const LINES_LIMIT = 1000

// The server of another session as this one uses it: its new output is in the journal of both, and it does not stop with this one.
async function joinServer(
  { server, journal: source }: SharedServer,
  journal: Journal,
  onStarted: ServerHooks['onStarted'],
): Promise<Outcome<OwnedServer>> {
  let lastSeq = source.lastSeq()
  const unwatch = source.watch(['server'], () => {
    const { entries } = source.read({ kinds: ['server'], since: lastSeq, limit: LINES_LIMIT })
    lastSeq = entries.at(-1)?.seq ?? lastSeq
    for (const { seq: _, ...entry } of entries) journal.add(entry)
  })
  await onStarted(server.info(), server)
  return ok({
    ...server,
    async stop() {
      unwatch()
      return ok('')
    },
  })
}
