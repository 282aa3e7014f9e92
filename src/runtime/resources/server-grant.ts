// What a session's pages may reach because the session started it.

import type { OwnedPage } from '../ports/browsers.ts'
import type { EgressProxy, Reach } from '../ports/egress-proxy.ts'
import type { OwnedServer } from '../ports/servers.ts'
import type { Outcome } from '../../core/failure.ts'
import { createGrant, originOf } from '../../core/network/host-rules.ts'
import { ok } from '../../core/result.ts'
import type { DevServer } from '../../core/dev-server.ts'

/** Allows a server of ours to the pages behind this gate. */
export const createServerGrant =
  (proxy: Promise<EgressProxy | undefined>, reach: Reach | undefined) =>
  async ({ isOwned, url }: DevServer): Promise<void> => {
    const open = await proxy
    const reached = open && isOwned && (await reach?.(url))
    if (reached && 'addresses' in reached && reached.ofMachine)
      open.grant(createGrant(originOf(new URL(url)), reached.addresses))
  }

/** The server that this session started is always allowed to its pages, wherever on this machine it comes up again. One that was there
 * before is up to the rules. */
export async function grantingServer(
  starting: Promise<Outcome<OwnedServer>>,
  allow: (server: DevServer) => Promise<void>,
): Promise<Outcome<OwnedServer>> {
  const started = await starting
  if (!started.ok) return started
  const { value } = started
  await allow(value.info())
  return ok({
    ...value,
    async restart(...given) {
      const again = await value.restart(...given)
      if (again.ok) await allow(again.value.server)
      return again
    },
  })
}

/** Lets the pages of a server of ours use the clipboard. */
export async function grantClipboard(page: OwnedPage, { isOwned, url }: DevServer): Promise<void> {
  if (isOwned && URL.canParse(url)) await page.allowClipboard(new URL(url).origin)
}

/** The same, wherever it comes up again. */
export async function grantingClipboard(server: OwnedServer, page: OwnedPage): Promise<OwnedServer> {
  const grant = (one: DevServer) => grantClipboard(page, one)
  await grant(server.info())
  return {
    ...server,
    async restart(...given) {
      const again = await server.restart(...given)
      if (again.ok) await grant(again.value.server)
      return again
    },
  }
}
