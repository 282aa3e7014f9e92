// Grants the pages of a session access to the dev server that the session started.

import type { OwnedPage } from '../ports/browsers.ts'
import type { EgressProxy, CheckReach } from '../ports/egress-proxy.ts'
import type { OwnedServer } from '../ports/servers.ts'
import type { Outcome } from '../../core/failure.ts'
import { createGrant, originOf } from '../../core/network/host-rules.ts'
import { ok } from '../../core/result.ts'
import type { DevServer } from '../../core/dev-server.ts'

/** Returns a function that allows the pages behind `proxy` to access a server, if the session owns it and it is on this machine, until
 * another program has its port. */
export const createServerGrant =
  (proxy: Promise<EgressProxy | undefined>, checkReach: CheckReach | undefined) =>
  async ({ isOwned, url }: DevServer, server: Pick<OwnedServer, 'hasLostPort'>): Promise<void> => {
    const openProxy = await proxy
    const reach = openProxy && isOwned && (await checkReach?.(url))
    if (!reach || !('addresses' in reach) || !reach.ofMachine) return
    const origin = originOf(new URL(url))
    openProxy.grant(
      createGrant(origin, reach.addresses),
      Infinity,
      () => server.hasLostPort?.(origin.port) !== true,
    )
  }

/** Allows the pages of a session to access the server that it started, also at the URL that it has after a restart. For other servers the
 * host rules apply. */
export async function grantOwnServer(
  starting: Promise<Outcome<OwnedServer>>,
  allow: (info: DevServer, server: OwnedServer) => Promise<void>,
): Promise<Outcome<OwnedServer>> {
  const startResult = await starting
  if (!startResult.ok) return startResult
  const server = startResult.value
  await allow(server.info(), server)
  return ok({
    ...server,
    async restart(...args) {
      const restartResult = await server.restart(...args)
      if (restartResult.ok) await allow(restartResult.value.server, server)
      return restartResult
    },
  })
}

/** Lets the server have the HTTP credentials of the session, and its pages use the clipboard if the session owns it. */
export async function grantPage(page: OwnedPage, { isOwned, url }: DevServer): Promise<void> {
  if (!URL.canParse(url)) return
  const { origin } = new URL(url)
  await page.setServerOrigin(origin)
  if (isOwned) await page.allowClipboard(origin)
}

/** The same, also after a restart. */
export async function grantServerPage(server: OwnedServer, page: OwnedPage): Promise<OwnedServer> {
  const grant = (info: DevServer) => grantPage(page, info)
  await grant(server.info())
  return {
    ...server,
    async restart(...args) {
      const restartResult = await server.restart(...args)
      if (restartResult.ok) await grant(restartResult.value.server)
      return restartResult
    },
  }
}
