// The sources of one session: scripts are read from its page and maps through its proxy; paths are those in the folder of its server.

import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { NewSession, SessionFeature } from '../../core/sessions/types/session-feature.ts'
import type { SourceLocator } from '../../core/sessions/types/sources.ts'
import { describeBySources } from './describe-action.ts'
import { createSourceLocator } from './locate-sources.ts'
import type { FetchRoute, ServerFolder } from './script-maps.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly sources: SourceLocator
    readonly scriptOrigin: ScriptOrigin
  }
}

/** From where the scripts of a session come, and how their maps are fetched. */
interface ScriptOrigin {
  server(): Promise<ServerFolder | undefined>
  route(): Promise<FetchRoute>
}

// Some module requests are reported without a type.
const SCRIPT_TYPES = new Set(['script', 'other'])

export function addSources(session: NewSession): SessionFeature {
  const scriptOrigin = openOrigin(session)
  const sources = openSources(session, scriptOrigin)
  return {
    members: { sources, scriptOrigin },
    onEntry: sources.prepare,
    onRequest({ seq, at, url, type }) {
      if (SCRIPT_TYPES.has(type)) sources.addScript({ seq, at, url })
    },
    locateEntries: sources.locateEntries,
    describeAction: describeBySources,
  }
}

// --- internal ---

function openSources(
  { journal, ports: { clock }, ready, endSignal }: NewSession,
  origin: ScriptOrigin,
): SourceLocator {
  return createSourceLocator({
    journal,
    closing: endSignal,
    now: clock,
    async readScript(seq) {
      const session = await ready
      return session.ok ? session.value.page.parts.requests.readScript(seq) : undefined
    },
    ...origin,
  })
}

function openOrigin({ request, proxy, ports: { proxies }, ready }: NewSession): ScriptOrigin {
  const requestedFolder = resolve(request.server?.cwd ?? '.')
  let folder: Promise<string> | undefined
  return {
    route: async () => ({ proxy: (await proxy)?.address, isLoopbackOnly: proxies.hasUserProxy }),
    async server() {
      const session = await ready
      const info = session.ok ? session.value.server?.info() : undefined
      const origin = info && parseUrl(info.url)?.origin
      if (origin === undefined) return undefined
      folder ??= realpath(requestedFolder).catch(() => requestedFolder)
      return { origin, folder: (await folder).replaceAll('\\', '/') }
    },
  }
}
