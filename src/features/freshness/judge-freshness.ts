// Whether a page shows the source files as they are now. Three facts on one clock: when files were changed, what the page loaded when,
// and what the dev server does with changes.

import type {
  FileChange,
  Freshness,
  ProjectFiles,
  ServerCode,
  ServerProgram,
} from '../../core/sessions/types/freshness.ts'
import type { BuildState } from './build-lines.ts'
import {
  isDocumentation,
  isModule,
  isNeverShown,
  isSource,
  isWrittenByPrograms,
  needsBuild,
} from './file-kinds.ts'
import { findPath, type PageContent, type PageFile } from './page-files.ts'

export interface FreshnessFacts extends ProjectFiles {
  readonly now: number
  /** Whether a navigation has just ended: its modules have run. */
  readonly isLoaded?: boolean
  readonly content: PageContent
  readonly server: Omit<ServerCode, 'folder'>
  readonly build: BuildState
}

// Dev servers notice a change after some milliseconds and then need a while to apply it.
const NOTICE_TIME_MS = 2000
// One that watches files and has an open connection to the page has announced by then what the page has of a change.
const ANNOUNCE_TIME_MS = 3000
// A build that reports its end alone may take a while.
const BUILD_TIME_MS = 10_000
// A server with a cache serves what it transformed before a change until it notices the change: on a busy machine that took more than two
// seconds.
const CACHE_TIME_MS = 5000
// PHP runs what it compiled before a change until it looks at the file again, after two seconds.
const COMPILED_TIME_MS = 2500
// A process that looks at its files again and again does so at least once in this time.
const POLL_TIME_MS = 6000
// A start of the server in this time after a change is because of it.
const RESTART_TIME_MS = 15_000
// What started a program knows for longer that it must start it anew.
const UPDATE_LIMIT_MS = 60_000
// What was loaded is applied a moment later; the line of a completed build may come after the load that it causes.
const APPLY_TIME_MS = 300
const LINE_DELAY_MS = 500
// A request that began shortly before a file was modified may have read it afterwards, and editors write in several steps.
const READ_DELAY_MS = 250
// A file is truncated and then written: the server notices the first, the time of modification is that of the last.
const WRITE_TIME_MS = 20

const FRESH: Freshness = { state: 'fresh' }
const TOO_MANY_FILES: Freshness = { state: 'unknown', file: '', ageMs: Infinity }
const STATES = ['restart', 'stale', 'reload', 'pending', 'unknown'] as const

/** The worst of what is known about each file; of several the newest change. */
export function judgeFreshness(facts: FreshnessFacts): Freshness {
  const { changes, content, isComplete } = facts
  const sources = findSources(facts)
  const judgements = [...changes]
    .filter(
      ([path, { at, earlierHashes }]) =>
        at > sources.oldestLoadAt - CACHE_TIME_MS ||
        (earlierHashes !== undefined && sources.isComplete && needsBuild(path)),
    )
    .toSorted(([, a], [, b]) => b.at - a.at)
    .map(([path, change]) => judgeFile(path, change, sources, facts))
  const worst = STATES.map((state) => judgements.find((judgement) => judgement.state === state))
  const judgement =
    worst.find((candidate) => candidate !== undefined) ?? (isComplete ? FRESH : TOO_MANY_FILES)
  const { failure } = facts.build
  const mayBeFailed = judgement.state === 'stale' || judgement.state === 'pending'
  if (failure !== undefined && mayBeFailed) return { ...judgement, state: 'failed', line: failure }
  return judgement.state === 'stale' && content.isConnected ? { ...judgement, isConnected: true } : judgement
}

// --- internal ---

/** The source files that a page was loaded from. */
interface PageSources {
  readonly fileByPath: ReadonlyMap<string, PageFile>
  readonly oldestLoadAt: number
  /** Whether these are all: each answer of the server is a file as it is, the document too. */
  readonly isComplete: boolean
  /** The folder that is served. */
  readonly root: string
  /** When the newest of them was changed. */
  readonly changedAt: number
}

