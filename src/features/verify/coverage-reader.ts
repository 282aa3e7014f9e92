// Reads what ran in the pages of a session, one reading after the other and beside the calls, and appends it to the ledger of the work tree.

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure } from '../../core/base/failure.ts'
import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { createDeadline } from '../../core/base/system/race-deadline.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { NetworkRequest } from '../../core/sessions/journal/network-log.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import { MAP_LIMIT_CHARS } from '../sources/map-cache.ts'
import type { ChangedPaths } from './change/changed-paths.ts'
import { pathInTree } from './change/path-in-tree.ts'
import type { LedgerEntry } from './ledger/entry.ts'
import type { Ledger } from './ledger/ledger-file.ts'
import { findErrors } from './locate-errors.ts'
import type { CountedModule, ServerCoverage } from './node/server-coverage.ts'
import type { PageReading } from './page/page-reading.ts'
import type { Reading } from './page/reading.ts'
import { createRunNotes } from './run-notes.ts'
import { createRunningCalls, type RunningCalls } from './running-calls.ts'

export interface CoverageParts {
  readonly folder: string
  /** Why nothing can be known of what the pages run; undefined where that is counted. */
  readonly unseen: string | undefined
  readonly paths: () => ChangedPaths
  readonly openReading: (session: OwnedSession, tree: ReadTree) => PageReading
  readonly openLedger: (top: string) => Ledger
  /** That of the server of the session, if it is counted. */
  readonly servers: () => Promise<ServerCoverage | undefined>
  readonly acceptOrigin: (url: string) => boolean
  readonly locateErrors: (
    session: OwnedSession,
    errors: readonly JournalEntry[],
    top: string,
  ) => Promise<readonly LedgerEntry[]>
}

/** The files that matter, relative to the top of their work tree. */
export interface ReadTree {
  readonly root: string
  readonly changed: () => ReadonlySet<string>
  readonly acceptOrigin: (url: string) => boolean
}

export interface CoverageReader {
  open(session: OwnedSession): void
  /** Waits until it counts, if a file is known to differ. */
  start(): Promise<void>
  /** Looks which files differ from the base, and begins to count if one does; at once if one, by its absolute path, was just edited. Never rejects. */
  refresh(edited?: string): Promise<void>
  /** Those of the session, by which it is said what ran something. */
  readonly calls: RunningCalls
  /** Appends what ran since the last reading. Never rejects. With `mayWait` it may be left to the next reading. */
  read(options?: ReadOptions): Promise<void>
  /** Why a file of which nothing is known may have been loaded in spite of that, with what would tell. */
  notSeenReason(): Promise<string | undefined>
  /** Why what ran last is not in the ledger. */
  failure(): Failure | undefined
  end(): Promise<void>
}

const SERVER_TIMEOUT_MS = 1000
/** A question takes time of the server itself. */
const SERVER_INTERVAL_MS = 1000
const SERVER_ERROR_STATUS = 500
const NO_READING: Reading = { scripts: [], styles: [], received: [] }

interface ReadOptions {
  readonly mayWait?: boolean
  /** What is known to have run it. */
  readonly call?: string | undefined
}

export function createCoverageReader(parts: CoverageParts): CoverageReader {
  const { servers, locateErrors } = parts
  let last: Promise<void> = Promise.resolve()
  let failure: Failure | undefined
  let opening: ReturnType<typeof openParts> | undefined
  const notes = createRunNotes()
  const readServers = createServerReader(servers)
  const calls = createRunningCalls()
  const past = { seq: 0, pagesSeq: 0, pagesAt: 0, serversAt: 0 }

  async function read(options: ReadOptions): Promise<void> {
    const current = await opening
    if (!current) return
    const { session, top, changed, reading, ledger } = current
    const [before, at] = [{ ...past }, Date.now()]
    const mayTake = !options.mayWait || reading.isDue()
    const pageCall = calls.since(before.pagesAt)
    const [pages, modules] = await Promise.all([
      mayTake ? reading.take() : undefined,
      readServers(changed, top, options),
    ])
    past.seq = session.journal.lastSeq()
    if (pages) Object.assign(past, { pagesAt: at, pagesSeq: past.seq })
    if (modules) past.serversAt = at
    const errors = findErrors(session, before.seq)
    const { page, server } = sourcesOf(session, before, pageCall, calls, options.call)
    const taken = { pages: pages ?? NO_READING, modules: modules ?? [] }
    const runs = await notes.entriesOf(taken, top, page, server)
    const { at: seenAt, session: by, call } = page
    const seen = taken.pages.received.map((file) => ({
      ...{ kind: 'seen' as const, at: seenAt, session: by, call },
      ...file,
    }))
    const entries = [...runs, ...seen, ...(await locateErrors(session, errors, top))]
    if (entries.length === 0) return
    const appended = await ledger.append(entries)
    failure = appended.ok ? undefined : appended.error
  }

  return {
    open(session) {
      opening = openParts(session, parts).catch(() => undefined)
    },
    start: async () => (await opening)?.reading.refresh(),
    async refresh(edited) {
      const current = await opening
      if (current && edited !== undefined) noteEdit(current, edited)
      await current?.changed.refresh()
      await current?.reading.refresh()
    },
    calls,
    read(options = {}) {
      last = last.then(() => read(options)).catch(() => {})
      return last
    },
    notSeenReason: async () => explainUnseen(await opening, notes.unread()),
    failure: () => failure,
    end: async () => (await opening)?.reading.end(),
  }
}

