// Whether the page of a session shows the source files of its dev server as they are now.

import { readModifications } from './source-files.ts'
import type { OwnedServer } from '../ports/servers.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import { readBuildState } from '../../core/freshness/build-lines.ts'
import { judgeFreshness, type Freshness } from '../../core/freshness/judge-freshness.ts'
import { pageContentOf } from '../../core/freshness/page-files.ts'
import { isErrorPage } from '../../core/network/parse-url.ts'

const LINE_LIMIT = 200
const FRESH: Freshness = { state: 'fresh' }

/** `isLoaded`: a navigation has just ended. Fresh without a dev server of the session that runs, or if the page is not from it: then nothing can be known. */
export async function readFreshness(
  server: OwnedServer | undefined,
  { journal, network, redactor }: Pick<SessionResources, 'journal' | 'network' | 'redactor'>,
  pageUrl: string,
  isLoaded = false,
): Promise<Freshness> {
  const code = server?.code?.()
  if (!server || !code) return FRESH
  if (isErrorPage(pageUrl)) return { state: 'unloaded' }
  const { origin } = new URL(server.info().url)
  if (!pageUrl.startsWith(`${origin}/`)) return FRESH
  const modifications = await readModifications(code.folder)
  const newestChange = Math.max(0, ...modifications.values())
  const requests = network.sincePageLoad()
  const frames = requests
    .filter(({ type }) => type === 'websocket')
    .flatMap(({ seq }) => network.frames(seq, 1))
  const content = pageContentOf(requests, frames, origin, code)
  const lines = journal.read({ kinds: ['server'], limit: LINE_LIMIT }).entries
  const build = readBuildState(lines, newestChange)
  const serverCode = newestChange > code.startedAt ? server.code?.({ withPrograms: true }) : code
  const witnesses = { now: Date.now(), isLoaded, content, modifications, build }
  const freshness = judgeFreshness({ ...witnesses, server: serverCode ?? code })
  if (!('file' in freshness)) return freshness
  // Whether a server has ended is looked up among all sockets of the machine.
  if (server.exitReason() !== undefined)
    return { state: 'unknown', file: freshness.file, ageMs: freshness.ageMs }
  // A line of the server may contain a secret.
  if (freshness.line === undefined) return freshness
  const line = redactor.redactText(freshness.line.replaceAll(`${code.folder}/`, ''))
  return { ...freshness, line }
}
