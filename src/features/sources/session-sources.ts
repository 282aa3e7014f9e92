// The sources of one session: scripts are read from its page and maps through its proxy; paths are those in the folder of its server.

import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import type { SourceLocator } from '../../core/sessions/types/sources.ts'
import { describeBySources } from './describe-action.ts'
import { createSourceLocator } from './locate-sources.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly sources: SourceLocator
  }
}

// Some module requests are reported without a type.
const SCRIPT_TYPES = new Set(['script', 'other'])

export function addSources(session: NewSession): SessionFeature {
  const sources = openSources(session)
  return {
    members: { sources },
    onEntry: sources.prepare,
    onRequest({ seq, at, url, type }) {
      if (SCRIPT_TYPES.has(type)) sources.addScript({ seq, at, url })
    },
    locateEntries: sources.locateEntries,
    describeAction: describeBySources,
  }
}

// --- internal ---

function openSources({
  journal,
  request,
  proxy,
  ports: { proxies, clock },
  ready,
  endSignal,
}: NewSession): SourceLocator {
  const requestedFolder = resolve(request.server?.cwd ?? '.')
  let folder: Promise<string> | undefined
  return createSourceLocator({
    journal,
    closing: endSignal,
    now: clock,
    async readScript(seq) {
      const session = await ready
      return session.ok ? session.value.page.parts.requests.readScript(seq) : undefined
    },
    route: async () => ({ proxy: (await proxy)?.address, isLoopbackOnly: proxies.hasUserProxy }),
    async server() {
      const session = await ready
      const info = session.ok ? session.value.server?.info() : undefined
      const origin = info && parseUrl(info.url)?.origin
      if (origin === undefined) return undefined
      folder ??= realpath(requestedFolder).catch(() => requestedFolder)
      return { origin, folder: (await folder).replaceAll('\\', '/') }
    },
  })
}