// --- internal ---

/** What was read last. */
interface Past {
  /** Of the journal. */
  readonly seq: number
  readonly pagesSeq: number
  /** Unix milliseconds. */
  readonly pagesAt: number
  readonly serversAt: number
}

/** Whom the runs of a reading are of. */
function sourcesOf(
  session: OwnedSession,
  { pagesSeq, serversAt }: Past,
  pageCall: string,
  calls: RunningCalls,
  knownCall?: string,
) {
  const common = { at: Date.now(), session: session.record.name }
  const requests = requestsOf(session, serversAt)
  const isCutOff = findErrors(session, pagesSeq).length > 0
  const hasFailed = requests.some(({ status = 0 }) => status >= SERVER_ERROR_STATUS)
  const serverCall = calls.withRequests(requests.map(({ at }) => at))
  return {
    page: { ...common, call: knownCall ?? pageCall, ...(isCutOff && { isCutOff }) },
    server: { ...common, call: knownCall ?? serverCall, ...(hasFailed && { isCutOff: hasFailed }) },
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>

/** To look takes longer than a server needs to put an edit into the page. */
function noteEdit({ changed, top, reading }: NonNullable<Parts>, edited: string): void {
  changed.add(pathInTree(top, realFileOf(edited)))
  void reading.refresh()
}

async function explainUnseen(parts: Parts, unreadScripts: readonly string[]): Promise<string | undefined> {
  const unread = [...((await parts?.reading.unread()) ?? []), ...unreadScripts]
  return unread.length > 0 ? unreadReason(unread) : undefined
}

const unreadReason = (urls: readonly string[]): string =>
  `${urls.slice(0, 2).join(', ')}${urls.length > 2 ? ` and ${urls.length - 2} more` : ''} or the source map could not be read: it is missing, older, takes too long, or has more than ${MAP_LIMIT_CHARS / 1_000_000} MB`

async function openParts(
  session: OwnedSession,
  { paths, openReading, openLedger, acceptOrigin }: CoverageParts,
) {
  const changed = paths()
  const top = await changed.top
  if (top === undefined) return undefined
  const reading = openReading(session, { root: top, changed: changed.current, acceptOrigin })
  if (session.server) void reading.arm()
  await changed.ready
  return { session, top, changed, reading, ledger: openLedger(top) }
}

/** At once: the page may have the text of the edit already. */
function realFileOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** What a server may have run for since a time: the requests to this machine that were not answered before. */
function requestsOf({ network }: OwnedSession, since: number): readonly NetworkRequest[] {
  const accept = ({ at, url, type, duration = Infinity }: NetworkRequest) =>
    at + duration >= since && !STREAMS.has(type) && isLoopbackHost(parseUrl(url)?.hostname ?? '')
  return network.read({ limit: Infinity, accept }).entries
}

const STREAMS = new Set(['websocket', 'eventsource'])

function createServerReader(servers: CoverageParts['servers']) {
  let dueAt = 0
  return async (
    changed: ChangedPaths,
    top: string,
    { mayWait = false }: ReadOptions = {},
  ): Promise<readonly CountedModule[] | undefined> => {
    if (mayWait && performance.now() < dueAt) return undefined
    const paths = [...changed.current()].map((path) => join(top, path))
    const deadline = createDeadline(SERVER_TIMEOUT_MS, new AbortController().signal, Date.now)
    const modules = (await (await servers())?.take(new Set(paths), deadline)) ?? []
    dueAt = performance.now() + SERVER_INTERVAL_MS
    return modules
  }
}