const PROGRAM_DOCUMENT_PATTERN = /\.php$/

function findSources({ content, changes, server }: FreshnessFacts): PageSources {
  const { files, hasVersions } = content
  const fileByPath = new Map<string, PageFile>()
  const index = server.pageFolder === '' ? 'index.html' : `${server.pageFolder}/index.html`
  let document: string | undefined
  let isComplete = true
  let root = ''
  for (const file of files) {
    // Vite answers the paths of an application of one page with its document.
    const candidates = file.isDocument && hasVersions ? [...file.paths, index] : file.paths
    const path = findPath({ ...file, paths: candidates }, server.pageFolder, (one) => changes.has(one))
    if (path !== undefined) fileByPath.set(path, file)
    // A template is filled in with what other files contain.
    const isAsItIs = path !== undefined && file.received !== 'other' && !PROGRAM_DOCUMENT_PATTERN.test(path)
    if (!file.isMissing) isComplete &&= isAsItIs
    if (file.isDocument && path !== undefined) root = rootOf(path, file, server.pageFolder)
    if (file.isDocument) document = path
  }
  return {
    fileByPath,
    oldestLoadAt: Math.min(server.startedAt, ...files.map(({ loadedAt }) => loadedAt)),
    isComplete: isComplete && document !== undefined,
    root,
    changedAt: Math.max(0, ...[...fileByPath.keys()].map((path) => changes.get(path)?.at ?? 0)),
  }
}

// The first path of a file is that of its URL, in the folder of the server.
function rootOf(path: string, { paths: [first = ''] }: PageFile, pageFolder: string): string {
  const urlPath = pageFolder === '' ? first : first.slice(pageFolder.length + 1)
  return path.endsWith(urlPath)
    ? path.slice(0, path.length - urlPath.length)
    : path.slice(0, path.lastIndexOf('/') + 1)
}

interface Change {
  readonly file: string
  readonly ageMs: number
}

function judgeFile(
  path: string,
  { at, same }: FileChange,
  sources: PageSources,
  facts: FreshnessFacts,
): Freshness {
  const { now, content, server } = facts
  const change = { file: path, ageMs: Math.max(0, Math.round(now - at)) }
  const file = sources.fileByPath.get(path)
  // What the page has loaded since the file had this content the last time it has loaded then.
  const loadedAt = file?.loadedAt ?? content.lastCodeAt
  if (same && loadedAt > same.from && loadedAt < same.until) return FRESH
  if (file?.received === 'other' && at > server.startedAt && at < file.loadedAt) {
    const judgement = judgeBuilt(path, at, change, facts)
    return judgement.state === 'unknown' ? { ...judgement, isAltered: true } : judgement
  }
  if (file) return judgePageFile(file, path, at, change, facts)
  if (isNobodysEdit(path, at, facts)) return FRESH
  const readers = server.programs.filter(({ files }) => files.has(path))
  // All that the page has of it was built before: the start of a server builds nothing then.
  const isBuiltBefore = sources.isComplete && needsBuild(path) && sources.changedAt < at
  const isRead = readers.length > 0 || isNeverShown(path)
  if (isBuiltBefore && !isRead && !content.hasVersions) return { state: 'unknown', ...change }
  if (at <= server.startedAt && content.lastLoadAt > at) return FRESH
  if (readers.some(({ isHot = false }) => isHot)) return { state: 'unknown', ...change }
  if (readers.length > 0) return judgeProgramFile(readers, at, change, facts)
  if (isNeverShown(path)) return FRESH
  return judgeOtherFile(path, at, change, sources, facts)
}

