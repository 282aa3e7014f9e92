// Whether the page of a session shows the source files of its dev server as they are now.

import { readModifications } from './source-files.ts'
import type { OwnedServer } from '../ports/servers.ts'
import { judgeFreshness, type Freshness } from '../../core/freshness/judge-freshness.ts'
import { pageContentOf } from '../../core/freshness/page-files.ts'
import type { NetworkLog } from '../../core/session/network-log.ts'

const FRESH: Freshness = { state: 'fresh' }

/** Fresh without a dev server of the session that runs, or if the page is not from it: then nothing can be known. */
export async function readFreshness(
  server: OwnedServer | undefined,
  network: Pick<NetworkLog, 'read'>,
  pageUrl: string,
): Promise<Freshness> {
  const code = server?.exitReason() === undefined ? server?.code?.() : undefined
  if (!server || !code) return FRESH
  const { origin } = new URL(server.info().url)
  if (!pageUrl.startsWith(`${origin}/`)) return FRESH
  const modifications = await readModifications(code.folder)
  const requests = network.read({ limit: Infinity }).entries
  const content = pageContentOf(requests, origin, code.folder)
  return judgeFreshness({ now: Date.now(), content, modifications, server: code })
}
