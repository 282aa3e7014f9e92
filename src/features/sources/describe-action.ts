// What source files say of an action: the line of a link to a page that is missing, and of an element that was rendered differently.

import type { Deadline } from '../../core/base/system/deadline.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { findHydrationMismatch, selectorOf } from '../../core/base/text/error-lines.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import { linesWithPath, PATH_LINE_LIMIT } from '../../core/base/text/source-path.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { FinishedAction } from '../../core/sessions/types/call-steps.ts'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import { readOrigin } from './element-origin.ts'
import { summarizeSource } from './element-source.ts'
import { readSources } from './source-files.ts'

export async function describeBySources({
  newEntries,
  page,
  session,
  deadline,
  start,
  call,
}: FinishedAction): Promise<readonly string[]> {
  const entries = await newEntries
  // Who navigates to an address knows it.
  const ownEntries = call.timeoutKind === 'navigation' ? [] : entries.filter(({ seq }) => seq > start.seq)
  const missingPages = await describeMissingPages(ownEntries, session)
  const mismatch = await findMismatchSource(entries, page, session, deadline)
  return [...missingPages, ...(mismatch === undefined ? [] : [`hydration mismatch: ${mismatch}`])]
}

// --- internal ---

// Where the element is written that the server rendered differently than the browser: the error about it has a stack of the framework only.
/** Such as `app/page.tsx:12:7 in Page`; undefined if no entry reports a mismatch, or if the page has no such element or several. */
async function findMismatchSource(
  entries: readonly JournalEntry[],
  page: Page,
  session: Pick<OpenSession, 'sources' | 'url' | 'redact'>,
  deadline: Deadline,
): Promise<string | undefined> {
  for (const { kind, level, text } of entries) {
    const mismatch =
      kind === 'console' && (level === 'error' || level === 'warning')
        ? findHydrationMismatch(text)
        : undefined
    if (!mismatch) continue
    const origin = await readOrigin(page, { selector: selectorOf(mismatch) }, deadline)
    if (!origin.ok) return undefined
    const source = await session.sources.locateElement(origin.value, session.url)
    const summary = source.ancestor === undefined ? summarizeSource(source) : undefined
    return summary && session.redact(summary)
  }
  return undefined
}

// An action that leads to a page which the dev server does not have: the source line with that path is the cause, whatever framework wrote
// the link.
const PAGE_LIMIT = 2
const SEARCH_TIMEOUT_MS = 500
const NOT_FOUND_PATTERN = /^(\S+) (\S+) → 404\b/

/** The pages among these entries that the server answered with 404, each with the source lines that have its path, if they are few. */
async function describeMissingPages(
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

async function findPath(url: string, { server }: Pick<OpenSession, 'server'>): Promise<string[]> {
  const page = parseUrl(url)
  if (!server || page?.origin !== new URL(server.info().url).origin) return []
  if (page.pathname === '/') return []
  const places: string[] = []
  for await (const { path, text } of readSources(server)) {
    places.push(...linesWithPath(text, page.pathname).map((line) => `${path}:${line}`))
    if (places.length > PATH_LINE_LIMIT) return []
  }
  return places
}
