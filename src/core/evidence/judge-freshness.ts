// Whether a page shows the source files as they are now. Three facts on one clock: when files were modified, what the page loaded when,
// and what the dev server does with changes.

import type { BuildState } from './build-lines.ts'
import type { PageContent, PageFile } from './page-files.ts'
import { clip } from '../text/clip.ts'

/** `stale`: the page was loaded before the change. `pending`: it may show the change soon, which is not certain yet. `restart`: a process of
 * the server read the file before the change, and none watches files. `failed`: the build after the change failed. `unknown`: nothing
 * tells whether the page shows it. `unloaded`: the page failed to load, and shows no file at all. Ages are milliseconds since the change. */
export type Freshness =
  | { readonly state: 'fresh' | 'unloaded' }
  | {
      readonly state: 'stale' | 'pending' | 'restart' | 'failed' | 'unknown'
      /** Relative to the working directory of the dev server. */
      readonly file: string
      readonly ageMs: number
      /** With `failed`: the line of the dev server that says why. */
      readonly line?: string
    }

export interface ServerCode {
  /** The absolute path of the folder of its command. */
  readonly folder: string
  /** That of the process that serves the pages, relative to it. */
  readonly pageFolder: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Whether a process of the server watches files; undefined if unknown, as of one that looks at them again and again. */
  readonly watchesFiles: boolean | undefined
  /** The programs that its processes run now. */
  readonly programs: readonly ServerProgram[]
}

/** A program that a process of the server runs, with what it has read at its start. */
export interface ServerProgram {
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Its source files, relative to the working directory of the server. */
  readonly files: ReadonlySet<string>
  /** Whether it listens, or has had the time to. */
  readonly isUp: boolean
}

export interface FreshnessFacts {
  readonly now: number
  /** Whether a navigation has just ended: its modules have run. */
  readonly isLoaded?: boolean
  readonly content: PageContent
  /** When the source files were modified, in Unix milliseconds; paths are relative to the working directory of the dev server. */
  readonly modifications: ReadonlyMap<string, number>
  readonly server: Omit<ServerCode, 'folder' | 'pageFolder'>
  readonly build: BuildState
}

// Dev servers notice a change after some milliseconds and then need a while to apply it.
const NOTICE_TIME_MS = 2000
// A server with a cache serves what it transformed before a change until it notices the change: on a busy machine that took more than two
// seconds.
const CACHE_TIME_MS = 5000
// PHP runs what it compiled before a change until it looks at the file again, after two seconds.
const COMPILED_TIME_MS = 2500
// A file may be changed that the page does not use: nothing is loaded then.
const UPDATE_LIMIT_MS = 60_000
// What was loaded is applied a moment later; the line of a completed build may come after the load that it causes.
const APPLY_TIME_MS = 300
const LINE_DELAY_MS = 500
// A request that began shortly before a file was modified may have read it afterwards, and editors write in several steps.
const READ_DELAY_MS = 250
// A file is truncated and then written: the server notices the first, the time of modification is that of the last.
const WRITE_TIME_MS = 20

const FRESH: Freshness = { state: 'fresh' }

/** The worst of what is known about each file; of several the newest change. */
export function judgeFreshness(facts: FreshnessFacts): Freshness {
  const { modifications, content } = facts
  const sources = findSources(content, modifications)
  const judgements = [...modifications]
    .toSorted(([, a], [, b]) => b - a)
    .map(([path, modifiedAt]) => judgeFile(path, modifiedAt, sources, facts))
  const worst = (['restart', 'stale', 'pending', 'unknown'] as const).map((state) =>
    judgements.find((judgement) => judgement.state === state),
  )
  const judgement = worst.find((candidate) => candidate !== undefined) ?? FRESH
  const { failure } = facts.build
  if (failure === undefined || !(judgement.state === 'stale' || judgement.state === 'pending'))
    return judgement
  return { ...judgement, state: 'failed', line: failure }
}

// --- internal ---

/** The source files that a page was loaded from. */
interface PageSources {
  readonly fileByPath: ReadonlyMap<string, PageFile>
  /** Whether these are all: the page has no bundle, and its document is a file too. */
  readonly isComplete: boolean
}

const BUNDLE_PATTERN = /\.[cm]?js$/
const PROGRAM_DOCUMENT_PATTERN = /\.php$/

function findSources({ files }: PageContent, modifications: FreshnessFacts['modifications']): PageSources {
  const fileByPath = new Map<string, PageFile>()
  let [hasDocument, hasBundle] = [false, false]
  for (const file of files) {
    const path = file.paths.find((candidate) => modifications.has(candidate))
    if (path !== undefined) fileByPath.set(path, file)
    hasDocument ||= path !== undefined && file.isDocument && !PROGRAM_DOCUMENT_PATTERN.test(path)
    hasBundle ||= path === undefined && BUNDLE_PATTERN.test(file.paths[0] ?? '')
  }
  return { fileByPath, isComplete: hasDocument && !hasBundle }
}

