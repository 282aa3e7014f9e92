// Whether a page shows the source files as they are now. Three witnesses on one clock: when files were modified, what the page loaded when,
// and what the dev server does with changes.

import type { BuildState } from './build-lines.ts'
import type { PageContent, PageFile } from './page-files.ts'

/** `stale`: the page was loaded before the change. `pending`: it may show the change, which is not certain yet. `restart`: the server
 * was started before the change and does not watch its files. `failed`: the build after the change failed. Ages are milliseconds since
 * the change. */
export type Freshness =
  | { readonly state: 'fresh' }
  | {
      readonly state: 'stale' | 'pending' | 'restart' | 'failed'
      /** Relative to the working directory of the dev server. */
      readonly file: string
      readonly ageMs: number
      /** With `failed`: the line of the dev server that says why. */
      readonly line?: string
    }

export interface ServerCode {
  /** The absolute path of its working directory. */
  readonly folder: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Whether a process of the server watches files; undefined if unknown. */
  readonly watchesFiles: boolean | undefined
  /** The files that its entry imports, relative to its working directory; undefined if unknown. */
  readonly files: ReadonlySet<string> | undefined
}

export interface FreshnessWitnesses {
  readonly now: number
  /** Whether a navigation has just ended: its modules have run. */
  readonly isLoaded?: boolean
  readonly content: PageContent
  /** When the source files were modified, in Unix milliseconds; paths are relative to the working directory of the dev server. */
  readonly modifications: ReadonlyMap<string, number>
  readonly server: Omit<ServerCode, 'folder'>
  readonly build: BuildState
}

// Dev servers notice a change after some milliseconds and then need a while to apply it.
const NOTICE_TIME_MS = 2000
// A server with a cache serves what it transformed before a change until it notices the change: on a busy machine that took more than two
// seconds.
const CACHE_TIME_MS = 5000
// A file may be changed that the page does not use: nothing is loaded then.
const UPDATE_LIMIT_MS = 60_000
// What was loaded is applied a moment later; the line of a completed build may come after the load that it causes.
const APPLY_TIME_MS = 300
const LINE_DELAY_MS = 500
// A request that began shortly before a file was modified may have read it afterwards, and editors write in several steps.
const READ_DELAY_MS = 250
// A file is truncated and then written: the server notices the first, the time of modification is that of the last.
const WRITE_TIME_MS = 20

const PROGRAM_PATTERN = /\.([cm]?[jt]sx?|py|rb|php|go|rs|exs?|java|kt|cs)$/

const FRESH: Freshness = { state: 'fresh' }

/** The worst of what is known about each file; of several the newest change. */
export function judgeFreshness(witnesses: FreshnessWitnesses): Freshness {
  const { modifications, content } = witnesses
  const sources = findSources(content, modifications)
  const judgements = [...modifications]
    .toSorted(([, a], [, b]) => b - a)
    .map(([path, modifiedAt]) => judgeFile(path, modifiedAt, sources, witnesses))
  const worst = (['restart', 'stale', 'pending'] as const).map((state) =>
    judgements.find((judgement) => judgement.state === state),
  )
  const judgement = worst.find((candidate) => candidate !== undefined) ?? FRESH
  const { failure } = witnesses.build
  if (judgement.state === 'fresh' || judgement.state === 'restart' || failure === undefined) return judgement
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

function findSources(
  { files }: PageContent,
  modifications: FreshnessWitnesses['modifications'],
): PageSources {
  const fileByPath = new Map<string, PageFile>()
  let [hasDocument, hasBundle] = [false, false]
  for (const file of files) {
    const path = file.paths.find((candidate) => modifications.has(candidate))
    if (path !== undefined) fileByPath.set(path, file)
    hasDocument ||= path !== undefined && file.isDocument
    hasBundle ||= path === undefined && BUNDLE_PATTERN.test(file.paths[0] ?? '')
  }
  return { fileByPath, isComplete: hasDocument && !hasBundle }
}

function judgeFile(
  path: string,
  modifiedAt: number,
  { fileByPath, isComplete }: PageSources,
  witnesses: FreshnessWitnesses,
): Freshness {
  const { now, content, server, build } = witnesses
  const change = { file: path, ageMs: Math.max(0, Math.round(now - modifiedAt)) }
  const file = fileByPath.get(path)
  if (file) return judgePageFile(file, modifiedAt, change, witnesses)
  if (modifiedAt > server.startedAt && needsRestart(path, server, isComplete))
    return { state: 'restart', ...change }
  const isExpected = change.ageMs < UPDATE_LIMIT_MS && server.watchesFiles !== false
  if (isComplete || (!isExpected && !build.isRunning)) return FRESH
  const isApplied = isBuildApplied(modifiedAt, now, content, build)
  return isApplied && change.ageMs >= NOTICE_TIME_MS ? FRESH : { state: 'pending', ...change }
}

// A server that reports its builds has built the change once it says so, others have noticed it after a while; the page must have loaded
// something since.
function isBuildApplied(
  modifiedAt: number,
  now: number,
  { lastLoadAt }: PageContent,
  { completedAt, isRunning }: BuildState,
): boolean {
  if (isRunning || lastLoadAt <= modifiedAt || now - lastLoadAt < APPLY_TIME_MS) return false
  return completedAt === undefined || (completedAt > modifiedAt && lastLoadAt >= completedAt - LINE_DELAY_MS)
}

function judgePageFile(
  { loadedAt, doneAt = Infinity, version = 0, isDocument }: PageFile,
  modifiedAt: number,
  change: { readonly file: string; readonly ageMs: number },
  { now, isLoaded = false, content: { hasVersions } }: FreshnessWitnesses,
): Freshness {
  const applyTimeMs = isLoaded ? 0 : APPLY_TIME_MS
  const isNoticed = version >= modifiedAt || (version >= modifiedAt - WRITE_TIME_MS && loadedAt > modifiedAt)
  if (isNoticed) return now - doneAt < applyTimeMs ? { state: 'pending', ...change } : FRESH
  if (modifiedAt - loadedAt > READ_DELAY_MS) return { state: 'stale', ...change }
  if (modifiedAt >= loadedAt) return { state: 'pending', ...change }
  // A file that is sent as it is was read after the request; a transformed one may come from a cache.
  if (isDocument || !hasVersions || loadedAt - modifiedAt > CACHE_TIME_MS) return FRESH
  return { state: 'pending', ...change }
}

function needsRestart(
  path: string,
  { watchesFiles, files }: FreshnessWitnesses['server'],
  isComplete: boolean,
): boolean {
  if (watchesFiles !== false) return false
  if (files) return files.has(path)
  return !isComplete && PROGRAM_PATTERN.test(path)
}
