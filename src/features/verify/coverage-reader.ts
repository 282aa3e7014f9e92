// Reads what ran in the pages of a session, one reading after the other and beside the calls, and appends it to the ledger of the work tree.

import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { ChangedPaths } from './change/changed-paths.ts'
import type { LedgerEntry } from './ledger/entry.ts'
import type { Ledger } from './ledger/ledger-file.ts'
import type { PageReading } from './page/page-reading.ts'
import { createRunNotes } from './run-notes.ts'

export interface CoverageParts {
  readonly folder: string
  /** Why nothing can be known of what the pages run; undefined where that is counted. */
  readonly unseen: string | undefined
  readonly paths: () => ChangedPaths
  readonly openReading: (session: OwnedSession, tree: ReadTree) => PageReading
  readonly openLedger: (top: string) => Ledger
  readonly locateErrors: (
    session: OwnedSession,
    since: number,
    top: string,
  ) => Promise<readonly LedgerEntry[]>
}

/** The files that matter, relative to the top of their work tree. */
export interface ReadTree {
  readonly root: string
  readonly wanted: () => ReadonlySet<string>
}

export interface CoverageReader {
  open(session: OwnedSession): void
  /** Looks which files differ from the base, and begins to count if one does. */
  refresh(): Promise<void>
  /** Appends what ran since the last reading, as that of a call. Never rejects. With `mayWait` it may be left to the next reading. */
  read(call: string, options?: ReadOptions): Promise<void>
  end(): Promise<void>
}

interface ReadOptions {
  readonly mayWait?: boolean
}

export function createCoverageReader({
  paths,
  openReading,
  openLedger,
  locateErrors,
}: CoverageParts): CoverageReader {
  let last: Promise<void> = Promise.resolve()
  let lastSeq = 0
  let opening: ReturnType<typeof open> | undefined
  const notes = createRunNotes()

  async function open(session: OwnedSession) {
    const changed = paths()
    const top = await changed.top
    if (top === undefined) return undefined
    await changed.refresh()
    const reading = openReading(session, { root: top, wanted: changed.current })
    return { session, top, changed, reading, ledger: openLedger(top) }
  }

  async function read(call: string, options?: ReadOptions): Promise<void> {
    const parts = await opening
    if (!parts) return
    const { session, top, reading, ledger } = parts
    const source = { at: Date.now(), session: session.record.name, call }
    const runs = await notes.entriesOf(await reading.take(options), source)
    const since = lastSeq
    lastSeq = session.journal.lastSeq()
    const entries = [...runs, ...(await locateErrors(session, since, top))]
    if (entries.length > 0) await ledger.append(entries)
  }

  return {
    open(session) {
      opening = open(session).catch(() => undefined)
    },
    async refresh() {
      const parts = await opening
      await parts?.changed.refresh()
      await parts?.reading.refresh()
    },
    read(call, options) {
      last = last.then(() => read(call, options)).catch(() => {})
      return last
    },
    end: async () => (await opening)?.reading.end(),
  }
}