// The server and its tools write files too: while they start, while a request changes data, and those that they keep open.
function isNobodysEdit(path: string, at: number, { content, server, now }: FreshnessFacts): boolean {
  if (server.written?.has(path)) return true
  if (isSource(path)) return false
  if (at <= (server.readyAt ?? 0) && content.lastLoadAt > at) return true
  if (isWrittenByPrograms(path) && content.lastAnswerAt > at - WRITE_DELAY_MS && at <= now) return true
  return content.writes.some(({ from, to }) => at >= from - WRITE_DELAY_MS && at <= to + WRITE_DELAY_MS)
}

const WRITE_DELAY_MS = 1000

function judgeOtherFile(
  path: string,
  at: number,
  change: Change,
  { isComplete, root, changedAt }: PageSources,
  facts: FreshnessFacts,
): Freshness {
  const { content, server, build } = facts
  const isInside =
    server.pageFolder === '' ? !path.startsWith('../') : path.startsWith(`${server.pageFolder}/`)
  const unknown: Freshness = { state: 'unknown', ...change }
  const judgement = isInside ? judgeRestart(path, at, change, facts) : undefined
  if (judgement) return judgement
  if (content.hasVersions) {
    if (build.isRunning) return { state: 'pending', ...change }
    const isAnnounced =
      content.hasOpenSocket && server.watchesFiles === true && change.ageMs >= ANNOUNCE_TIME_MS
    // A module that it has not loaded is not on a page of modules.
    if (isInside && isComplete && (isAnnounced || isModule(path))) return FRESH
    // It notices what it watches, and serves what is new to the next request.
    const isNoticed = server.watchesFiles === true && content.lastCodeAt - at > CACHE_TIME_MS
    return (isInside && isNoticed) || isBuiltInto(at, changedAt, content) ? FRESH : unknown
  }
  if (isComplete) {
    const isServed = (path.startsWith(root) && !needsBuild(path)) || isDocumentation(path)
    return isServed || isBuiltInto(at, changedAt, content) ? FRESH : unknown
  }
  return judgeBuilt(path, at, change, facts)
}

// What the page has loaded was made after the change, and loaded after that.
const isBuiltInto = (at: number, changedAt: number, { lastLoadAt }: PageContent): boolean =>
  changedAt > at && changedAt - at < BUILD_TIME_MS && lastLoadAt > changedAt

// A process that was started after the change has read it, whatever it reads at its start.
function judgeRestart(
  path: string,
  at: number,
  change: Change,
  { server, content }: FreshnessFacts,
): Freshness | undefined {
  const { listenerStartedAt = 0 } = server
  if (listenerStartedAt <= at) return undefined
  if (content.lastCodeAt > listenerStartedAt)
    return content.hasErrors ? { state: 'unknown', ...change } : FRESH
  return isSource(path) && listenerStartedAt - at < RESTART_TIME_MS && content.lastAnswerAt < at
    ? { state: 'reload', ...change }
    : undefined
}

// A bundle does not name its files: only a build that is reported tells.
function judgeBuilt(
  path: string,
  at: number,
  change: Change,
  { now, content, server, build }: FreshnessFacts,
): Freshness {
  const reportsBuilds = build.completedAt !== undefined
  const unknown: Freshness = { state: 'unknown', ...change }
  if (!build.isRunning && !(reportsBuilds && server.watchesFiles !== false)) return unknown
  const isApplied = isBuildApplied(at, now, content, build) && change.ageMs >= NOTICE_TIME_MS
  if (isApplied) return isLoadedDuring(build, content) ? unknown : FRESH
  const isNoticed = build.isRunning || (build.completedAt ?? 0) > at || content.lastLoadAt > at
  const isAwaited = isNoticed
    ? isSource(path) || build.isRunning
    : isSource(path) && change.ageMs < BUILD_TIME_MS
  return isAwaited || change.ageMs < ANNOUNCE_TIME_MS ? { state: 'pending', ...change } : unknown
}