function judgeFile(
  path: string,
  modifiedAt: number,
  { fileByPath, isComplete }: PageSources,
  facts: FreshnessFacts,
): Freshness {
  const { now, content, server, build } = facts
  const change = { file: path, ageMs: Math.max(0, Math.round(now - modifiedAt)) }
  const file = fileByPath.get(path)
  if (file) return judgePageFile(file, path, modifiedAt, change, facts)
  if (modifiedAt <= server.startedAt && content.lastLoadAt > modifiedAt) return FRESH
  const readers = server.programs.filter(({ files }) => files.has(path))
  if (readers.length > 0) return judgeProgramFile(readers, modifiedAt, change, facts)
  if (isComplete) return FRESH
  const reportsBuilds = build.completedAt !== undefined
  if (change.ageMs >= UPDATE_LIMIT_MS && !build.isRunning) return FRESH
  if (build.isRunning || (reportsBuilds && server.watchesFiles !== false)) {
    const isApplied = isBuildApplied(modifiedAt, now, content, build) && change.ageMs >= NOTICE_TIME_MS
    if (!isApplied) return { state: 'pending', ...change }
    return isLoadedDuring(build, content) ? { state: 'unknown', ...change } : FRESH
  }
  return { state: 'unknown', ...change }
}

// What a program has read at its start is old until it is started again, and the page until it is loaded after that. If something
// watches files, the start is waited for.
function judgeProgramFile(
  readers: readonly ServerProgram[],
  modifiedAt: number,
  change: { readonly file: string; readonly ageMs: number },
  { server, content }: FreshnessFacts,
): Freshness {
  const startedAt = Math.min(...readers.map((reader) => reader.startedAt))
  if (startedAt > modifiedAt && readers.every(({ isUp }) => isUp)) {
    // A page with errors may have been loaded before the program listened.
    if (content.lastLoadAt > startedAt) return content.hasErrors ? { state: 'unknown', ...change } : FRESH
    // A request that was waiting was answered by the new program.
    return { state: content.lastLoadAt > modifiedAt ? 'unknown' : 'stale', ...change }
  }
  if (server.watchesFiles === false && startedAt <= modifiedAt) return { state: 'restart', ...change }
  return { state: change.ageMs < UPDATE_LIMIT_MS ? 'pending' : 'unknown', ...change }
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
  { loadedAt, doneAt = Infinity, version = 0, isDocument }: PageFile,
  path: string,
  modifiedAt: number,
  change: { readonly file: string; readonly ageMs: number },
  { now, isLoaded = false, content: { hasVersions } }: FreshnessFacts,
): Freshness {
  const applyTimeMs = isLoaded ? 0 : APPLY_TIME_MS
  const isNoticed = version >= modifiedAt || (version >= modifiedAt - WRITE_TIME_MS && loadedAt > modifiedAt)
  if (isNoticed) return now - doneAt < applyTimeMs ? { state: 'pending', ...change } : FRESH
  if (modifiedAt - loadedAt > READ_DELAY_MS) return { state: 'stale', ...change }
  if (modifiedAt >= loadedAt) return { state: 'pending', ...change }
  if (PROGRAM_DOCUMENT_PATTERN.test(path))
    return loadedAt - modifiedAt > COMPILED_TIME_MS ? FRESH : { state: 'unknown', ...change }
  // A file that is sent as it is was read after the request; a transformed one may come from a cache.
  if (isDocument || !hasVersions || loadedAt - modifiedAt > CACHE_TIME_MS) return FRESH
  // It would have sent an update since.
  if (now - loadedAt > CACHE_TIME_MS) return FRESH
  return { state: 'pending', ...change }
}

// How a page that may not show the latest source files is described to a caller.
const LINE_LIMIT_CHARS = 300

/** One line with the file, the age of its change and the next step; undefined if the page is fresh or failed to load, or nothing tells whether
 * it is fresh. */
export function freshnessLineOf(freshness: Freshness): string | undefined {
  if (!('file' in freshness) || freshness.state === 'unknown') return undefined
  const { state, file, ageMs, line = '' } = freshness
  const change = `${file} changed ${(ageMs / 1000).toFixed(1)} s ago`
  if (state === 'restart')
    return `Stale server: ${change}, after the dev server had read it, and it watches no files. Call restart_server.`
  if (state === 'failed')
    return `Stale page: ${change}, and the dev server reports: ${clip(line.trim(), LINE_LIMIT_CHARS)}`
  if (state === 'stale')
    return `Stale page: ${change}, after the page loaded it. Call wait_for {fresh: true}, or history reload.`
  return `Perhaps a stale page: ${change}. Call wait_for {fresh: true}.`
}

/** The same for who waits for a fresh page: also if nothing tells whether it is. */
export function freshnessNoteOf(freshness: Freshness): string | undefined {
  if (freshness.state !== 'unknown') return freshnessLineOf(freshness)
  const { file, ageMs } = freshness
  return `It cannot be told whether the page shows ${file}, changed ${(ageMs / 1000).toFixed(1)} s ago: the page did not load that file itself. Check what you expect with wait_for {text}.`
}
