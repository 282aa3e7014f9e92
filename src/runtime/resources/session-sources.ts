// The source locator of a session: it reads scripts from the session's page, fetches maps through the session's proxy, and shows paths in
// the folder of the session's server.

import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Clock } from '../clock.ts'
import type { OwnedPage } from '../ports/browsers.ts'
import type { EgressProxies, EgressProxy } from '../ports/egress-proxy.ts'
import type { OwnedServer } from '../ports/servers.ts'
import type { SessionRequest } from '../ports/session-request.ts'
import type { SourceLocator } from '../ports/source-locator.ts'
import { createSourceLocator } from '../sources/source-locator.ts'
import type { SessionRecords } from './session-records.ts'
import type { Outcome } from '../../core/failure.ts'
import { parseUrl } from '../../core/network/parse-url.ts'

interface SourceParts {
  readonly page: Promise<Outcome<OwnedPage>>
  readonly proxy: Promise<EgressProxy | undefined>
  readonly proxies: Pick<EgressProxies, 'hasUserProxy'>
  readonly server: Promise<Outcome<OwnedServer> | undefined>
  readonly request: SessionRequest
  readonly clock: Clock
  readonly closing: AbortSignal
}

export function openSourceLocator(
  { journal }: Pick<SessionRecords, 'journal'>,
  { page, proxy, proxies, server, request, clock, closing }: SourceParts,
): SourceLocator {
  const requestedFolder = resolve(request.server?.cwd ?? '.')
  let folder: Promise<string> | undefined
  return createSourceLocator({
    journal,
    closing,
    now: clock,
    async readScript(seq) {
      const openResult = await page
      return openResult.ok ? openResult.value.readScript(seq) : undefined
    },
    route: async () => ({ proxy: (await proxy)?.address, isLoopbackOnly: proxies.hasUserProxy }),
    async server() {
      const startResult = await server
      const origin = startResult?.ok ? parseUrl(startResult.value.info().url)?.origin : undefined
      if (origin === undefined) return undefined
      folder ??= realpath(requestedFolder).catch(() => requestedFolder)
      return { origin, folder: (await folder).replaceAll('\\', '/') }
    },
  })
}
