// Whether the page of a session shows the source files of its dev server as they are now.

import { join } from 'node:path'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { readStats } from '../../core/base/files/read-stats.ts'
import { err, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import { race } from '../../core/base/system/race-deadline.ts'
import { isErrorPage } from '../../core/base/text/parse-url.ts'
import type { Freshness, ProjectFiles } from '../../core/sessions/types/freshness.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import type { OwnedServer } from '../../core/sessions/types/servers.ts'
import { readBuildState } from './build-lines.ts'
import { type ContentReader, createContentReader } from './compare-contents.ts'
import { freshnessNoteOf } from './describe-freshness.ts'
import { isSource } from './file-kinds.ts'
import { judgeFreshness } from './judge-freshness.ts'
import { type PageContent, pageContentOf } from './page-files.ts'

const LINE_LIMIT = 200
const FRESH: Freshness = { state: 'fresh' }

/** `isLoaded`: a navigation has just ended. Fresh without a dev server of the session that runs, or if the page is not from it: then nothing can be known. */
export async function readFreshness(
  server: OwnedServer | undefined,
  { journal, network, redactor, page }: Pick<OwnedSession, 'journal' | 'network' | 'redactor' | 'page'>,
  isLoaded = false,
): Promise<Freshness> {
  const pageUrl = page.url()
  const code = server?.code?.()
  if (!server?.files || !code) return FRESH
  if (isErrorPage(pageUrl)) return { state: 'unloaded' }
  const { origin } = new URL(server.info().url)
  if (!pageUrl.startsWith(`${origin}/`)) return FRESH
  const requests = network.sincePageLoad(page.parts.requests.numberOf(page.parts.page()))
  const frames = requests
    .filter(({ type }) => type === 'websocket')
    .flatMap(({ seq }) => network.frames(seq, 1))
  const content = pageContentOf(requests, frames, origin, code)
  const listed = await server.files(pathsOutside(content, code.folder))
  const unlisted = findUnlisted(content, listed, code.folder)
  const files = unlisted.length > 0 ? await server.files(unlisted) : listed
  const hasChanged = [...files.changes.values()].some(({ at }) => at > code.startedAt)
  const lines = journal.read({ kinds: ['server'], limit: LINE_LIMIT }).entries
  const build = readBuildState(lines, lastEditIn(files) ?? 0)
  const serverCode = hasChanged ? server.code?.({ withPrograms: true }) : code
  const isCompared = hasChanged && !content.hasVersions
  const compared = isCompared ? await readerOf(page)(content, files, code.folder) : content
  const evidence = { now: Date.now(), isLoaded, content: compared, ...files, build }
  const freshness = judgeFreshness({ ...evidence, server: serverCode ?? code })
  if (!('file' in freshness)) return freshness
  // Whether a server has ended is looked up among all sockets of the machine.
  if (server.exitReason() !== undefined)
    return { state: 'unknown', file: freshness.file, ageMs: freshness.ageMs }
  // A line of the server may contain a secret.
  if (freshness.line === undefined) return freshness
  const line = redactor.redactText(freshness.line.replaceAll(`${code.folder}/`, ''))
  return { ...freshness, line }
}

const pathsOutside = ({ files }: PageContent, folder: string): string[] =>
  files.flatMap(({ paths }) =>
    paths.filter((path) => path.startsWith('../')).map((path) => join(folder, path)),
  )

// Git may ignore what the page has loaded, or it lies behind a link.
const findUnlisted = ({ files }: PageContent, { changes }: ProjectFiles, folder: string): string[] =>
  files
    .filter(({ paths, isMissing }) => !isMissing && !paths.some((path) => changes.has(path)))
    .flatMap(({ paths }) => paths.map((path) => join(folder, path)).find(isFile) ?? [])

const isFile = (path: string): boolean => readStats(path)?.isFile() === true

const readers = new WeakMap<Page, ContentReader>()

function readerOf(page: Page): ContentReader {
  const reader = readers.get(page) ?? createContentReader((seq, part) => page.readRequest(seq, part))
  readers.set(page, reader)
  return reader
}

/** When a source file of the project of a server was changed last, in Unix milliseconds; undefined if nothing is known of it. */
export async function readLastEdit(server: OwnedServer | undefined): Promise<number | undefined> {
  const files = await server?.files?.()
  return files && lastEditIn(files)
}

function lastEditIn({ changes }: ProjectFiles): number | undefined {
  let last: number | undefined
  for (const [path, { at }] of changes) if (at > (last ?? 0) && isSource(path)) last = at
  return last
}

const POLL_INTERVAL_MS = 100

// In this time the page may still load what a server makes of a change.
const UNKNOWN_LIMIT_MS = 3000
// A page that reloads itself does so soon after the server is up again.
const RELOAD_GRACE_MS = 250

/** Succeeds once the page was fresh twice in a row: a module that was loaded needs a moment until it is applied; or if nothing tells for a
 * while whether it is. TIMEOUT at the deadline, or at once if the server must be restarted, or the page failed to load, or must be loaded
 * again by the caller. */
export async function waitUntilFresh(
  readFreshness: () => Promise<Freshness>,
  deadline: Deadline,
): Promise<Outcome<string | undefined>> {
  let wasFresh = false
  let oldSince: number | undefined
  for (;;) {
    const freshness = await readFreshness()
    const isFresh = freshness.state === 'fresh'
    if (isFresh && wasFresh) return ok(undefined)
    wasFresh = isFresh
    if (deadline.signal.aborted) return err({ code: 'CANCELLED' })
    const remaining = deadline.remaining()
    const isLate = remaining <= POLL_INTERVAL_MS
    if (freshness.state === 'unknown' && (isLate || freshness.ageMs > UNKNOWN_LIMIT_MS))
      return ok(freshnessNoteOf(freshness))
    oldSince = needOf(freshness) === 'reload' ? (oldSince ?? remaining) : undefined
    const isOld = oldSince !== undefined && oldSince - remaining >= RELOAD_GRACE_MS
    const isHopeless = isOld || freshness.state === 'restart' || freshness.state === 'unloaded'
    if (!isFresh && (isLate || isHopeless)) return err(staleFailure(freshness, deadline))
    await race(POLL_INTERVAL_MS, [deadline.signal], () => new Promise<never>(() => {}))
  }
}

// Without a connection a page may still ask again and again whether there is something new; with one it may be slow to learn of it.
const ALONE_LIMIT_MS = 3000
const CONNECTED_LIMIT_MS = 10_000

function needOf(freshness: Freshness): 'restart' | 'reload' | 'time' {
  if (freshness.state === 'restart' || freshness.state === 'reload') return freshness.state
  if (freshness.state !== 'stale') return 'time'
  const limitMs = freshness.isConnected ? CONNECTED_LIMIT_MS : ALONE_LIMIT_MS
  return freshness.ageMs > limitMs ? 'reload' : 'time'
}

const staleFailure = (freshness: Freshness, { timeout, remaining }: Deadline): Failure => ({
  code: 'TIMEOUT',
  waitedFor:
    freshness.state === 'unloaded'
      ? 'the page to show the latest sources, but it failed to load: call history {direction: "reload"}'
      : `the page to show the latest ${'file' in freshness ? freshness.file : 'sources'}`,
  waited: Math.max(0, timeout - remaining()),
  needs: needOf(freshness),
})
