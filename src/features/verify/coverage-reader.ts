// Reads what ran in the pages of a session, one reading after the other and beside the calls, and appends it to the ledger of the work tree.

import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Failure } from '../../core/base/failure.ts'
import { createDeadline } from '../../core/base/system/race-deadline.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { ChangedPaths } from './change/changed-paths.ts'
import { pathInTree } from './change/path-in-tree.ts'
import type { LedgerEntry } from './ledger/entry.ts'
import type { Ledger } from './ledger/ledger-file.ts'
import { findErrors } from './locate-errors.ts'
import type { CountedModule, ServerCoverage } from './node/server-coverage.ts'
import type { PageReading } from './page/page-reading.ts'
import { createRunNotes } from './run-notes.ts'

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
  /** Appends what ran since the last reading, as that of a call. Never rejects. With `mayWait` it may be left to the next reading. */
  read(call: string, options?: ReadOptions): Promise<void>
  /** Why what ran last is not in the ledger. */
  failure(): Failure | undefined
  end(): Promise<void>
}

const SERVER_TIMEOUT_MS = 1000
/** A question takes time of the server itself. */
const SERVER_INTERVAL_MS = 1000

interface ReadOptions {
  readonly mayWait?: boolean
}

export function createCoverageReader(parts: CoverageParts): CoverageReader {
  const { servers, locateErrors } = parts
  let last: Promise<void> = Promise.resolve()
  let lastSeq = 0
  let failure: Failure | undefined
  let opening: ReturnType<typeof openParts> | undefined
  const notes = createRunNotes()
  const readServers = createServerReader(servers)

  async function read(call: string, options?: ReadOptions): Promise<void> {
    const current = await opening
    if (!current) return
    const { session, top, changed, reading, ledger } = current
    const since = lastSeq
    const [pages, modules] = await Promise.all([reading.take(options), readServers(changed, top, options)])
    lastSeq = session.journal.lastSeq()
    const errors = findErrors(session, since)
    const source = {
      at: Date.now(),
      session: session.record.name,
      call,
      ...(errors.length > 0 && { isCutOff: true as const }),
    }
    const runs = await notes.entriesOf({ pages, modules }, top, source)
    const { at, call: name, session: by } = source
    const seen = pages.received.map((file) => ({
      kind: 'seen' as const,
      at,
      session: by,
      call: name,
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
      // To look takes longer than a server needs to put an edit into the page.
      const file = edited === undefined ? undefined : await realpath(edited).catch(() => undefined)
      if (current && file !== undefined) {
        current.changed.add(pathInTree(current.top, file))
        void current.reading.refresh()
      }
      await current?.changed.refresh()
      await current?.reading.refresh()
    },
    read(call, options) {
      last = last.then(() => read(call, options)).catch(() => {})
      return last
    },
    failure: () => failure,
    end: async () => (await opening)?.reading.end(),
  }
}

// --- internal ---

async function openParts(
  session: OwnedSession,
  { paths, openReading, openLedger, acceptOrigin }: CoverageParts,
) {
  const changed = paths()
  const top = await changed.top
  if (top === undefined) return undefined
  await changed.ready
  const reading = openReading(session, { root: top, changed: changed.current, acceptOrigin })
  return { session, top, changed, reading, ledger: openLedger(top) }
}

function createServerReader(servers: CoverageParts['servers']) {
  let dueAt = 0
  return async (
    changed: ChangedPaths,
    top: string,
    { mayWait = false }: ReadOptions = {},
  ): Promise<readonly CountedModule[]> => {
    if (mayWait && performance.now() < dueAt) return []
    const paths = [...changed.current()].map((path) => join(top, path))
    const deadline = createDeadline(SERVER_TIMEOUT_MS, new AbortController().signal, Date.now)
    const modules = (await (await servers())?.take(new Set(paths), deadline)) ?? []
    dueAt = performance.now() + SERVER_INTERVAL_MS
    return modules
  }
}
