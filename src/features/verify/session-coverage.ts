// What ran of the changed files in one session goes to the ledger: read after each action, before each navigation and at the end, beside the
// calls, so that no answer waits for it.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { SessionFeature } from '../../core/sessions/types/session-feature.ts'
import type { ChangedPaths } from './change/changed-paths.ts'
import type { LedgerEntry } from './ledger/entry.ts'
import type { Ledger } from './ledger/ledger-file.ts'
import type { PageReading } from './page/page-reading.ts'
import { createRunNotes } from './run-notes.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly coverage: SessionCoverage
  }
}

export interface SessionCoverage {
  /** The folder whose work tree it is about. */
  readonly folder: string
  /** Why nothing is known of what its pages run; undefined where that is counted. */
  readonly unseen: string | undefined
  /** Waits until what has run is in the ledger. */
  flush(): Promise<void>
}

export interface CoverageParts {
  readonly folder: string
  readonly unseen: string | undefined
  readonly paths: () => ChangedPaths
  readonly openReading: (session: OwnedSession, tree: ReadTree) => PageReading
  readonly openLedger: (top: string) => Ledger
  readonly locateError: (
    session: OwnedSession,
    entry: JournalEntry,
    top: string,
  ) => Promise<LedgerEntry | undefined>
}

/** The files that matter, relative to the top of their work tree. */
export interface ReadTree {
  readonly root: string
  readonly wanted: () => ReadonlySet<string>
}

const CALL_LIMIT_CHARS = 60
const LEAVING_TIMEOUT_MS = 300
const END_TIMEOUT_MS = 2000
const LOADED_TYPES = new Set(['script', 'stylesheet', 'document', 'other'])
const LEAVING = new Set(['navigate', 'history', 'closeTab'])

export function createSessionCoverage({
  folder,
  unseen,
  paths: watchPaths,
  openReading,
  openLedger,
  locateError,
}: CoverageParts): SessionFeature {
  let session: OwnedSession | undefined
  let opening: Promise<{ reading: PageReading; ledger: Ledger; top: string } | undefined> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let errors: JournalEntry[] = []
  let lastCall = ''
  const hasNews = watchForEdits(folder)
  const notes = createRunNotes()
  let paths: ChangedPaths | undefined
  const open = async () => {
    paths = watchPaths()
    const top = await paths.top
    if (top === undefined || !session) return undefined
    await paths.refresh()
    const reading = openReading(session, { root: top, wanted: paths.current })
    return { reading, ledger: openLedger(top), top }
  }
  const read = async (call: string) => {
    const parts = await opening
    if (!parts || !session) return
    const { reading, ledger, top } = parts
    const common = { at: Date.now(), session: session.record.name, call }
    const taken = await reading.take()
    const uncaught = errors
    errors = []
    const owner = session
    const located = await Promise.all(uncaught.map((entry) => locateError(owner, entry, top)))
    const entries = [
      ...(await notes.entriesOf(taken, common)),
      ...located.filter((entry) => entry !== undefined),
    ]
    if (entries.length > 0) await ledger.append(entries)
  }
  const enqueue = (call: string) => {
    last = last.then(() => read(call)).catch(() => {})
    return last
  }
  const refresh = async () => {
    await paths?.refresh()
    await (await opening)?.reading.refresh()
  }
  return {
    open(opened) {
      session = opened
      if (unseen === undefined) opening = open().catch(() => undefined)
      const flush = async () => {
        await refresh()
        await enqueue(lastCall)
      }
      return { coverage: { folder, unseen, flush } }
    },
    onEntry(entry) {
      const isUncaught = entry.kind === 'console' && entry.message?.startsWith('uncaught ')
      if (opening && isUncaught) errors = [...errors, { ...entry, seq: 0 }].slice(-ERROR_LIMIT)
    },
    onRequest({ url, type }) {
      if (opening && LOADED_TYPES.has(type) && hasNews(url)) void refresh()
    },
    async perform(action, next) {
      // What the page ran goes with its document.
      if (opening && LEAVING.has(action.kind)) await settleWithin(LEAVING_TIMEOUT_MS, enqueue(lastCall))
      return next()
    },
    async afterAction({ call: { description } }) {
      lastCall = callOf(session?.redact(description) ?? '')
      if (opening) void enqueue(lastCall)
    },
    async beforeClose() {
      if (!opening) return () => ''
      await settleWithin(END_TIMEOUT_MS, enqueue(lastCall))
      await (await opening)?.reading.end()
      return () => ''
    },
  }
}

// --- internal ---

const ERROR_LIMIT = 20

const LOOK_INTERVAL_MS = 1000

/** Returns a function that tells whether a request can be one for an edit that nobody has seen: for a file that changed since the last look, or
 * for what is made of several files, once in a while. */
function watchForEdits(folder: string): (url: string) => boolean {
  let lookedAt = Date.now()
  return (url) => {
    const { hostname = '', pathname = '' } = parseUrl(url) ?? {}
    if (!isLoopbackHost(hostname)) return false
    const changedAt = statSync(join(folder, decodePath(pathname)), { throwIfNoEntry: false })?.mtimeMs
    const now = Date.now()
    if (changedAt === undefined ? now - lookedAt < LOOK_INTERVAL_MS : changedAt < lookedAt) return false
    lookedAt = now
    return true
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The tool and its target, without the query of an address. */
const callOf = (description: string): string =>
  description
    .replace(/(\s(?:\/|https?:)[^\s?#]*)[?#]\S*/g, '$1')
    .replace(/\s+/g, ' ')
    .slice(0, CALL_LIMIT_CHARS)