// What a program has read at its start is old until it is started again, and the page until it is loaded after that. If something
// watches files, the start is waited for.
function judgeProgramFile(
  readers: readonly ServerProgram[],
  at: number,
  change: Change,
  { server, content }: FreshnessFacts,
): Freshness {
  const startedAt = Math.min(...readers.map((reader) => reader.startedAt))
  if (startedAt > at && readers.every(({ isUp }) => isUp)) {
    // A page with errors may have been loaded before the program listened.
    if (content.lastCodeAt > startedAt) return content.hasErrors ? { state: 'unknown', ...change } : FRESH
    // A request that was waiting was answered by the new program.
    return { state: content.lastAnswerAt > at ? 'unknown' : 'reload', ...change }
  }
  if (startedAt > at) return { state: 'pending', ...change }
  if (startedAt > 0) return judgeKept(server, change)
  if (server.watchesFiles === false) return { state: 'restart', ...change }
  return { state: change.ageMs < UPDATE_LIMIT_MS ? 'pending' : 'unknown', ...change }
}

// The server keeps what it read before the change.
function judgeKept({ watchesFiles }: FreshnessFacts['server'], change: Change): Freshness {
  if (watchesFiles === false) return { state: 'restart', ...change }
  // Nobody has started it anew, although something could have.
  if (change.ageMs > POLL_TIME_MS) return { state: 'restart', ...change, isWatched: true }
  return { state: 'pending', ...change }
}

// A server that reports its builds has built the change once it says so, others have noticed it after a while; the page must have loaded
// something since.
function isBuildApplied(
  modifiedAt: number,
  now: number,
  { lastLoadAt }: PageContent,
  { completedAt, begunAt = 0, isRunning }: BuildState,
): boolean {
  if (isRunning || lastLoadAt <= modifiedAt || now - lastLoadAt < APPLY_TIME_MS) return false
  if (completedAt === undefined) return true
  return completedAt > modifiedAt && lastLoadAt >= Math.max(begunAt, completedAt - LINE_DELAY_MS)
}

// Some servers send the old document while they build, others wait.
const isLoadedDuring = (
  { begunAt = Infinity, completedAt = 0 }: BuildState,
  { lastDocumentAt }: PageContent,
): boolean => lastDocumentAt >= begunAt && lastDocumentAt < completedAt

function judgePageFile(
  { loadedAt, doneAt = Infinity, version = 0, isDocument, isStored = false, received }: PageFile,
  path: string,
  modifiedAt: number,
  change: Change,
  { now, isLoaded = false, server, content: { hasVersions } }: FreshnessFacts,
): Freshness {
  const applyTimeMs = isLoaded ? 0 : APPLY_TIME_MS
  const isNoticed =
    received === 'same' ||
    version >= modifiedAt ||
    (version >= modifiedAt - WRITE_TIME_MS && loadedAt > modifiedAt)
  if (isNoticed) return now - doneAt < applyTimeMs ? { state: 'pending', ...change } : FRESH
  if (modifiedAt - loadedAt > READ_DELAY_MS) return { state: 'stale', ...change }
  if (modifiedAt >= loadedAt) return { state: 'pending', ...change }
  if (isStored && modifiedAt > server.startedAt) return { state: 'unknown', ...change, isStored: true }
  if (received === 'earlier') return judgeKept(server, change)
  if (PROGRAM_DOCUMENT_PATTERN.test(path))
    return loadedAt - modifiedAt > COMPILED_TIME_MS ? FRESH : { state: 'unknown', ...change }
  // A file that is sent as it is was read after the request; a transformed one may come from a cache.
  if (isDocument || !hasVersions || modifiedAt <= server.startedAt) return FRESH
  // Without a watch the cache is never renewed.
  if (server.watchesFiles === false) return { state: 'unknown', ...change }
  // It would have sent an update since.
  if (loadedAt - modifiedAt > CACHE_TIME_MS || now - loadedAt > CACHE_TIME_MS) return FRESH
  return { state: 'pending', ...change }
}
