// What ran of the changed files in one session goes to the ledger: read after each action, before each navigation and at the end.

import { join } from 'node:path'
import type { Failure } from '../../core/base/failure.ts'
import { readStats } from '../../core/base/files/read-stats.ts'
import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { decodePart } from '../../core/base/redaction/encodings.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { startTimer, type Timer } from '../../core/base/system/timer.ts'
import { clip, normalizeSpace } from '../../core/base/text/clip.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { SessionFeature } from '../../core/sessions/types/session-feature.ts'
import { type CoverageParts, type CoverageReader, createCoverageReader } from './coverage-reader.ts'
import { createOwnOrigins, type OwnOrigins } from './own-origins.ts'
import { EVALUATION_CALL } from './running-calls.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly coverage: SessionCoverage
  }
}

interface SessionCoverage {
  /** The folder whose work tree it is about. */
  readonly folder: string
  /** The real path of the top of that; undefined outside of a repository. */
  readonly top: () => Promise<string | undefined>
  /** Why nothing is known of what its pages run; undefined where that is counted. */
  readonly unseen: string | undefined
  /** Of which pages it counts what they run. */
  readonly origins: OwnOrigins
  /** Why a page or a server may have loaded a file of which nothing is known; undefined where it would be known. */
  notSeenReason(): Promise<string | undefined>
  /** Waits until what has run is in the ledger, as that of a call: without one, of the last. Returns why it is not. */
  flush(call?: string): Promise<Failure | undefined>
}

interface SessionCoverageParts extends Omit<CoverageParts, 'acceptOrigin'> {
  /** What the answer of verify says in a few words; undefined where nothing is changed. */
  readonly summarize: () => Promise<string | undefined>
  readonly serverVariables: NonNullable<SessionFeature['serverVariables']>
}

const CALL_LIMIT_CHARS = 60
const LEAVING_TIMEOUT_MS = 300
const START_TIMEOUT_MS = 2000
const END_TIMEOUT_MS = 2000
/** Agents think longer than this between a call and an edit. */
const PAUSE_MS = 400
const LOADED_TYPES = new Set(['script', 'stylesheet', 'document', 'other'])
const LEAVING = new Set(['navigate', 'history', 'closeTab'])

export function createSessionCoverage(parts: SessionCoverageParts): SessionFeature {
  const { folder, unseen } = parts
  let session: OwnedSession | undefined
  const origins = createOwnOrigins(() => session?.server)
  const facts = { folder, unseen, origins, top: () => parts.paths().top }
  const reader = startReader({ ...parts, acceptOrigin: origins.accept })
  const findNews = watchForEdits(folder)
  let current = ''
  const pause = createPause(() => void reader?.read())
  let evaluation: Promise<void> | undefined
  const checkForEdits = createEditCheck(reader)
  return {
    serverVariables: parts.serverVariables,
    open(owner) {
      session = owner
      reader?.open(owner)
      const flush = (call?: string) => flushReader(reader, call)
      const notSeenReason = async () => unseen ?? reader?.notSeenReason()
      return { coverage: { ...facts, notSeenReason, flush } }
    },
    onRequest({ url, type }) {
      if (type === 'document') origins.noteDocument(url)
      const news = LOADED_TYPES.has(type) && findNews(url)
      if (news) void reader?.refresh(news.edited)
    },
    beforeCall({ description, changesPage }) {
      const isEvaluation = EVALUATION.test(description)
      if (!reader || !(changesPage || isEvaluation)) return undefined
      // What this call runs is not to be taken for what the one before it ran.
      pause.stop()
      current = callOf(session?.redact(description) ?? '')
      if (!isEvaluation) return pause.start
      reader.calls.begin(EVALUATION_CALL, Date.now())
      return () => (evaluation = readEvaluation(reader).finally(() => (evaluation = undefined)))
    },
    async perform(action, next) {
      // What it runs is not to be taken for what the evaluation before it ran.
      if (evaluation) await settleWithin(LEAVING_TIMEOUT_MS, evaluation)
      // What the page ran goes with its document.
      if (reader && LEAVING.has(action.kind)) await readDocument(reader, checkForEdits(session))
      reader?.calls.begin(current, Date.now())
      return next().finally(() => reader?.calls.end(Date.now()))
    },
    async afterAction() {
      // No answer waits for it.
      void reader?.read({ mayWait: true })
      // After an edit it may not be known any more what ran.
      pause.start()
    },
    async summarize() {
      await reader?.read()
      return summaryOf(await parts.summarize())
    },
    async beforeClose() {
      pause.stop()
      return endReading(reader, parts)
    },
  }
}

// --- internal ---

function readEvaluation({ calls, read }: CoverageReader): Promise<void> {
  calls.end(Date.now())
  return read()
}

/** What is counted of a document that is about to be left. */
async function readDocument(reader: CoverageReader, edits: Promise<void>): Promise<void> {
  await settleWithin(START_TIMEOUT_MS, edits)
  await settleWithin(LEAVING_TIMEOUT_MS, reader.read())
}

const summaryOf = (text: string | undefined) => (text === undefined ? undefined : { name: 'verify', text })

function startReader(parts: CoverageParts): CoverageReader | undefined {
  if (parts.unseen !== undefined) return undefined
  // It looks while the browser opens.
  parts.paths()
  return createCoverageReader(parts)
}

async function flushReader(
  reader: CoverageReader | undefined,
  call: string | undefined,
): Promise<Failure | undefined> {
  await reader?.refresh()
  await reader?.read({ call })
  return reader?.failure()
}

const EVALUATION = /^evaluate\b/

function createPause(work: () => void) {
  let timer: Timer | undefined
  return {
    start() {
      timer?.stop()
      timer = startTimer(PAUSE_MS, work)
    },
    stop: () => timer?.stop(),
  }
}

/** A document that is loaded before the counters are on is not counted. */
function createEditCheck(reader: CoverageReader | undefined) {
  let lookedAt = Date.now()
  return async (session: OwnedSession | undefined): Promise<void> => {
    await reader?.start()
    const editedAt = await session?.lastEditAt()
    if (editedAt === undefined || editedAt < lookedAt) return
    lookedAt = Date.now()
    await reader?.refresh()
  }
}

async function endReading(
  reader: CoverageReader | undefined,
  { servers }: Pick<CoverageParts, 'servers'>,
): Promise<() => Promise<string>> {
  if (reader) await settleWithin(END_TIMEOUT_MS, reader.read().then(reader.end))
  return async () => {
    await (await servers())?.end()
    return ''
  }
}

const LOOK_INTERVAL_MS = 1000

/** Returns a function that tells whether a request can be one for an edit that nobody has seen: for a file that changed since the last look, or
 * for what is made of several files, once in a while. */
function watchForEdits(folder: string): (url: string) => { readonly edited?: string } | undefined {
  let lookedAt = Date.now()
  return (url) => {
    const { hostname = '', pathname = '' } = parseUrl(url) ?? {}
    if (!isLoopbackHost(hostname)) return undefined
    const path = join(folder, decodePart(pathname))
    const stats = readStats(path)
    const now = Date.now()
    if (stats ? stats.mtimeMs < lookedAt : now - lookedAt < LOOK_INTERVAL_MS) return undefined
    lookedAt = now
    return stats?.isFile() ? { edited: path } : {}
  }
}

/** The tool and its target, without the query of an address. */
const callOf = (description: string): string =>
  clip(normalizeSpace(description.replace(/(\s(?:\/|https?:)[^\s?#]*)[?#]\S*/g, '$1')), CALL_LIMIT_CHARS)
