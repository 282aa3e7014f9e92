// Opening the page of a session: behind its proxy, and with the certificates that its own server needs.

import type { Browsers, OwnedPage, PageHooks } from '../ports/browsers.ts'
import type { EgressProxy } from '../ports/egress-proxy.ts'
import type { OwnedServer } from '../ports/servers.ts'
import type { SessionRequest } from '../ports/session-manager.ts'
import type { RedactorPorts } from './session-redactor.ts'
import type { Outcome } from '../../core/failure.ts'

interface PagePorts extends RedactorPorts {
  readonly browsers: Browsers
}

/** Opens the page once its proxy is there and the redactor's rules are loaded. Fails as the browser does. */
export async function openPage(
  { browsers, shapes }: PagePorts,
  request: SessionRequest,
  proxy: Promise<EgressProxy | undefined>,
  hooks: PageHooks,
): Promise<Outcome<OwnedPage>> {
  const [open] = await Promise.all([proxy, shapes?.load()])
  const opened = await browsers.open(open ? { ...request, proxy: open.address } : request, hooks)
  if (!opened.ok) open?.close()
  return opened
}

/** The page, opened again where the session's own server turns out to speak https: certificates are accepted for a whole context, and
 * whether the server has one is known only once it is up. Nobody has seen the first page by then. */
export async function reopenForCertificate(
  opening: Promise<Outcome<OwnedPage>>,
  { ignoreHTTPSErrors = false }: SessionRequest,
  server: Promise<Outcome<OwnedServer>> | undefined,
  reopen: () => Promise<Outcome<OwnedPage>>,
): Promise<Outcome<OwnedPage>> {
  const opened = await opening
  if (!server || ignoreHTTPSErrors || !opened.ok) return opened
  const started = await server
  if (!started.ok || !started.value.info().url.startsWith('https:')) return opened
  await opened.value.release()
  return reopen()
}
