// Opens the page of a session, behind its proxy, and accepts the certificates of its own dev server.

import type { Browsers, OwnedPage, PageHooks } from '../ports/browsers.ts'
import type { EgressProxy } from '../ports/egress-proxy.ts'
import type { OwnedServer } from '../ports/servers.ts'
import type { SessionRequest } from '../ports/session-request.ts'
import type { RedactorPorts } from './session-redactor.ts'
import type { Outcome } from '../../core/failure.ts'

interface PagePorts extends RedactorPorts {
  readonly browsers: Browsers
}

/** Opens the page once its proxy is open and the redactor's rules are loaded. Fails as the browser does. */
export async function openPage(
  { browsers, shapes }: PagePorts,
  request: SessionRequest,
  proxy: Promise<EgressProxy | undefined>,
  hooks: PageHooks,
): Promise<Outcome<OwnedPage>> {
  const [openProxy] = await Promise.all([proxy, shapes?.load()])
  const openResult = await browsers.open(
    openProxy ? { ...request, proxy: openProxy.address } : request,
    openProxy ? { ...hooks, ...proxyHooksOf(openProxy) } : hooks,
  )
  if (!openResult.ok) openProxy?.close()
  return openResult
}

const proxyHooksOf = ({ check, limitTransfer }: EgressProxy) => ({
  isRefused: (url: string) => check(url) !== undefined,
  limitTransfer,
})

/** Reopens the page if the session's own server uses https: certificates are accepted per context, and the URL of the server is known only
 * once it is ready. The first page is not in use by then. */
export async function reopenForCertificate(
  opening: Promise<Outcome<OwnedPage>>,
  { ignoreHTTPSErrors = false, attach = false }: SessionRequest,
  server: Promise<Outcome<OwnedServer>> | undefined,
  reopen: () => Promise<Outcome<OwnedPage>>,
): Promise<Outcome<OwnedPage>> {
  const openResult = await opening
  if (!server || ignoreHTTPSErrors || attach || !openResult.ok) return openResult
  const startResult = await server
  if (!startResult.ok || !startResult.value.info().url.startsWith('https:')) return openResult
  await openResult.value.release()
  return reopen()
}
