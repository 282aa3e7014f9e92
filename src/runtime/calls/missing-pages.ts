// An action that leads to a page which the dev server does not have: the source line with that path is the cause, whatever framework wrote
// the link.

import { settleWithin } from './settle-within.ts'
import type { OpenSession } from '../ports/open-session.ts'
import { readSources } from '../freshness/source-files.ts'
import { parseUrl } from '../../core/network/parse-url.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import { linesWithPath, PATH_LINE_LIMIT } from '../../core/source/path-lines.ts'

const PAGE_LIMIT = 2
const SEARCH_TIMEOUT_MS = 500
const NOT_FOUND_PATTERN = /^(\S+) (\S+) → 404\b/

/** The pages among these entries that the server answered with 404, each with the source lines that have its path, if they are few. */
export async function describeMissingPages(
  entries: readonly JournalEntry[],
  session: Pick<OpenSession, 'server' | 'redact'>,
): Promise<string[]> {
  const pages = entries.flatMap(({ kind, text, data }) => {
    const [, method, url] = NOT_FOUND_PATTERN.exec(text) ?? []
    return kind === 'request' && data?.['type'] === 'document' && url ? [{ method, url }] : []
  })
  const describe = async ({ method, url }: (typeof pages)[number]) => {
    const lines = await settleWithin(SEARCH_TIMEOUT_MS, findPath(url, session))
    const places = Array.isArray(lines) && lines.length > 0 ? `: its path is at ${lines.join(' and ')}` : ''
    return session.redact(`${method} ${url} → 404${places}`)
  }
  return Promise.all(pages.slice(0, PAGE_LIMIT).map(describe))
}

// --- internal ---

async function findPath(url: string, { server }: Pick<OpenSession, 'server'>): Promise<string[]> {
  const folder = server?.code?.()?.folder
  const page = parseUrl(url)
  if (!server || folder === undefined || page?.origin !== new URL(server.info().url).origin) return []
  if (page.pathname === '/') return []
  const places: string[] = []
  for await (const { path, text } of readSources(folder)) {
    places.push(...linesWithPath(text, page.pathname).map((line) => `${path}:${line}`))
    if (places.length > PATH_LINE_LIMIT) return []
  }
  return places
}
